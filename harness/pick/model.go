package pick

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// Steps are what a timer's life takes on average, by kind.
type Steps [numSteps]float64

type step int

const (
	stepExpire  step = iota // lives that expire: START, the visit that moves it to the due list, the hand-out
	stepStop                // lives that are stopped: START and STOP
	stepRestart             // lives that are restarted
	stepMove                // visits and moves between start and end: see moves
	stepTick                // ticks of the clock
	stepBatch               // ticks on which timers start or end, whose first touches of memory nothing hides
	stepSpread              // doublings by which the slots exceed the second-level cache
	numSteps
)

// stepNames name the steps in files.
var stepNames = []string{"expiries", "stops", "restarts", "moves", "ticks", "batches", "spread"}

// stepsOf returns the steps of a life, as means over all phases of the clock, by the formulas
// of package cost. O(levels · lives).
func stepsOf(c run.Subject, w Workload) Steps {
	const secondLevelCache = 1 << 20 // 0.5 to 2 MiB on today's server processors
	spread := math.Log2(float64(memory(c, 0)) / secondLevelCache)
	return Steps{
		stepExpire: w.Expired, stepStop: w.Stopped, stepRestart: w.Restarted, stepMove: moves(c, w),
		stepTick: 1 / w.Rate, stepBatch: batches(w.Rate), stepSpread: math.Max(0, spread),
	}
}

// batches returns, per life, the ticks on which one starts, if starts are random.
func batches(rate float64) float64 { return -math.Expm1(-rate) / rate }

// moves returns how often a timer is touched between its start and its end: counted down by
// scheme 6 before its last revolution, passed by the START of another in scheme 5, migrated
// by scheme 7. A tree's steps grow with log n and are part of its starts and stops.
func moves(c run.Subject, w Workload) float64 {
	switch {
	case c.Info.Kind == schemes.HashedWheel && c.Info.Sorted:
		return 1 + w.passed*float64(w.N)/float64(usedSlots(c, w))
	case c.Info.Kind == schemes.HashedWheel:
		return cost.Wasted6(w.Lives, c.Slots)
	case c.Info.Kind == schemes.Hierarchy:
		return cost.Migrations7(w.Lives, c.Levels)
	}
	return 0
}

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
// timed. O(levels · lives).
func (m *CostModel) Predict(c run.Subject, w Workload) (ns float64, ok bool) {
	if m == nil || len(m.Schemes[c.Info.Name]) == 0 {
		return 0, false
	}
	costs, steps := m.at(c, w.N), stepsOf(c, w)
	for k, timed := range costs.Timed {
		if steps[k] > negligible && !timed {
			return 0, false
		}
	}
	return steps.times(costs.Steps), true
}

// at returns the unit costs of a candidate with n timers. Between two working sets they are
// interpolated over the logarithm of the bytes; beyond the ends they are constant.
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
	predicted := make(map[string]float64, len(all))
	for _, c := range all {
		ns, ok := m.Predict(c, w)
		if !ok {
			ns = math.Inf(1)
		}
		predicted[c.String()] = ns
	}
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b run.Subject) int {
		return cmp.Compare(predicted[a.String()], predicted[b.String()])
	})
	most := float64(pruneRatio)
	if l.Tail > 0 {
		most = tailRatio
	}
	for _, c := range order {
		ns, least := predicted[c.String()], predicted[order[0].String()]
		if w.Script == nil && ns > most*least && !math.IsInf(ns, 1) {
			why := fmt.Sprintf("predicted %s, %.2g times the least", results.FormatNanos(ns), ns/least)
			out = append(out, Rejected{c, why})
		} else {
			in = append(in, c)
		}
	}
	return in, out
}
