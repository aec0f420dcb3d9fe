package hashunsorted

import (
	"math"

	"timerlab/schemes"
)

// Next looks at the timers of the occupied slots, as far as one may be the first.
// O(M/64 + n).
func (w *wheel) Next() (wait schemes.Tick, ok bool) {
	if w.AnyDue() {
		return 0, true
	}
	return w.Earliest(math.MaxUint64, func(head uint32, ahead schemes.Tick) (schemes.Tick, bool) {
		return ahead + schemes.Tick(w.Least(head)-1)*w.Slots(), true
	})
}

// Advance goes from one occupied slot to the next and takes a round off its
// timers, for one time round at most; then it knows that nothing is due for some
// rounds and takes all of these off every timer at once. O(M/64 + n).
func (w *wheel) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	most, seen := w.MaxAdvance(max), schemes.Tick(0)
	for passed < most {
		if seen >= w.Slots() {
			passed += w.skip((most - passed) / w.Slots())
			seen = 0
		}
		d, ok := w.Ahead(1, most-passed)
		if !ok {
			w.TurnBy(most - passed)
			return most, 0
		}
		passed, seen = passed+d, seen+d
		if due = w.Countdown(w.TurnBy(d)); due > 0 {
			return passed, due
		}
	}
	return passed, 0
}

// skip passes so many whole rounds, or fewer, that no timer has its last one, and
// returns the ticks. O(M/64 + n).
func (w *wheel) skip(rounds schemes.Tick) schemes.Tick {
	least := uint64(rounds) + 1
	for d, ok := w.Ahead(1, w.Slots()); ok; d, ok = w.Ahead(d+1, w.Slots()) {
		least = min(least, w.Least(w.SlotAhead(d)))
	}
	if least == 1 {
		return 0
	}
	visits := 0
	for d, ok := w.Ahead(1, w.Slots()); ok; d, ok = w.Ahead(d+1, w.Slots()) {
		visits += w.Lower(w.SlotAhead(d), least-1)
	}
	w.Tally.Visits += uint64(visits)
	ticks := schemes.Tick(least-1) * w.Slots()
	w.Now += ticks
	return ticks
}
