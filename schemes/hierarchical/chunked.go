package hierarchical

import (
	"fmt"
	"slices"

	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
	"timerlab/schemes/internal/store"
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
	slots, err := countSlots(radices(cfg))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if slots > chunk.MaxSlots {
		return nil, store.BadSlots(name, slots, chunk.MaxSlots)
	}
	levels := makeLevels(radices(cfg), cfg.Now)
	top := levels[len(levels)-1]
	m, err := chunk.New(name, cfg, int(top.head+top.radix), placement(levels), longest(cfg))
	if err != nil {
		return nil, err
	}
	w := &chunked{Module: m, levels: levels}
	w.findNext(w.here())
	return w, nil
}

// Start is the module's: it puts an entry with the deadline into the slot that the placement
// gives. O(1).

// Stop is the module's: it leaves the entry for the next Start or, if there are many such, takes it out of
// its slot. O(1).

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
	if w.Now > w.levels[0].last {
		moved = w.carry()
	}
	slot := w.here()
	if w.Occupied(slot) {
		moved += w.Arrive(slot)
	} else {
		w.Tally.EmptySlots++
	}
	w.findNext(slot)
	return moved
}

// here returns the slot of the lowest wheel for the present tick: counted back from that
// of the last tick of the block.
func (w *chunked) here() (slot uint32) {
	lowest := &w.levels[0]
	return lowest.head + lowest.digit(w.Now)
}

// findNext sets Upcoming after a tick on which the lowest wheel is at this slot: not after the
// next occupied one, nor after the tick on which it wraps; 0 at the end of the clock.
func (w *chunked) findNext(slot uint32) {
	w.Upcoming = w.Now + 1 + min(schemes.Tick(w.Ahead(slot)-1), w.levels[0].last-w.Now)
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

// Expire is the module's: it hands out the due list. O(1) a timer.
