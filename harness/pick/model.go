package pick

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"timerlab/harness/results"
	"timerlab/harness/run"
)

// CostModel predicts the ns of a timer's life on this machine. A nil model predicts nothing.
type CostModel struct {
	Schemes map[string][]UnitCosts `json:"schemes"` // by a scheme's name; ascending in bytes
}

// UnitCosts are the ns of each step at one working set of a scheme and the client's handles.
type UnitCosts struct {
	Bytes float64        `json:"bytes"`
	Steps Steps          `json:"steps"`
	Timed [numSteps]bool `json:"timed"` // whether some timing had enough of the step
	Error float64        `json:"error"` // median of |predicted/timed - 1| over the timings of the fit
}

// negligible is the number of steps in a life up to which a missing unit cost is ignored.
const negligible = 0.05

// Predict returns the ns of a timer's life, or false if a step that matters in it was not
// timed. Between two working sets unit costs are interpolated over the logarithm of the
// bytes; beyond the ends they are constant. O(levels · lives).
func (m *CostModel) Predict(c run.Subject, w Workload) (ns float64, ok bool) {
	if m == nil || len(m.Schemes[c.Info.Name]) == 0 {
		return 0, false
	}
	costs := m.at(c, w.N)
	for k, steps := range stepsOf(c, w) {
		if steps > negligible && !costs.Timed[k] {
			return 0, false
		}
		ns += steps * costs.Steps[k]
	}
	return ns, true
}

// at returns the unit costs of a candidate with n timers.
func (m *CostModel) at(c run.Subject, n int) (u UnitCosts) {
	u.Bytes = float64(memory(c, n) + int64(run.HandleBytes*n))
	known := m.Schemes[c.Info.Name]
	i, _ := slices.BinarySearchFunc(known, u.Bytes, func(u UnitCosts, b float64) int { return cmp.Compare(u.Bytes, b) })
	lo, hi := known[max(i-1, 0)], known[min(i, len(known)-1)]
	part := 0.0
	if hi.Bytes > lo.Bytes {
		part = math.Log(u.Bytes/lo.Bytes) / math.Log(hi.Bytes/lo.Bytes)
	}
	for k := range u.Steps {
		u.Steps[k] = lo.Steps[k] + part*(hi.Steps[k]-lo.Steps[k])
		u.Timed[k] = lo.Timed[k] && hi.Timed[k]
	}
	return u
}

const (
	// pruneRatio is the multiple of the least prediction above which a candidate does not
	// race: it takes two predictions that are off by a third, in opposite directions, to
	// be wrong by that.
	pruneRatio = 2

	// tailRatio is the same where ticks have a limit, which is not predicted: a slow
	// candidate may be the only one that keeps it.
	tailRatio = 10
)

// Prune divides candidates into those that may win, the cheapest by prediction first, and
// those that are predicted to be too slow. Without a prediction a candidate may win. If
// phases are fixed, all may, since predictions are means over all phases.
func (m *CostModel) Prune(all []run.Subject, w Workload, l Limits) (in []run.Subject, out []Rejected) {
	order, times := m.sorted(all, w)
	most := float64(pruneRatio)
	if l.Tail > 0 {
		most = tailRatio
	}
	for i, c := range order {
		if ns := times[i]; w.Script == nil && ns > most*times[0] && !math.IsInf(ns, 1) {
			why := fmt.Sprintf("predicted %s, %.2g times the least", results.FormatNanos(ns), ns/times[0])
			out = append(out, Rejected{c, why})
		} else {
			in = append(in, c)
		}
	}
	return in, out
}

// sorted returns candidates by their predictions; those without one come last, at infinity.
func (m *CostModel) sorted(all []run.Subject, w Workload) (order []run.Subject, times []float64) {
	predicted := make(map[string]float64, len(all))
	for _, c := range all {
		ns, ok := m.Predict(c, w)
		if !ok {
			ns = math.Inf(1)
		}
		predicted[c.String()] = ns
	}
	order = slices.Clone(all)
	slices.SortStableFunc(order, func(a, b run.Subject) int {
		return cmp.Compare(predicted[a.String()], predicted[b.String()])
	})
	for _, c := range order {
		times = append(times, predicted[c.String()])
	}
	return order, times
}

// unmeasuredMigrations returns the ns per life of the migrations that a run did not have, by
// the formula of their mean.
func (m *CostModel) unmeasuredMigrations(r Result, w Workload) float64 {
	if _, ok := m.Predict(r.Subject, w); !ok {
		return 0
	}
	missing := moves(r.Subject, w) - r.PerTimer.Migrations
	return max(0, missing) * m.at(r.Subject, w.N).Steps[stepMove]
}
