package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"timerlab/harness/results"
	"timerlab/harness/run"

	"github.com/spf13/cobra"

	"timerlab/harness/report"
	systemsbench "timerlab/systems/bench"
)

func newSystems() *cobra.Command {
	j := &contestJob{verb: "systems", building: "the list of cells", build: selfChildren, kind: report.Services, page: report.FacilitiesPage}
	cmd := j.command("Measure timer facilities on the real clock: throughput, lateness, memory, idle cost, locks",
		`Measure the facilities of systems/ and Go's own timers on the real clock: starts, stops and
resets a second against goroutines, what a timer takes, how late actions run, what an idle
facility costs, a burst of a million starts, and how long locks are held. Every sample is
a process of its own and what the facility promises is checked in it. All rounds take
about three quarters of an hour; --match and --rounds make it less, and --resume goes on
with a file where it was interrupted. Raw files as arguments are reported, and nothing is
measured. Writes systems.md and figures into --out.`,
		"StartStop/.*n=1M", fmt.Sprintf("%d, of the cells of the targets %d", systemsbench.Rounds, systemsbench.TargetRounds))
	f := cmd.Flags()
	server := systemsServer()
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

// systemsServer makes single samples in this process.
func systemsServer() *run.Server {
	return &run.Server{
		Cells: func() (cells []run.Cell) {
			for _, c := range systemsbench.Cells() {
				cells = append(cells, run.Cell{
					Name: c.Name(), Rounds: c.Rounds,
					Sample: func(_ context.Context, round int) ([]results.Result, error) {
						r, err := systemsbench.Run(c, round)
						return []results.Result{r}, err
					},
				})
			}
			return cells
		},
		Batch: run.Batch{
			Names: systemsbench.JVMNames(), Missing: systemsbench.WithoutJVM(),
			Run: func(ctx context.Context) (string, error) { return systemsbench.RunJVM(ctx) },
		},
	}
}

// selfChildren runs this program for each sample.
func selfChildren(ctx context.Context, _ string) (*run.Children, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return run.NewChildren(ctx, "", self, "systems")
}
