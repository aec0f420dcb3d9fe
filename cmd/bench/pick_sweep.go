package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness/pick"
	"timerlab/harness/report"
	"timerlab/harness/workload"
)

// A sweep has this many random workloads besides the presets.
const randomCases = 100

type sweepJob struct {
	out, filter string
	shard       shardFlag
	budget      time.Duration
	seed, most  uint64
	format      report.Format
}

func newSweep() *cobra.Command {
	j := &sweepJob{most: 10_000_000}
	cmd := &cobra.Command{
		Use:   "sweep (--out FILE | FILE...)",
		Short: "Compare picks with a measurement of every candidate, on many workloads",
		Long: `Pick for all presets and for 100 random workloads, measure every candidate and more sizes
thoroughly, and print how far each pick is from the best. It takes some hours, and less for a part
of it. Interrupted, it continues with the same file. FILEs of a sweep, which may be of any machine,
are printed without measuring; with --format csv, all workloads are.`,
		Example: `  bench pick sweep --out sweep.json
  bench pick sweep --shard 2/4 --out sweep-2.json
  bench pick sweep sweep-1.json sweep-2.json > pick.md`,
		RunE: j.run,
	}
	f := cmd.Flags()
	f.StringVar(&j.out, "out", "", "`file` of the sweep, which is created or continued")
	f.DurationVar(&j.budget, "budget", 0, "time for each pick (default that of bench pick)")
	f.StringVar(&j.filter, "filter", "", "only workloads whose name contains this")
	f.TextVar(&j.shard, "shard", shardFlag{}, "only this `part` of the workloads, as in 2/4; env: that of a job array's task")
	f.VarP(countWithin(&j.most, 10, workload.MaxOps, ""), "timers", "n", "the most timers of a random workload")
	seedFlag(f, &j.seed)
	formatFlag(f, &j.format)
	return cmd
}

func (j *sweepJob) run(cmd *cobra.Command, files []string) error {
	if (len(files) > 0) == (j.out != "") {
		return usagef("%d files of a sweep and --out %q (use --out with a file to measure, or name files to print)",
			len(files), j.out)
	}
	if err := checkPositive(cmd.Flags(), "budget"); err != nil {
		return usage(err)
	}
	var cases []pick.Case
	var names []string
	for i, c := range pick.Cases(randomCases, int(j.most), j.seed) {
		inShard := j.shard.Count == 0 || i%j.shard.Count == j.shard.Index-1
		if inShard && strings.Contains(c.Name, j.filter) {
			cases, names = append(cases, c), append(names, c.Name)
		}
	}
	if len(cases) == 0 {
		return usagef("no workload matches --filter %q (use part of a preset's name or of random-001)", j.filter)
	}
	var failed error
	s, err := pick.ReadSweep(files...)
	if err != nil {
		return err
	}
	if j.out != "" {
		machine, err := thisMachine(pickCode)
		if err != nil {
			return err
		}
		s, err = pick.ContinueSweep(j.out, pick.Terms{Machine: machine, Seed: j.seed, Budget: j.budget})
		if errors.Is(err, pick.ErrTerms) {
			err = fmt.Errorf("%w (use another file)", err)
		}
		if err != nil {
			return err
		}
		bar := newProgress(cmd)
		failed = s.Judge(cmd.Context(), j.out, cases, bar.run)
		bar.finish()
	}
	return errors.Join(report.NewPickSweep(s, names).Write(cmd.OutOrStdout(), j.format), failed)
}
