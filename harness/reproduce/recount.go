package reproduce

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
)

// Recount says which exact counts of a table differ in another run, whose sink it is.
type Recount struct {
	First      *results.Table
	Counts     int      // compared
	Cells, All int      // whose counts were compared, and that have counts
	Differ     []string // the counts that differ
}

var errOtherOperations = errors.New("reproduce: other operations")

// Run runs the cells of a plan that have counts once each, fewest timers times lifetimes first, until ctx
// is done. It leaves out workloads whose operations differ from the table's.
func (r *Recount) Run(ctx context.Context, plan run.Plan, progress run.Progress) error {
	wanted := map[string]bool{}
	for _, k := range r.First.Keys {
		if r.counted(k) {
			r.All++
			k.Op = units.RunOf(k.Op)
			wanted[k.String()] = true
		}
	}
	cost := func(g run.Group) float64 { return float64(g.Spec.N) * g.Spec.Rate() * float64(g.Spec.Ticks) }
	groups := slices.Clone(plan.Groups)
	slices.SortStableFunc(groups, func(a, b run.Group) int { return cmp.Compare(cost(a), cost(b)) })
	for i, g := range groups {
		g.Subjects = slices.DeleteFunc(slices.Clone(g.Subjects), func(s run.Subject) bool {
			name := string(g.Mode) + "/" + run.Name(g.Spec, s)
			defer delete(wanted, name) // groups share cells
			return !wanted[name]
		})
		if len(g.Subjects) == 0 {
			continue
		}
		plan.Groups, plan.Rounds = []run.Group{g}, 1
		err := plan.Run(ctx, r, func(_, _ int, what string) { progress(i, len(groups), what) })
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && !errors.Is(err, errOtherOperations) {
			return err
		}
	}
	return nil
}

func (r *Recount) counted(k results.Key) bool {
	return slices.ContainsFunc(r.First.Units(k), r.First.Exact)
}

func (r *Recount) Stream(workload string, hash uint64) error {
	if r.First.OtherStream(workload, hash) {
		return errOtherOperations
	}
	return nil
}

func (r *Recount) Result(sample ...results.Result) error {
	for _, row := range sample {
		k := results.ParseKey(row.Name)
		if !r.counted(k) {
			continue
		}
		r.Cells++
		for _, unit := range units.ExactUnits {
			was, _ := r.First.Count(k, unit)
			now := row.Value(unit)
			if was != now {
				r.Differ = append(r.Differ, fmt.Sprintf("%s: %v %s, now %v", row.Name, was, unit, now))
			}
			if was != 0 || now != 0 {
				r.Counts++
			}
		}
	}
	return nil
}

func (r *Recount) Round(int) error                   { return nil }
func (r *Recount) Skip(string, results.Reason) error { return nil }
func (r *Recount) Fail(string, error) error          { return nil }
