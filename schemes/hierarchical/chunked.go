package hierarchical

import (
	"fmt"
	"math"
	"slices"

	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
)

// Chunked describes scheme 7 with arrays for slots.
var Chunked = describeChunked()

func describeChunked() schemes.Info {
	v := Info
	v.Name += "-chunked"
	v.Title = "Hierarchical wheels, chunked slots"
	v.New = newChunked
	v.Bytes = func(n int, cfg schemes.Config) int64 {
		slots, err := countSlots(radices(cfg))
		if err != nil {
			return 0
		}
		return chunk.Bytes(n, cfg, slots, slices.Max(radices(cfg)))
	}
	return v
}

// chunked is the module of scheme 7 with chunked slots. Invariant: an entry is in
// the slot that place returns for the tick at which it comes up, and no slot comes up
// before Upcoming.
type chunked struct {
	chunk.Module
	levels []level // lowest first; the lowest one's pointer is not kept up
}

func newChunked(cfg schemes.Config) (schemes.Scheme, error) {
	const name = "hierarchical-chunked"
	if _, err := countSlots(radices(cfg)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	levels := makeLevels(radices(cfg), cfg.Now)
	top := levels[len(levels)-1]
	m, err := chunk.New(name, cfg, int(top.head+top.radix), placement(levels), longest(cfg))
	if err != nil {
		return nil, err
	}
	w := &chunked{Module: m, levels: levels}
	w.findNext()
	return w, nil
}

// PerTick moves the timers of the lowest wheel's next slot to the due list, and migrates
// the entries of the slots that upper wheels reach. O(1 + timers due), and when the lowest
// wheel wraps O(m), with O(1) for each entry that migrates.
func (w *chunked) PerTick() int {
	if w.Now+1 < w.Upcoming {
		w.Now++
		w.Tally.EmptySlots++
		return 0
	}
	return w.tick()
}

// tick is PerTick where there is work.
func (w *chunked) tick() (moved int) {
	if w.Ended() {
		return 0
	}
	w.Now++
	lowest := &w.levels[0]
	if w.Now > lowest.last {
		moved = w.carry()
	}
	slot := lowest.head + lowest.digit(w.Now)
	if w.Occupied(slot) {
		moved += w.Arrive(slot, lowest.head+lowest.radix-1)
	} else {
		w.Tally.EmptySlots++
	}
	w.Clean(moved)
	w.findNext()
	return moved
}

// findNext sets Upcoming to the next occupied slot of the lowest wheel, or to the tick on
// which it wraps.
func (w *chunked) findNext() {
	lowest := &w.levels[0]
	at := lowest.head + lowest.digit(w.Now)
	w.Upcoming = lowest.last
	switch {
	case w.Ended():
		w.Upcoming = 0
	case w.Upcoming < math.MaxUint64:
		w.Upcoming++
	}
	if slot := w.NextOccupied(at+1, lowest.head+lowest.radix); slot < lowest.head+lowest.radix {
		w.Upcoming = w.Now + schemes.Tick(slot-at)
	}
}

// carry moves on the wheels above the lowest, which has wrapped: all pointers first, then
// the entries, so that each finds its place by the new time. It returns how many timers
// were due at once.
func (w *chunked) carry() (moved int) {
	top := turn(w.levels, w.Now)
	for l := top; l > 0; l-- {
		v := &w.levels[l]
		if slot := v.head + v.pointer; w.Occupied(slot) {
			moved += w.Migrate(slot, v.weight > 1<<32)
		}
	}
	return moved
}

// Next scans the slots in the order in which the pointers reach them, until no slot can hold
// an earlier timer. O(entries in them + M/64).
func (w *chunked) Next() (wait schemes.Tick, ok bool) {
	if w.Due() > 0 {
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

// Advance steps from one occupied slot to the next, on whichever level. O(m + M/4096)
// for each of them.
func (w *chunked) Advance(most schemes.Tick) (passed schemes.Tick, due int) {
	most = w.Limit(most, w.Due() > 0)
	for passed < most && due == 0 {
		wait, ok := nextEvent(w.levels, &w.Bitmap, w.Now)
		if !ok || wait > most-passed {
			w.pass(most - passed)
			return most, 0
		}
		passed += wait
		w.pass(wait - 1)
		due = w.tick()
	}
	return passed, due
}

// pass advances the clock over ticks on which no pointer reaches an occupied slot.
func (w *chunked) pass(ticks schemes.Tick) {
	w.Now += ticks
	if w.Now > w.levels[0].last {
		for l := range w.levels {
			v := &w.levels[l]
			*v = newLevel(v.weight, v.radix, v.head, w.Now)
		}
	}
	w.findNext()
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
