package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"timerlab/harness/results"
	"timerlab/harness/run"

	"github.com/spf13/cobra"
	"golang.org/x/perf/benchfmt"

	"timerlab/harness/report"
	systemsbench "timerlab/systems/bench"
)

func newSystems() *cobra.Command {
	j := &contestJob{verb: "systems", building: "the list of cells", build: selfContest, canSplice: report.CanSpliceFacilities}
	j.report = func(cmd *cobra.Command, raws []string) error { return reportSystems(cmd, raws, j.out, j.readme) }
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
	list := f.Bool("cells", false, "print the cells, and measure nothing")
	name := f.String("cell", "", "measure this cell once, in this process, and print it")
	jvm := f.Bool("jvm", false, "run the program for the JVM and print what it prints, or why it cannot")
	round := f.Int("round", 0, "tells the samples of --cell apart")
	for _, hidden := range []string{"cells", "cell", "round", "jvm"} {
		_ = f.MarkHidden(hidden) // they are there
	}
	all := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case *list:
			listCells(cmd.OutOrStdout())
			return nil
		case *jvm:
			return runJVM(cmd)
		case *name != "":
			return runCell(cmd.OutOrStdout(), *name, *round)
		}
		return all(cmd, args)
	}
	return cmd
}

// selfContest is this program, which makes each sample in a process of its own.
func selfContest(ctx context.Context, _ string) (*run.Contest, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return run.Ask(ctx, "", self, "systems")
}

func listCells(w io.Writer) {
	for _, c := range systemsbench.Cells() {
		fmt.Fprintln(w, "cell", c.Rounds, c.Name())
	}
	for _, name := range systemsbench.JVMNames() {
		fmt.Fprintln(w, "jvm", name)
	}
}

// runJVM prints the samples of the JVM's facilities, or names the cells that are skipped.
func runJVM(cmd *cobra.Command) error {
	w := cmd.OutOrStdout()
	why := systemsbench.WithoutJVM()
	if why == "" {
		out, err := systemsbench.RunJVM(cmd.Context())
		fmt.Fprint(w, out)
		return err
	}
	for _, name := range systemsbench.JVMNames() {
		fmt.Fprintf(w, "skipped %s: %s\n", name, why)
	}
	return nil
}

// runCell prints a sample of a cell as package contest wants it.
func runCell(w io.Writer, name string, round int) error {
	c, err := systemsbench.Find(name)
	if err != nil {
		return usage(fmt.Errorf("--cell: %w", err))
	}
	r, err := systemsbench.Run(c, round)
	if err != nil {
		fmt.Fprintln(w, "failed", err)
		return nil
	}
	return benchfmt.NewWriter(w).Write(&benchfmt.Result{Name: benchfmt.Name(r.Name), Iters: r.Iters, Values: r.Values})
}

func reportSystems(cmd *cobra.Command, raws []string, out, readme string) error {
	t, err := results.Load(raws...)
	if err != nil {
		return err
	}
	page := report.Facilities{Table: t}
	paths, err := page.Save(out)
	if err != nil {
		return err
	}
	if readme != "" {
		if err := page.Splice(readme); err != nil {
			return err
		}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s\nraw results  %s\npage, figures  %s\n", page.Summary(), strings.Join(raws, ", "), strings.Join(paths, ", "))
	if wrong := page.Wrong(); wrong > 0 {
		return fmt.Errorf("%s with a wrong outcome, shown as ERROR: %w", count(wrong, "cell"), errUnverified)
	}
	return nil
}
