package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"timerlab/harness/gate"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

type checkJob struct {
	base   string
	share  float64 // by which a time may grow
	format report.Format
}

func newCheck() *cobra.Command {
	j := &checkJob{}
	cmd := &cobra.Command{
		Use:   "check --base RAW NEW...",
		Short: "Fail if results changed: counts exactly, times by more than noise",
		Long: `Compare new raw files with a base and exit 3 if something changed or is missing. Counts
are exact and the same on every machine: any difference, in either direction, is a change.

Times are compared only with --time, which needs the same machine, Go and speed, an
A/A pair of each operation in both files and 6 rounds. A time is slower if its median grew
by more than --time, by more than twice what a scheme differs from itself, and with
p < 0.01. What cannot be compared fails, such as cells with another seed or length. Cells
that only the new files have are listed and not checked.

To accept changes, replace the base by the new file.`,
		Example: "  bench check --base results/base.txt new.txt\n  bench check --base base.txt new.txt --time 10%",
		Args:    someFiles,
		RunE:    j.run,
	}
	f := cmd.Flags()
	pathFlag(f, &j.base, "base", "", "raw `file` to compare with")
	addFlag(f, &j.share, "time", "", "check times too: the `percentage` by which they may grow", percent)
	outputFlag(f, &j.format)
	return cmd
}

func (j *checkJob) run(cmd *cobra.Command, raws []string) error {
	if j.base == "" {
		return usagef("--base is missing (use the raw file to compare with)")
	}
	base, err := results.Load(j.base)
	if err != nil {
		return err
	}
	now, err := results.Load(raws...)
	if err != nil {
		return err
	}
	v, err := gate.Check(base, now, j.share)
	switch {
	case errors.Is(err, gate.ErrNothing):
		return usagef("%w; times need --time; files of go test -bench need a line \"Unit visits/op assume=exact\" for "+
			"each exact unit (go tool benchstat compares all else)", err)
	case err != nil:
		return err
	}
	page := v.Page(commandLine(cmd, raws...), append(base.Sources, now.Sources...)...)
	if err := writePage(cmd, page, j.format); err != nil || v.OK() {
		return err
	}
	return fmt.Errorf("%w: %s", errRegression, count(len(v.Faults), "fault"))
}
