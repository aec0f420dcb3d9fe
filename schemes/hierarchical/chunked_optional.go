package hierarchical

import (
	"fmt"

	"timerlab/schemes"
)

// Next scans the slots in the order in which the pointers reach them, until no slot can hold
// an earlier timer. O(entries in them + M/64).
func (w *chunked) Next() (wait schemes.Tick, ok bool) {
	if w.AnyDue() {
		return 0, true
	}
	first := schemes.Tick(0)
	for l := range w.levels {
		v := &w.levels[l]
		for ahead, found := v.next(&w.Bitmap, w.Now, 1); found; ahead, found = v.next(&w.Bitmap, w.Now, ahead+1) {
			if ok && v.begin(w.Now, ahead) >= first {
				break
			}
			if deadline, found := w.First(v.slot(w.Now, ahead)); found && (!ok || deadline < first) {
				first, ok = deadline, true
			}
		}
	}
	if !ok {
		return 0, false
	}
	return first - w.Now, true
}

// Advance steps from one occupied slot to the next, on whichever level, and on to the first tick
// on which an entry of that slot comes up. Its entries migrate from there to the places given by
// the digits of the new time, once however many levels they skip. O(m + M/64 + entries of the
// slot) for each step.
func (w *chunked) Advance(most schemes.Tick) (passed schemes.Tick, due int) {
	begin := w.Now
	end := w.Now + w.Limit(most, w.AnyDue())
	for w.Now < end && due == 0 {
		v, ahead := w.nextSlot()
		if v == nil || v.begin(w.Now, ahead) > end {
			w.pass(end)
			break
		}
		first, slot := v.begin(w.Now, ahead), v.slot(w.Now, ahead)
		if v.weight == 1 || v.weight > 1<<32 { // a low word does not name a tick of a longer slot
			w.pass(first - 1)
			due = w.tick()
			continue
		}
		w.pass(min(w.WakesAt(slot, first), end))
		due = w.Migrate(slot, false)
	}
	w.findNext(w.here())
	return w.Now - begin, due
}

// nextSlot returns the level of the next occupied slot that a pointer reaches, and how many slots
// ahead of the pointer it is; nil if all are empty. See nextEvent.
func (w *chunked) nextSlot() (*level, uint32) {
	for l := range w.levels {
		if ahead, ok := w.levels[l].next(&w.Bitmap, w.Now, 1); ok {
			return &w.levels[l], ahead
		}
	}
	return nil, 0
}

// pass sets the clock to a tick before which no pointer reaches an occupied slot. Upcoming is
// that of before.
func (w *chunked) pass(to schemes.Tick) {
	w.Now = to
	for l := range w.levels {
		v := &w.levels[l]
		inBlock := w.Now <= v.last
		if l > 0 || !inBlock {
			*v = newLevel(v.weight, v.radix, v.head, w.Now)
		}
		if inBlock {
			break
		}
	}
}

// NextEvent looks for the next slot, of any level, that a pointer reaches and that is occupied.
// O(m + M/64).
func (w *chunked) NextEvent() (wait schemes.Tick, ok bool) {
	if w.Len() == 0 || w.AnyDue() {
		return 0, w.AnyDue()
	}
	return nextEvent(w.levels, &w.Bitmap, w.Now)
}

// Check verifies the wheels. O(n + M).
func (w *chunked) Check() error {
	for l := range w.levels {
		v := w.levels[l]
		if l == 0 {
			v.pointer = v.digit(w.Now) // which is not maintained
		}
		if err := v.check(w.Now); err != nil {
			return fmt.Errorf("%s: level %d: %w", w.Name, l, err)
		}
	}
	if wait, ok := nextEvent(w.levels, &w.Bitmap, w.Now); ok && w.Now+wait < w.Upcoming {
		return fmt.Errorf("%s: next is %d, but a slot comes up at %d", w.Name, w.Upcoming, w.Now+wait)
	}
	return w.CheckStore(func(t schemes.Tick) uint32 { return place(w.levels, t) })
}

// View yields the timers level by level and slot by slot. O(n + M).
func (w *chunked) View(yield func(schemes.Place) bool) { w.Module.View(w.levelOf)(yield) }

// levelOf returns the level of a slot, and its number there.
func (w *chunked) levelOf(slot uint32) (level, number int) {
	for slot >= w.levels[level].head+w.levels[level].radix {
		level++
	}
	return level, int(slot - w.levels[level].head)
}

// String draws the wheels, the highest first.
func (w *chunked) String() string { return w.Draw(drawn(w.levels, w.Now), w.levelOf) }
