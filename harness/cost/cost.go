// Package cost holds the paper's cost formulas, and the refined ones, each defined once. Costs are in the paper's
// terms: counts of elementary steps per timer or per tick, and c6 and c7, what scheme 6 pays for a visit and scheme 7
// for a migration, in whatever unit they are given.
//
// A workload enters as its lives: the kinds of lifetime that its timers have,
// with their shares (workload.Spec.Lives). Every formula assumes that the clock
// stands at a random phase of the wheels when a timer starts.
package cost

import (
	"math"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Weight returns the share of timers that some lives are of.
func Weight(lives []workload.Life) (share float64) {
	for _, l := range lives {
		share += l.Share
	}
	return share
}

// Beyond returns the lives whose intervals are longer than this number of ticks.
func Beyond(lives []workload.Life, ticks schemes.Tick) []workload.Life {
	return slices.DeleteFunc(slices.Clone(lives), func(l workload.Life) bool { return l.Interval <= ticks })
}

// PaperPerTick returns the paper's mean cost of a tick of scheme 6 in VAX instructions, 4 + 15 n/M (section 7): 4 for
// the tick, and for each of n/M timers 6 for the visit and 9 for an expiry, if all expire within one scan. It is no
// upper bound: where intervals are below M, more than n/M expire a tick.
func PaperPerTick(n, slots int) float64 { return 4 + 15*float64(n)/float64(slots) }

// PerTick6 returns the cost of a tick of scheme 6 in the paper's instructions without that assumption: 4 + 6 visits +
// 9 expiries, with n/T timers starting a tick (Little's law).
func PerTick6(n, slots int, lives []workload.Life) float64 {
	w := workload.NumbersOf(n, lives)
	return 4 + float64(n)/w.MeanStay*(6*Visits6(lives, slots)+9*w.Expired)
}

// Steps estimates the records that a scheme touches, from above: by a start or a
// stop, and by a tick. It says whether a run is worth trying, not how long it takes.
type Steps struct{ Start, Tick float64 }

// Estimate returns the steps of a scheme with n timers outstanding, rate starts a tick and M slots, from the paper's
// table of costs. A scheme of an unknown kind is assumed to do as little as any.
func Estimate(info *schemes.Info, n, slots int, rate float64) Steps {
	size, m := float64(n), float64(slots)
	depth := math.Log2(size + 2)
	switch {
	case info.Kind == schemes.List && info.Sorted:
		return Steps{1 + size, 1 + rate}
	case info.Kind == schemes.List:
		return Steps{1, 1 + size}
	case info.Kind == schemes.Tree:
		return Steps{depth, 1 + rate*depth}
	case info.Kind == schemes.HashedWheel && info.Sorted:
		return Steps{1 + size/m, 1 + rate}
	case info.Kind == schemes.HashedWheel:
		return Steps{1, 1 + size/m + rate}
	}
	return Steps{1, 1 + 3*rate}
}
