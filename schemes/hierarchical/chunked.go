package hierarchical

import (
	"fmt"
	"slices"

	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
	"timerlab/schemes/internal/store"
)

// Chunked describes scheme 7 with arrays for slots.
var Chunked = variant("chunked", "Hierarchical wheels, chunked slots", newChunked, slotsOf, chunkedBytes)

// chunkedBytes returns what chunked wheels with these slots hold while most of n timers wait on the widest level,
// in the slots of one revolution.
func chunkedBytes(n int, cfg schemes.Config, slots int) int64 {
	return chunk.Bytes(n, cfg, slots, slices.Max(reached(cfg)))
}

// chunked is the module of scheme 7 with chunked slots. Invariant: an entry is in
// the slot that slotOf returns for the tick at which it comes up, and no slot comes up
// before Upcoming.
type chunked struct {
	chunk.Module
	levels []level // lowest first
}

func newChunked(name string, cfg schemes.Config) (schemes.Scheme, error) {
	slots, err := total(cfg, reached(cfg))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	levels := makeLevels(reached(cfg), reached(cfg), cfg.Now)
	search := func(t schemes.Tick) uint32 { return slotOf(levels, t) }
	m, err := chunk.New(name, cfg, 1, slots, tableOf(levels), search, longest(cfg))
	if err != nil {
		return nil, err
	}
	w := &chunked{Module: m, levels: levels}
	w.Drawn = func() []store.Slots { return drawn(levels, w.Now) }
	w.findNext(w.here())
	return w, nil
}

// digits returns the part of a tick that numbers the level's slots, for chunk's tables.
func (v *level) digits() chunk.Digit {
	return chunk.Digit{Shift: v.shift, Mask: v.mask, First: v.first}
}

// tableOf returns slotOf as a table, or nil unless all radices are powers of two.
func tableOf(levels []level) *chunk.Table {
	if !powersOfTwo(levels) {
		return nil
	}
	var t chunk.Table
	for length := range t {
		t[length] = levels[levelOf(levels, max(length, 1))].digits()
	}
	return &t
}

// Start is the module's: it puts an entry with the deadline into its slot. O(1) with a table, else
// O(m).

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
	return lowest.first + lowest.digit(w.Now)
}

// findNext sets Upcoming after a tick on which the lowest wheel is at this slot: not after the
// next occupied one, nor after the tick on which it wraps; 0 at the end of the store.
func (w *chunked) findNext(slot uint32) {
	w.Upcoming = w.Now + 1 + min(schemes.Tick(w.Ahead(slot)-1), w.levels[0].last-w.Now)
}

// carry moves on the wheels above the lowest, which has wrapped: all pointers first, then
// the entries, so that each finds its slot by the new time. It returns how many timers
// were due at once.
func (w *chunked) carry() (moved int) {
	top := turn(w.levels, w.Now)
	for l := top; l > 0; l-- {
		v := &w.levels[l]
		if slot := v.first + v.digit(w.Now); w.Occupied(slot) {
			moved += w.Migrate(slot, v.weight > 1<<32)
		}
	}
	return moved
}

// Expire is the module's: it hands out the due list. O(1) a timer.

// Advance steps from one occupied slot to the next, on whichever level, and on to the first tick
// on which an entry of that slot comes up. Its entries migrate from there to their
// slots by the new time, once however many levels they skip. O(m + M/64 + entries of the
// slot) for each step.
func (w *chunked) Advance(most schemes.Tick) (passed schemes.Tick, due int) {
	begin := w.Now
	end := w.Now + w.Limit(most, w.AnyDue())
	for w.Now < end && due == 0 {
		var v *level // of the next occupied slot that a pointer reaches; nil if all are empty, see nextEvent
		var ahead uint32
		for l := 0; l < len(w.levels) && v == nil; l++ {
			if at, ok := w.levels[l].next(&w.Bitmap, w.Now, 1); ok {
				v, ahead = &w.levels[l], at
			}
		}
		if v == nil || v.begin(w.Now, ahead) > end {
			w.pass(end)
			break
		}
		first, slot := v.begin(w.Now, ahead), v.slotAhead(w.Now, ahead)
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

// pass sets the clock to a tick before which no pointer reaches an occupied slot. It leaves Upcoming as it was.
func (w *chunked) pass(to schemes.Tick) {
	w.Now = to
	turn(w.levels, to)
}

// Skim is the module's Skim of the slot of a later tick; it returns -1 if the lowest wheel wraps before. Services use it to
// look at timers before they are due.
func (w *chunked) Skim(ahead schemes.Tick, most int, later func(schemes.ID) (interval schemes.Tick)) (seen int) {
	lowest := &w.levels[0]
	if ahead > lowest.last-w.Now {
		return -1
	}
	return w.Module.Skim(lowest.first+lowest.digit(w.Now+ahead), most, later)
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
	if err := checkLevels(w.levels, w.Now); err != nil {
		return fmt.Errorf("%s: %w", w.Name, err)
	}
	if wait, ok := nextEvent(w.levels, &w.Bitmap, w.Now); ok && w.Now+wait < w.Upcoming {
		return fmt.Errorf("%s: next is %d, but a slot comes up at %d", w.Name, w.Upcoming, w.Now+wait)
	}
	return w.CheckStore()
}
