package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"timerlab/harness/compare"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

// checkJob is a gate for results.
type checkJob struct {
	base            []string
	gate            compare.Gate
	bless, selfTest bool
	format          report.Format
}

func newCheck() *cobra.Command {
	j := &checkJob{}
	cmd := &cobra.Command{
		Use:   "check --base RAW NEW...",
		Short: "Fail if results changed: counts exactly, times by more than noise",
		Long: `Compare new raw files with a base and exit 3 if something changed or is missing. Counts
are exact and the same on every machine: any difference, in either direction, is a change.
Bytes and allocations may differ by 1 % or by 512 bytes in all, or be within the range of the base's rounds.

Times are compared only with --time, which needs the same machine at the same speed, an
A/A pair of each operation in both files and 6 rounds. A time is slower if its median grew
by more than --time, by more than twice what a scheme differs from itself, and with
p < 0.01. What cannot be compared fails. Cells that only the new files have are listed and
not checked.

--bless shows the changes and writes the new counts, bytes and allocations into the base
file. Its times stay.`,
		Example: "  bench check --base results/base.txt new.txt\n  bench check --base base.txt new.txt --time 10%\n" +
			"  bench check --base base.txt new.txt --bless\n  bench check --self-test",
		RunE: func(cmd *cobra.Command, raws []string) error {
			if err := j.complete(cmd, raws); err != nil {
				return err
			}
			if j.selfTest {
				return selfTest(cmd, j.format)
			}
			return j.check(cmd, raws)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&j.base, "base", nil, "raw file to compare with; given more than once, they are pooled")
	filterFlag(f, &j.gate.Filter)
	f.Var(newValue(&j.gate.Time, "percent", "", parsePercent), "time",
		"check times too: the share by which they may grow")
	f.BoolVar(&j.bless, "bless", false, "accept the changes: write them into the base file")
	f.BoolVar(&j.selfTest, "self-test", false,
		"plant a slowdown, a changed count and a missing cell, and see them")
	formatFlag(f, &j.format)
	return cmd
}

// complete checks what goes together.
func (j *checkJob) complete(cmd *cobra.Command, raws []string) error {
	if j.selfTest {
		if len(raws) > 0 || len(j.base) > 0 || j.bless {
			return usagef("--self-test takes no files and no --bless")
		}
		return nil
	}
	switch {
	case len(j.base) == 0:
		return usagef("--base is missing (use the raw file to compare with)")
	case j.bless && j.gate.Time > 0:
		return usagef("--bless and --time are mutually exclusive: times are not accepted")
	case j.bless && len(j.base) > 1:
		return usagef("--bless takes one --base, got %d", len(j.base))
	}
	return someFiles(cmd, raws)
}

func (j *checkJob) check(cmd *cobra.Command, raws []string) error {
	base, err := results.Load(j.base...)
	if err != nil {
		return err
	}
	now, err := results.Load(raws...)
	if err != nil {
		return err
	}
	v, err := compare.Check(base, now, j.gate)
	if err != nil {
		return queryUsage(err)
	}
	page := v.Page(commandLine(cmd, raws...), append(base.Sources, now.Sources...)...)
	if err := page.Write(cmd.OutOrStdout(), j.format); err != nil {
		return err
	}
	switch {
	case v.OK():
		return nil
	case j.bless && len(v.Of(compare.Changed)) == len(v.Faults):
		if err := compare.Bless(j.base[0], v.Faults); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s written into %s\n", count(len(v.Faults), "change"), j.base[0])
		return nil
	case j.bless:
		return fmt.Errorf("%w: nothing written, as only changed values can be accepted", errRegression)
	}
	return fmt.Errorf("%w: %s", errRegression, count(len(v.Faults), "fault"))
}

// selfTest shows that the gate sees what it must.
func selfTest(cmd *cobra.Command, format report.Format) error {
	t, err := compare.SelfTest()
	if t != nil {
		err = errors.Join(t.Write(cmd.OutOrStdout(), format), err)
	}
	return err
}
