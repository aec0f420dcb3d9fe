package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"timerlab/harness/gate"
	"timerlab/harness/results"
)

type checkJob struct {
	base   []string
	gate   gate.Gate
	filter filter
	bless  bool
	format oneFormat
}

func newCheck() *cobra.Command {
	j := &checkJob{}
	cmd := &cobra.Command{
		Use:   "check --base RAW NEW...",
		Short: "Fail if results changed: counts exactly, times by more than noise",
		Long: `Compare new raw files with a base and exit 3 if something changed or is missing. Counts
are exact and the same on every machine: any difference, in either direction, is a change.
Bytes and allocations are compared where both files have 6 rounds. They may differ by 1 %
or by 512 bytes in all, or be within the range of the base's rounds.

Times are compared only with --time, which needs the same machine at the same speed, an
A/A pair of each operation in both files and 6 rounds. A time is slower if its median grew
by more than --time, by more than twice what a scheme differs from itself, and with
p < 0.01. What cannot be compared fails, such as cells with another seed or length. Cells
that only the new files have are listed and not checked.

--bless shows the changes and writes the new counts, bytes and allocations into the base
file. Its times stay. For cells that were renamed or removed, measure a new base: it records
its command.`,
		Example: "  bench check --base results/base.txt new.txt\n  bench check --base base.txt new.txt --time 10%\n" +
			"  bench check --base base.txt new.txt --bless",
		Args: someFiles,
		RunE: j.run,
	}
	f := cmd.Flags()
	f.StringArrayVar(&j.base, "base", nil, "raw `file` to compare with; given more than once, they are pooled")
	filterFlag(f, &j.filter, ".name:Start .unit:ns/op")
	f.TextVar((*percent)(&j.gate.Time), "time", percent(0), "check times too: the `percentage` by which they may grow")
	f.BoolVar(&j.bless, "bless", false, "accept the changes: write them into the base file")
	formatFlag(f, &j.format)
	cmd.MarkFlagsMutuallyExclusive("bless", "time") // times are not accepted
	return cmd
}

func (j *checkJob) run(cmd *cobra.Command, raws []string) error {
	switch {
	case len(j.base) == 0:
		return usagef("--base is missing (use the raw file to compare with)")
	case j.bless && len(j.base) > 1:
		return usagef("--bless takes one --base, got %d", len(j.base))
	}
	base, err := results.Load(j.base...)
	if err != nil {
		return err
	}
	now, err := results.Load(raws...)
	if err != nil {
		return err
	}
	j.gate.Filter = j.filter.text
	v, err := gate.Check(base, now, j.gate)
	switch {
	case errors.Is(err, gate.ErrNothing):
		return usagef("%w; times need --time; files of go test -bench need -benchmem -count=6, or a line \"Unit visits/op "+
			"assume=exact\" for each exact unit (go tool benchstat compares their times)", err)
	case errors.As(err, new(*gate.FilterError)):
		return usagef("--%w", err)
	case err != nil:
		return err
	}
	page := v.Page(commandLine(cmd, raws...), append(base.Sources, now.Sources...)...)
	if err := writePage(cmd, page, j.format.Format); err != nil || v.OK() {
		return err
	}
	if !j.bless {
		return fmt.Errorf("%w: %s", errRegression, count(len(v.Faults), "fault"))
	}
	if err := gate.Bless(j.base[0], v.Faults); errors.Is(err, gate.ErrNotBlessed) {
		return fmt.Errorf("%w: nothing written: %w (for cells that were renamed or removed, measure a new base: %s)",
			errRegression, err, base.Sources[0].Command)
	} else if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s written into %s\n", count(len(v.Faults), "change"), j.base[0])
	return nil
}
