package hierarchical

import (
	"math"

	"timerlab/schemes"
)

// Restart moves the timer to its new slot. O(m).
func (w *wheels) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if w.rules != nil {
		return w.restartByRule(h, interval)
	}
	deadline := w.Now + interval
	i, r, err := w.Renew(h, interval, w.longest, uint64(deadline))
	if err != nil {
		return 0, err
	}
	return w.Enter(w.place(deadline), i, r), nil
}

// Next looks on each level for the first occupied slot, and at the timers of those slots
// that may hold the earliest: by digits that is one slot. O(m + M/64 + timers looked
// at).
func (w *wheels) Next() (wait schemes.Tick, ok bool) {
	if w.AnyDue() {
		return 0, true
	}
	first, ok := w.earliest(math.MaxUint64)
	return first - w.Now, ok
}

// earliest returns the earliest deadline, if it is not after the tick end; else end and
// false. It looks at no slot that begins after the earliest found. Of a level only the
// first occupied slot matters: the others begin when the timers in it have expired.
func (w *wheels) earliest(end schemes.Tick) (first schemes.Tick, ok bool) {
	first = end
	for l := range w.levels {
		v := &w.levels[l]
		ahead, found := v.next(&w.Bitmap, w.Now, 1)
		if !found || v.begin(w.Now, ahead) > first {
			continue
		}
		if deadline := schemes.Tick(w.Least(v.slot(w.Now, ahead))); deadline <= first {
			first, ok = deadline, true
		}
	}
	return first, ok
}

// Advance goes to the lowest wheel's next occupied slot in its present revolution, or else
// as far as leap does. O(M/64 + timers due) in the first case; in the second O(m + M/64),
// and O(m) for each timer that migrates.
func (w *wheels) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = w.Limit(max, w.AnyDue()); passed == 0 {
		return 0, 0
	}
	v := &w.levels[0]
	here, end := v.head+v.pointer, v.head+v.radix
	left := schemes.Tick(end - here - 1) // ticks of the revolution
	if passed <= left {
		end = here + uint32(passed) + 1
	}
	slot := w.NextOccupied(here+1, end)
	switch {
	case slot < end:
		passed = schemes.Tick(slot - here)
		w.Now += passed
		v.pointer += uint32(passed)
		return passed, w.MoveDue(slot, slot)
	case passed <= left:
		w.Now += passed
		v.pointer += uint32(passed)
		return passed, 0
	}
	return w.leap(passed)
}

// leap passes `most` ticks, or those to the earliest deadline. A slot that begins on the way
// is the first occupied one of its level, and the leap ends in it. Its timers migrate from
// there to the places given by the digits of the new time, once however many levels they
// skip.
func (w *wheels) leap(most schemes.Tick) (passed schemes.Tick, due int) {
	before := w.Now
	w.Now, _ = w.earliest(before + most)
	moved := 0 // levels, from the lowest, whose pointers moved
	for ; moved < len(w.levels); moved++ {
		v := &w.levels[moved]
		if v.floor(before) == v.floor(w.Now) {
			break
		}
		*v = newLevel(v.weight, v.radix, v.head, w.Now)
	}
	for l := moved - 1; l >= 0; l-- {
		if slot := w.levels[l].head + w.levels[l].pointer; w.Occupied(slot) {
			due += w.migrate(slot)
		}
	}
	return w.Now - before, due
}
