package cost

import (
	"math"

	"timerlab/schemes"
)

// Steps estimates the records that a scheme touches, from above: by a start or a
// stop, and by a tick. It says whether a run is worth trying, not how long it takes.
type Steps struct{ Start, Tick float64 }

// Estimate returns the steps of a scheme with n timers outstanding, rate starts a
// tick and M slots, from the paper's table of costs. A scheme of an unknown kind is
// assumed to do as little as any.
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
