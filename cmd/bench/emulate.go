package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/harness/drive"
	"timerlab/harness/emulate"
	"timerlab/harness/results"
	"timerlab/harness/run"
)

const instructionsFlag = "instructions"

func addInstructions(r *request, g *grid) {
	count := r.flags.Bool(instructionsFlag, false, "count instructions in valgrind instead of measuring time")
	r.prepare = func(cmd *cobra.Command, r *request) (func(*results.Raw) error, error) {
		if !*count {
			return prepareRounds(cmd, r)
		}
		cells, err := g.emulated()
		return func(sink *results.Raw) error { return countAll(cmd, sink, cells, g.seed) }, err
	}
}

// emulated is a subject on a workload, whose instructions are counted.
type emulated struct {
	keys string         // the name of its cells without the operation
	skip results.Reason // why they are not counted; zero: they are
}

func (g *grid) emulated() (cells []emulated, err error) {
	if _, err := g.plan(); err != nil {
		return nil, err
	}
	limits := run.Limits{Run: g.limit, Memory: 8 << 30}
	for _, spec := range g.specs() {
		for _, slots := range g.slots {
			subjects, err := g.subjects(slots)
			if err != nil {
				return nil, err
			}
			for _, s := range subjects {
				if s.Label != s.Info.Name {
					continue // the second of an A/A pair, whose counts are equal
				}
				t, err := emulate.Workload(s, spec).Trace()
				if err != nil {
					return nil, usage(err)
				}
				s.Tag = "/set=" + emulate.Set
				why := limits.Skip(s, t)
				if missing := emulate.Missing(); missing != "" {
					why = results.Reason{Kind: "valgrind", Text: missing}
				}
				cells = append(cells, emulated{run.Name(spec, s), why})
			}
		}
	}
	return cells, nil
}

// countAll counts the cells, as many at once as there are cores: they do not change each other's counts. The rows are
// written in the order of the cells.
func countAll(cmd *cobra.Command, sink *results.Raw, cells []emulated, seed uint64) error {
	self, err := os.Executable()
	if err := errors.Join(err, sink.Rounds(1), sink.Round(0)); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	type counted struct {
		rows []results.Result
		err  error
	}
	made, free := make([]chan counted, len(cells)), make(chan bool, runtime.NumCPU())
	for i, c := range cells {
		made[i] = make(chan counted, 1)
		go func() {
			free <- true
			defer func() { <-free }()
			if c.skip.Kind != "" {
				return
			}
			rows, err := emulate.Count(ctx, c.keys, self, "emulated", c.keys, strconv.FormatUint(seed, 10))
			made[i] <- counted{rows, err}
		}()
	}
	bar := newProgress(cmd)
	defer bar.finish()
	for i, c := range cells {
		if c.skip.Kind != "" {
			for _, op := range emulate.Ops {
				err = errors.Join(err, sink.Skip(op+"/"+c.keys, c.skip))
			}
		} else {
			bar.run(i, len(cells), c.keys)
			next := <-made[i]
			if err = next.err; err == nil {
				err = sink.Result(next.rows...)
			}
		}
		if err != nil {
			return err
		}
	}
	return sink.Finish()
}

// newEmulated returns the verb of the process whose instructions are counted, which only countAll calls.
func newEmulated() *cobra.Command {
	return &cobra.Command{Use: "emulated KEYS SEED", Hidden: true, Args: takes(2, 2, "the keys of a cell and a seed"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cell, err := results.ParseKey("/" + args[0]).Cell()
			seed, errSeed := strconv.ParseUint(args[1], 10, 64)
			if err := errors.Join(err, errSeed); err != nil {
				return usage(err)
			}
			info := &drive.Null
			if cell.Scheme != info.Name {
				if info, err = harness.Find(cell.Scheme); err != nil {
					return usage(err)
				}
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
