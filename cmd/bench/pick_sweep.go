package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness/pick"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/workload"
)

// A sweep has this many random workloads besides the presets.
const randomCases = 100

type sweepJob struct {
	files        []string
	match, shard string
	print        bool
	budget       time.Duration
	seed, most   uint64
	format       report.Format
}

func newSweep() *cobra.Command {
	j := &sweepJob{most: 10_000_000}
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Compare picks with a measurement of every candidate, on many workloads",
		Long: `Pick for all presets and for 100 random workloads, measure every candidate and more sizes
thoroughly, and print how far each pick is from the best. It takes some hours, and less for a part
of it. Interrupted, it continues with the same file.`,
		Example: `  bench pick sweep --file sweep.json
  bench pick sweep --shard 2/4 --file sweep-2.json
  bench pick sweep --file sweep-1.json,sweep-2.json --print > pick.md`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return j.run(cmd) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&j.files, "file", nil,
		"file of the sweep, which is created or continued (required); with --print several")
	f.BoolVar(&j.print, "print", false, "only print the files, which may be of any machine")
	f.DurationVar(&j.budget, "budget", 0, "time for each pick (default that of bench pick)")
	f.StringVar(&j.match, "match", "", "only workloads whose name contains this")
	f.StringVar(&j.shard, "shard", "1/1", "part of the workloads, as in 2/4")
	f.Var(countWithin(&j.most, 10, workload.MaxOps, ""), "most", "the most timers of a random workload")
	seedFlag(f, &j.seed)
	formatFlag(f, &j.format)
	return cmd
}

func (j *sweepJob) run(cmd *cobra.Command) error {
	if len(j.files) == 0 || len(j.files) > 1 && !j.print {
		return usagef("%d files (use --file with one file of the sweep)", len(j.files))
	}
	if err := checkPositive(cmd.Flags(), "budget"); err != nil {
		return usage(err)
	}
	cases, err := j.cases()
	if err != nil {
		return usage(err)
	}
	if j.print {
		s, err := pick.ReadSweep(j.files...)
		if err != nil {
			return err
		}
		if s.Version != pick.SweepVersion {
			return fmt.Errorf("%s: version %d is of an older picker (must be %d)", strings.Join(j.files, ", "), s.Version,
				pick.SweepVersion)
		}
		return report.NewPickSweep(s, names(cases)).Write(cmd.OutOrStdout(), j.format)
	}
	machine, err := thisMachine(pickCode)
	if err != nil {
		return err
	}
	s, err := pick.ContinueSweep(j.files[0], pick.Terms{Machine: machine, Seed: j.seed, Budget: j.budget})
	if errors.Is(err, pick.ErrTerms) {
		err = fmt.Errorf("%w (use another file)", err)
	}
	if err != nil {
		return err
	}
	bar := newProgress(cmd)
	err = s.Judge(cmd.Context(), j.files[0], cases, bar.run)
	bar.finish()
	return errors.Join(report.NewPickSweep(s, names(cases)).Write(cmd.OutOrStdout(), j.format), err)
}

// names returns the names of workloads.
func names(cases []pick.Case) (all []string) {
	for _, c := range cases {
		all = append(all, c.Name)
	}
	return all
}

// cases returns the workloads that the flags select.
func (j *sweepJob) cases() (cases []pick.Case, err error) {
	shard, err := results.ParseShard(j.shard)
	if err != nil {
		return nil, fmt.Errorf("invalid --shard %q (use a part and their number, as in 2/4)", j.shard)
	}
	for i, c := range pick.Cases(randomCases, int(j.most), j.seed) {
		if i%shard.Count == shard.Index-1 && strings.Contains(c.Name, j.match) {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		err = fmt.Errorf("no workload matches --match %q (use part of a preset's name or of random-001)", j.match)
	}
	return cases, err
}
