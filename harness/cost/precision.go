package cost

import "timerlab/schemes"

// Errors of scheme 7 without migrations, in ticks, for one interval: the mean size
// over all clocks, and the worst. A timer waits on one level until it is due there,
// so its expiry is rounded to a multiple of that level's weight w, the ticks that a slot lasts.

// Rounding returns how early and how late a deadline is at most if it is rounded to a
// multiple of w.
type Rounding func(w schemes.Tick) (early, late schemes.Tick)

// To the nearest multiple, up, and down.
var (
	Nearest Rounding = func(w schemes.Tick) (early, late schemes.Tick) { return (w - 1) / 2, w / 2 }
	Up      Rounding = func(w schemes.Tick) (early, late schemes.Tick) { return 0, w - 1 }
	Down    Rounding = func(w schemes.Tick) (early, late schemes.Tick) { return w - 1, 0 }
)

// Form is a form of scheme 7 without migrations, or with one: how it chooses a timer's level, and how it rounds the
// expiry there.
type Form struct {
	Rounding
	// ByDigit chooses the level of the highest digit in which the expiry differs from the clock. Else it is the lowest
	// that takes the interval: whose slots last as long, less what rounding may add to the deadline.
	ByDigit bool
	Once    bool // one migration, to the level below: the expiry is rounded to a multiple of that level's weight
}

// Due returns when a timer is due that starts at a tick.
func (f Form) Due(start, interval schemes.Tick, radices []int) schemes.Tick {
	expiry, to, below, late := start+interval, schemes.Tick(1), schemes.Tick(1), schemes.Tick(0)
	for l, w := range weights(radices) {
		if !f.ByDigit || start/w != expiry/w {
			to = w
			if f.Once {
				to = below
			}
			_, late = f.Rounding(to)
		}
		if below = w; !f.ByDigit && interval <= w*schemes.Tick(radices[l])-late {
			break
		}
	}
	return (expiry + late) / to * to
}

// Worst returns the worst errors without migrations. By the digit they are of rounding down: never late, and early by
// all but one tick of the interval, up to one tick less than the highest weight.
func (f Form) Worst(interval schemes.Tick, radices []int) (early, late schemes.Tick) {
	ws := weights(radices)
	if f.ByDigit {
		return min(interval, ws[len(ws)-1]) - 1, 0
	}
	for l, w := range ws {
		early, late = f.Rounding(w)
		if interval <= w*schemes.Tick(radices[l])-late {
			break
		}
	}
	return early, late
}

// Mean returns the mean size of the error without migrations, over the errors from early to late, which are equally
// likely; by the digit, that of rounding down.
func (f Form) Mean(interval schemes.Tick, radices []int) float64 {
	if f.ByDigit {
		return meanDigit(interval, weights(radices))
	}
	early, late := f.Worst(interval, radices)
	e, l := float64(early), float64(late)
	return (e*(e+1) + l*(l+1)) / 2 / (e + l + 1)
}

// meanDigit is for expiries rounded down on the level of the highest digit in which
// they differ from the clock. With r(l) the expiry modulo w(l), that is the highest
// l with r(l) < J, since a multiple of w(l) then lies between start and expiry; the
// timer is r(l) ticks early. r(l+1) is uniform, and must be J or more; that every
// higher r is then J or more follows. O(J) for intervals up to the highest weight.
func meanDigit(interval schemes.Tick, ws []schemes.Tick) (sum float64) {
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

// WorstTruncation returns the largest part of an interval that is lost if intervals are truncated to multiples of
// their level's weight: (w-1)/(2w-1), which grows with w.
func WorstTruncation(radices []int) float64 {
	ws := weights(radices)
	w := ws[len(ws)-1]
	return float64(w-1) / float64(2*w-1)
}
