package cost

import "timerlab/schemes"

// Errors of scheme 7 without migrations, in ticks, for one interval: the worst over all clocks. A timer waits on one level until it is due there,
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

// WorstTruncation returns the largest part of an interval that is lost if intervals are truncated to multiples of
// their level's weight: (w-1)/(2w-1), which grows with w.
func WorstTruncation(radices []int) float64 {
	ws := weights(radices)
	w := ws[len(ws)-1]
	return float64(w-1) / float64(2*w-1)
}
