package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/harness/drive"
	"timerlab/harness/emulate"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
)

const instructionsFlag = "instructions"

func addInstructions(r *request, g *grid) {
	count := r.flags.Bool(instructionsFlag, false, "count instructions in valgrind instead of measuring time")
	r.prepare = func(cmd *cobra.Command, r *request) (func(*results.Raw) error, error) {
		if !*count {
			return prepareRounds(cmd, r)
		}
		plan, err := g.plan()
		return func(sink *results.Raw) error { return countInstructions(cmd, sink, plan) }, err
	}
}

// countInstructions counts the instructions of a plan's subjects on its workloads, each subject in a process of its own.
func countInstructions(cmd *cobra.Command, sink *results.Raw, p run.Plan) error {
	self, err := os.Executable()
	// One sample is enough, and no neighbour changes a count.
	r := run.Runner{Seed: p.Seed, Busy: func() bool { return false }}
	for _, group := range p.Groups {
		for _, s := range group.Subjects {
			if group.Mode != run.Lifetimes || s.Label != s.Info.Name { // the second of an A/A pair has the same counts
				continue
			}
			t, errTrace := emulate.Workload(s, group.Spec).Trace()
			if err = errors.Join(err, errTrace); err != nil {
				return err
			}
			s.Tag = "/set=" + emulate.Set
			keys := run.Name(group.Spec, s)
			name, why := units.LifetimeOp+"/"+keys, p.Limits.Skip(s, t)
			if missing := emulate.Missing(); missing != "" {
				why = results.Reason{Kind: "valgrind", Text: missing}
			}
			if why.Kind != "" {
				err = sink.Skip(name, why)
				continue
			}
			r.Cells = append(r.Cells, run.Cell{Name: name, Rounds: 1, Sample: func(ctx context.Context, _ int) ([]results.Result, error) {
				return emulate.Count(ctx, keys, self, "emulated", keys, strconv.FormatUint(p.Seed, 10))
			}})
		}
	}
	bar := newProgress(cmd)
	defer bar.finish()
	_, failed, errRun := r.Run(cmd.Context(), sink, bar.run)
	switch err = errors.Join(err, errRun); {
	case err != nil:
		return err
	case failed > 0:
		return errUnverified
	}
	return sink.Finish()
}

// newEmulated returns the verb of the process whose instructions are counted, which only countInstructions calls.
func newEmulated() *cobra.Command {
	return &cobra.Command{Use: "emulated KEYS SEED", Hidden: true, Args: takes(2, 2, "the keys of a cell and a seed"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cell, err := results.ParseKey("/" + args[0]).Cell()
			seed, errSeed := strconv.ParseUint(args[1], 10, 64)
			info := &drive.Null
			if cell.Scheme != info.Name && err == nil {
				info, err = harness.Find(cell.Scheme)
			}
			if err := errors.Join(err, errSeed); err != nil {
				return usage(err)
			}
			cell.Spec.Seed = seed
			s := run.Subject{Label: info.Name, Info: info, Slots: cell.Slots, Levels: cell.Levels}
			times, err := emulate.Program(s, cell.Spec)
			for _, n := range times {
				fmt.Fprintln(cmd.OutOrStdout(), n)
			}
			return err
		}}
}
