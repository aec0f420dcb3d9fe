// Package timing compares the speed of a scheme with that of the suite's own scheme of
// the same number.
package timing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"timerlab/harness"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

const (
	rounds    = 15
	lifetimes = 20_000 // timers that end in a run, about
	slots     = 1024
	levels    = 2
)

// Main is the program that times a scheme. It is a process of its own because the scheme
// is compiled with it.
func Main(info *schemes.Info) {
	if err := Compare(context.Background(), os.Stdout, info); err != nil {
		fmt.Fprintln(os.Stderr, "timing:", err)
		os.Exit(1)
	}
}

// Compare times a scheme, the reference and the reference once more, in turns, and writes a
// table of their ratios.
func Compare(ctx context.Context, w io.Writer, info *schemes.Info) (err error) {
	reference, err := referenceOf(info)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "timing")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	groups := plan(info, reference)
	t, err := measure(ctx, groups, filepath.Join(dir, "raw.txt"))
	if err != nil {
		return err
	}
	return write(w, t, groups, reference)
}

// referenceOf returns the scheme of the paper with info's number.
func referenceOf(info *schemes.Info) (*schemes.Info, error) {
	for _, r := range harness.Schemes {
		if r.IsBase() && r.Number == info.Number {
			return r, nil
		}
	}
	return nil, fmt.Errorf("no reference for the number %d (have 1 to 7)", info.Number)
}

// plan returns a workload of fewer and one of more timers, each with three subjects: the
// scheme, the reference, and that again.
func plan(info, reference *schemes.Info) (groups []run.Group) {
	sizes := []int{1_000, 10_000}
	if reference.Kind == schemes.List {
		sizes = []int{100, 1_000} // it costs n
	}
	yours, first := run.NewSubject(info, slots, levels), run.NewSubject(reference, slots, levels)
	yours.Label = "yours"
	first.Heap = true // as the scheme's storage is
	again := first
	again.Label += results.Again
	subjects := []run.Subject{yours, first, again}
	for _, n := range sizes {
		spec := workload.Spec{N: n, T: 1_000, Dist: workload.Exp(), Stop: 0.5, StopAt: 0.5, Seed: 1}
		spec = run.Lasting(spec, lifetimes, subjects)
		groups = append(groups, run.Group{Mode: run.Lifetimes, Spec: spec, Subjects: subjects})
	}
	return groups
}

func measure(ctx context.Context, groups []run.Group, path string) (*results.Table, error) {
	raw, err := results.CreateRaw(path, results.ThisMachine())
	if err != nil {
		return nil, err
	}
	p := run.Plan{Groups: groups, Rounds: rounds, Seed: 1, Limits: run.Limits{Run: 5 * time.Second, Memory: 1 << 30}}
	err = p.Run(ctx, raw, func(int, int, string) {})
	if err = errors.Join(err, raw.Close()); err != nil {
		return nil, err
	}
	return results.Load(path)
}

// write writes a line for each workload.
func write(out io.Writer, t *results.Table, groups []run.Group, reference *schemes.Info) error {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "timers\tyours ns/timer\t%s ns/timer\tratio\t95 %% interval\treference against itself\t\n",
		reference.Name)
	for _, g := range groups {
		var keys []results.Key
		for _, s := range g.Subjects {
			keys = append(keys, results.ParseKey(results.LifetimeOp+"/"+run.Name(g.Spec, s)))
		}
		yours, err := t.Median(keys[0], results.NsPerOp)
		first, err1 := t.Median(keys[1], results.NsPerOp)
		ratio, err2 := t.Ratio(keys[0], keys[1], results.NsPerOp)
		twice, err3 := t.Ratio(keys[2], keys[1], results.NsPerOp)
		if err := errors.Join(err, err1, err2, err3); err != nil {
			return fmt.Errorf("%d timers: %w%s", g.Spec.N, err, why(t))
		}
		fmt.Fprintf(w, "%d\t%.0f\t%.0f\t%.2f\t%.2f to %.2f\t%.2f to %.2f\t\n", g.Spec.N, yours.Median, first.Median,
			ratio.Median, ratio.Lo, ratio.Hi, twice.Lo, twice.Hi)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\nOne timer from Start to its stop or expiry, with its share of the ticks; %d runs in "+
		"turns.\nA ratio above 1 means that yours is slower. What lies within the last column is noise.\n", rounds)
	return err
}

// why lists why cells were not measured.
func why(t *results.Table) string {
	var all []string
	for _, m := range t.Missing {
		all = append(all, "\n"+m.Key.Scheme+": "+m.Why)
	}
	return strings.Join(all, "")
}
