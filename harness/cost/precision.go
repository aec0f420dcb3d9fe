package cost

import "timerlab/schemes"

// Errors of scheme 7 without migrations, in ticks, for one interval: the mean size
// over all clocks, and the worst. A timer waits on one level until it is due there,
// so its expiry is rounded to a multiple of that level's weight w, the ticks that a
// slot lasts. Except for MeanDigit and WorstDigit the level depends on the interval.

// Rounding returns how early and how late a deadline is at most if it is rounded to a
// multiple of w.
type Rounding func(w schemes.Tick) (early, late schemes.Tick)

// To the nearest multiple, up, and down.
var (
	Nearest Rounding = func(w schemes.Tick) (early, late schemes.Tick) { return (w - 1) / 2, w / 2 }
	Up      Rounding = func(w schemes.Tick) (early, late schemes.Tick) { return 0, w - 1 }
	Down    Rounding = func(w schemes.Tick) (early, late schemes.Tick) { return w - 1, 0 }
)

// Worst is for the lowest level that takes the interval: whose slots last as long, less
// what rounding may add to the deadline.
func (r Rounding) Worst(interval schemes.Tick, radices []int) (early, late schemes.Tick) {
	for l, w := range weights(radices) {
		early, late = r(w)
		if interval <= w*schemes.Tick(radices[l])-late {
			break
		}
	}
	return early, late
}

// Mean is over the errors from early to late, which are equally likely.
func (r Rounding) Mean(interval schemes.Tick, radices []int) float64 {
	early, late := r.Worst(interval, radices)
	e, l := float64(early), float64(late)
	return (e*(e+1) + l*(l+1)) / 2 / (e + l + 1)
}

// MeanDigit is for expiries rounded down on the level of the highest digit in which
// they differ from the clock. With r(l) the expiry modulo w(l), that is the highest
// l with r(l) < J, since a multiple of w(l) then lies between start and expiry; the
// timer is r(l) ticks early. r(l+1) is uniform, and must be J or more; that every
// higher r is then J or more follows. O(J) for intervals up to the highest weight.
func MeanDigit(interval schemes.Tick, radices []int) float64 {
	ws := weights(radices)
	sum := 0.0
	for l := len(ws) - 1; l > 0; l-- {
		w := ws[l]
		if l == len(ws)-1 {
			r := float64(min(interval, w))
			sum += r * (r - 1) / 2 / float64(w)
			continue
		}
		above := ws[l+1]
		if interval >= above {
			break // a higher level is always reached
		}
		for r := schemes.Tick(1); r < min(interval, w); r++ {
			// r(l+1) from J to above-1 that are r modulo w
			fits := (above-1-r)/w - (interval-1-r)/w
			sum += float64(r) * float64(fits) / float64(above)
		}
	}
	return sum
}

// WorstDigit is never late, and early by all but one tick of the interval, up to
// one tick less than the highest weight.
func WorstDigit(interval schemes.Tick, radices []int) (early, late schemes.Tick) {
	ws := weights(radices)
	return min(interval, ws[len(ws)-1]) - 1, 0
}

// WorstTruncation returns the largest part of an interval that is lost if intervals
// are truncated to multiples of their level's weight: (w-1)/(2w-1).
func WorstTruncation(radices []int) float64 {
	worst := 0.0
	for _, w := range weights(radices) {
		worst = max(worst, float64(w-1)/float64(2*w-1))
	}
	return worst
}
