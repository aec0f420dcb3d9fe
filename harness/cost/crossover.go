package cost

import (
	"math"

	"timerlab/schemes"
)

// Winner is the scheme that a rule names, 6 or 7.
type Winner int

// Cheaper names the scheme with the lower cost; 6 if they are equal.
func Cheaper(cost6, cost7 float64) Winner {
	if cost6 <= cost7 {
		return 6
	}
	return 7
}

// PaperCrossover returns the T at which the paper's expressions for a timer that stays T,
// c6 T/M of scheme 6 and at most c7 m of scheme 7, are equal (section 6.2): T* = m M c7/c6.
// ratio is c7/c6.
func PaperCrossover(ratio float64, slots, levels int) float64 {
	return ratio * float64(levels) * float64(slots)
}

// PaperBound returns what the paper's two expressions decide. That of scheme 7 is a bound from above,
// so where it is below that of scheme 6 it names 7; elsewhere it names none, 0.
func PaperBound(ratio, meanStay float64, slots, levels int) Winner {
	if meanStay > PaperCrossover(ratio, slots, levels) {
		return 7
	}
	return 0
}

// Crossover returns the largest T, in ticks, at which excess is still at most 0
// before it stays above 0 up to longest; NaN if it never is, or if it is at
// longest. excess is what scheme 6 pays more than scheme 7 at a T. It scans T in
// steps of 10 percent and then bisects, so a return to 0 within such a step is not
// seen.
func Crossover(excess func(T schemes.Tick) float64, longest schemes.Tick) float64 {
	const step = 1.1
	if excess(longest) <= 0 {
		return math.NaN()
	}
	below, above := longest, longest
	for excess(below) > 0 {
		above = below
		if below = min(schemes.Tick(float64(above)/step), above-1); below < 1 {
			return math.NaN()
		}
	}
	for above-below > 1 {
		if mid := below + (above-below)/2; excess(mid) <= 0 {
			below = mid
		} else {
			above = mid
		}
	}
	return float64(below)
}
