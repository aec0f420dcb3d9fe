package cost

import "math"

// Steps estimates the records that a scheme touches, from above: by a start, by
// a stop and by a tick. It tells whether a run is worth trying, not how long it
// takes.
type Steps struct{ Start, Tick float64 }

// Estimate returns the steps of scheme number 1 to 7 with n timers outstanding,
// rate starts a tick and M slots, from the paper's table of costs.
func Estimate(number, n, slots int, rate float64) Steps {
	size, m := float64(n), float64(slots)
	depth := math.Log2(size + 2)
	switch number {
	case 1:
		return Steps{1, 1 + size}
	case 2:
		return Steps{1 + size, 1 + rate}
	case 3:
		return Steps{depth, 1 + rate*depth}
	case 5:
		return Steps{1 + size/m, 1 + rate}
	case 6:
		return Steps{1, 1 + size/m + rate}
	default:
		return Steps{1, 1 + 3*rate}
	}
}
