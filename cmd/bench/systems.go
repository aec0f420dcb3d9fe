package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"timerlab/harness/report"
	"timerlab/harness/run"
	systemsbench "timerlab/systems/bench"
)

func newSystems() *cobra.Command {
	j := &childrenJob{
		kind: report.Services, building: "the list of cells", build: selfChildren,
		rec: recorder{parts: systemsCode, sharded: true},
	}
	cmd := j.command("Measure timer services on the real clock: throughput, lateness, memory, idle cost, locks",
		`Measure the timer services of systems/ and Go's own timers on the real clock: starts, stops
and resets a second against goroutines, memory, how late actions run, what an idle service
costs, a burst of a million starts, and how long locks are held. Every sample is a process of
its own and checks what the service promises. All rounds take about three quarters of an hour;
--filter and --rounds reduce it, and --resume continues a file that was interrupted. Raw
files as arguments are reported, and nothing is measured. Writes systems.md and its figures
into --out.`,
		".name:StartStop /n:1M", fmt.Sprintf("%d, %d for the targets", systemsbench.Rounds, systemsbench.TargetRounds))
	f := cmd.Flags()
	server := systemsbench.Server()
	protocol := flag.NewFlagSet("", flag.ContinueOnError)
	server.Define(protocol)
	f.AddGoFlagSet(protocol)
	protocol.VisitAll(func(hidden *flag.Flag) { _ = f.MarkHidden(hidden.Name) })
	measureAll := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if server.Requested() {
			return server.Serve(cmd.Context(), cmd.OutOrStdout())
		}
		return measureAll(cmd, args)
	}
	return cmd
}

// selfChildren runs this program for each sample.
func selfChildren(ctx context.Context) (*run.Children, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return run.NewChildren(ctx, "", self, "systems")
}
