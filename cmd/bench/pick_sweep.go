package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness/pick"
	"timerlab/harness/report"
)

// randomCases is how many random workloads a sweep has besides the presets.
const randomCases = 20

type sweepJob struct {
	file, match, calibration string
	print                    bool
	budget, truth            time.Duration
	seed                     uint64
	format                   report.Format
}

func newSweep() *cobra.Command {
	j := &sweepJob{}
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Compare picks with a measurement of every candidate, on many workloads",
		Long: `Pick for all presets and for random workloads, measure every candidate thoroughly, and print
how far each pick is from the best. It takes an hour. Interrupted, it continues with the same file.`,
		Example: "  bench pick sweep --file sweep.json\n  bench pick sweep --file sweep.json --print > pick.md",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return j.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&j.file, "file", "", "file of the sweep, which is created or continued (required)")
	f.BoolVar(&j.print, "print", false, "only print the file, of whatever machine")
	f.DurationVar(&j.budget, "budget", 45*time.Second, "time for each pick")
	f.DurationVar(&j.truth, "truth", 40*time.Second, "least time to measure all candidates of a workload")
	f.StringVar(&j.match, "match", "", "only workloads whose name contains this")
	calibrationFlag(f, &j.calibration)
	seedFlag(f, &j.seed)
	formatFlag(f, &j.format)
	return cmd
}

func (j *sweepJob) run(cmd *cobra.Command) error {
	if j.file == "" {
		return usagef("no --file (name the file of the sweep)")
	}
	if err := checkPositive(cmd.Flags(), "budget", "truth"); err != nil {
		return usage(err)
	}
	if j.print {
		s, err := pick.ReadSweep(j.file)
		if err != nil {
			return err
		}
		return report.NewPickSweep(s).Write(cmd.OutOrStdout(), j.format)
	}
	cases := slices.DeleteFunc(pick.Cases(randomCases, j.seed),
		func(c pick.Case) bool { return !strings.Contains(c.Name, j.match) })
	if len(cases) == 0 {
		return usagef("no workload matches --match %q (use part of a preset's name or of random-01)", j.match)
	}
	s, err := pick.ContinueSweep(j.file, j.seed, j.budget, j.truth)
	if errors.Is(err, pick.ErrTerms) {
		err = fmt.Errorf("%w (use another file)", err)
	}
	if err != nil {
		return err
	}
	bar := newProgress(cmd)
	defer bar.finish()
	m, err := pick.FindModel(cmd.Context(), j.calibration, pick.CalibrationTime, bar.run)
	if err != nil {
		return pickUsage(err)
	}
	err = s.Judge(cmd.Context(), j.file, cases, m.CostModel, bar.run)
	return errors.Join(report.NewPickSweep(s).Write(cmd.OutOrStdout(), j.format), err)
}
