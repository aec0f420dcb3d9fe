package hierarchical

import (
	"fmt"
	"math"
	"math/bits"

	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
)

// Chunked describes scheme 7 with arrays for slots.
var Chunked = schemes.Info{
	Number: 7,
	Name:   "hierarchical-chunked",
	Title:  "Hierarchical wheels, chunked slots",
	Doc:    Info.Doc,
	New:    newChunked,
	Range:  longest,
}

// chunked is the module of scheme 7 with chunked slots. Invariant: an entry is in
// the slot that place gives for the tick at which it comes up, and no entry of the
// lowest wheel does before next.
type chunked struct {
	chunk.Module
	next    schemes.Tick // the next tick on which there is something to do
	levels  []level      // lowest first; the lowest one's pointer is not kept up
	longest schemes.Tick
	digits  [65]digit // where an expiry waits, by the bits in which it differs from the clock
	binary  bool      // all radices are powers of two, so that digits serve
}

// digit is where a level's digit is in a tick, and the level's slots.
type digit struct {
	shift uint8
	mask  uint32
	head  uint32
}

func newChunked(cfg schemes.Config) (schemes.Scheme, error) {
	const name = "hierarchical-chunked"
	if _, err := countSlots(radices(cfg)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	levels := makeLevels(radices(cfg), cfg.Now)
	top := levels[len(levels)-1]
	m, err := chunk.New(name, cfg, int(top.head+top.radix))
	if err != nil {
		return nil, err
	}
	w := &chunked{Module: m, levels: levels, longest: longest(cfg)}
	w.findDigits()
	w.findNext()
	return w, nil
}

// findDigits tells for every number of bits in which an expiry differs from the
// clock on which level it waits.
func (w *chunked) findDigits() {
	w.binary = true
	l := 0
	for length := range w.digits {
		for l < len(w.levels)-1 && length > int(w.levels[l].shift)+bits.TrailingZeros32(w.levels[l].radix) {
			l++
		}
		v := &w.levels[l]
		w.digits[length] = digit{uint8(max(v.shift, 0)), v.radix - 1, v.head}
		w.binary = w.binary && v.shift >= 0
	}
}

// place returns the slot of an expiry. O(1) for powers of two, else O(m).
func (w *chunked) place(expiry schemes.Tick) uint32 {
	if w.binary {
		d := &w.digits[bits.Len64(uint64(expiry^w.Now))]
		return d.head + uint32(expiry>>(d.shift&63))&d.mask
	}
	return place(w.levels, expiry)
}

// Start puts an entry into the slot, unless one of an earlier timer will do. O(1)
// for powers of two, else O(m).
func (w *chunked) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	i, h, enter, err := w.Begin(interval, w.longest, id)
	if enter {
		w.enter(i, w.Now+interval)
	}
	return h, err
}

// Restart is a write if the timer now expires later, else an entry more.
func (w *chunked) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, h, enter, err := w.Again(h, interval, w.longest)
	if enter {
		w.enter(i, w.Now+interval)
	}
	return h, err
}

func (w *chunked) enter(i uint32, expiry schemes.Tick) {
	w.next = min(w.next, expiry)
	w.Enter(w.place(expiry), i, expiry)
}

// Stop forgets the timer and leaves its entry. O(1).
func (w *chunked) Stop(h schemes.Handle) bool { return w.Module.Stop(h) }

// PerTick moves the timers of the lowest wheel's next slot to the due list, and
// migrates the entries of the slots that upper wheels come to. O(1 + timers due),
// and when the lowest wheel comes round O(m), with O(1) for each entry that
// migrates.
func (w *chunked) PerTick() int {
	if w.Now+1 < w.next {
		w.Now++
		w.Tally.EmptySlots++
		return 0
	}
	return w.tick()
}

// Expire hands out the due timers. O(1) each.
func (w *chunked) Expire(action func(schemes.ID)) { w.Module.Expire(action) }

// tick is PerTick where there is something to do.
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
	if w.Has(slot) {
		moved += w.arrive(slot)
	} else {
		w.Tally.EmptySlots++
	}
	w.findNext()
	return moved
}

// findNext finds the next occupied slot of the lowest wheel, or its next time
// round.
func (w *chunked) findNext() {
	lowest := &w.levels[0]
	at := lowest.head + lowest.digit(w.Now)
	w.next = lowest.last
	switch {
	case w.Ended():
		w.next = 0
	case w.next < math.MaxUint64:
		w.next++
	}
	if slot, ok := w.From(at+1, lowest.head+lowest.radix); ok {
		w.next = w.Now + schemes.Tick(slot-at)
	}
}

// carry moves on the wheels above the lowest, which has come round: all pointers
// first, then the timers, so that each finds its place by the new time. It returns
// how many were due at once.
func (w *chunked) carry() (moved int) {
	top := turn(w.levels, w.Now)
	for l := top; l > 0; l-- {
		v := &w.levels[l]
		if slot := v.head + v.pointer; w.Has(slot) {
			moved += w.migrate(slot, l)
		}
	}
	return moved
}

// arrive empties a slot whose entries have all come up.
func (w *chunked) arrive(slot uint32) (moved int) {
	for end := w.Take(slot); end != 0; {
		entries, head, before := w.Chunk(end)
		w.Tally.Visits += uint64(len(entries))
		w.Touch(entries)
		for _, e := range entries {
			moved += w.arriveOne(e)
		}
		w.Drop(head, before)
		end = before
	}
	return moved
}

func (w *chunked) arriveOne(e chunk.Entry) int {
	due, expiry, later := w.Arrive(e)
	if later {
		w.enter(e.Record(), expiry)
	}
	return due
}

// migrate moves each entry of a slot of level l to its place on a lower level, or
// to the due list.
func (w *chunked) migrate(slot uint32, l int) (moved int) {
	visits := 0
	for end := w.Take(slot); end != 0; {
		entries, head, before := w.Chunk(end)
		visits += len(entries)
		switch {
		case w.levels[l].weight > 1<<32:
			moved += w.migrateFar(entries)
		default:
			moved += w.migrateNear(entries)
		}
		w.Drop(head, before)
		end = before
	}
	w.Tally.Visits += uint64(visits)
	w.Tally.Migrations += uint64(visits - moved)
	return moved
}

// migrateNear is migrate for a slot that lasts at most 2^32 ticks: half of the
// tick tells the other.
func (w *chunked) migrateNear(entries []chunk.Entry) (moved int) {
	now := w.Now
	for _, e := range entries {
		if e.Half() == uint32(now) {
			moved += w.arriveOne(e)
			continue
		}
		w.Put(w.place(now+schemes.Tick(e.Half()-uint32(now))), e)
	}
	return moved
}

// migrateFar is migrate for longer slots: the record tells when its timer is due.
func (w *chunked) migrateFar(entries []chunk.Entry) (moved int) {
	for _, e := range entries {
		due, expiry, later := w.Arrive(e)
		moved += due
		if later {
			w.enter(e.Record(), expiry)
		}
	}
	return moved
}

// Next scans the slots in the order in which the pointers come to them, until none
// can hold an earlier timer. O(entries in them + M/64).
func (w *chunked) Next() (wait schemes.Tick, ok bool) {
	if w.Due() > 0 {
		return 0, true
	}
	first := schemes.Tick(0)
	for l := range w.levels {
		v := &w.levels[l]
		at := v.digit(w.Now)
		for distance := w.ahead(l, at, 0); distance > 0; distance = w.ahead(l, at, distance) {
			if begins := w.begins(v, distance); ok && begins >= first {
				break
			}
			if expiry, found := w.First(v.head + (at+distance)%v.radix); found && (!ok || expiry < first) {
				first, ok = expiry, true
			}
		}
	}
	return first - w.Now, ok
}

// ahead returns how many slots on, more than some, the next occupied one of a level
// is, from slot at on; 0: there is none.
func (w *chunked) ahead(l int, at, some uint32) uint32 {
	v := &w.levels[l]
	from := at + some + 1
	if from < v.radix {
		if slot, ok := w.From(v.head+from, v.head+v.radix); ok {
			return slot - v.head - at
		}
		from = v.radix
	}
	if slot, ok := w.From(v.head+from-v.radix, v.head+at+1); ok {
		return slot - v.head + v.radix - at
	}
	return 0
}

// begins returns the tick on which the pointer of a level comes to the slot so far
// on.
func (w *chunked) begins(v *level, distance uint32) schemes.Tick {
	return w.Now - w.Now%v.weight + schemes.Tick(distance)*v.weight
}

// event returns the next tick on which a pointer comes to an occupied slot; false:
// there is none. The slots of a level that are ahead all begin before the next one
// of the level above. O(m + M/4096).
func (w *chunked) event() (schemes.Tick, bool) {
	for l := range w.levels {
		v := &w.levels[l]
		if distance := w.ahead(l, v.digit(w.Now), 0); distance > 0 {
			return w.begins(v, distance), true
		}
	}
	return 0, false
}

// Advance steps from one occupied slot to the next, on whichever level. O(m + M/4096)
// for each of them.
func (w *chunked) Advance(most schemes.Tick) (passed schemes.Tick, due int) {
	most = min(most, math.MaxUint64-w.Now)
	if w.Due() > 0 {
		most = min(most, 1)
	}
	for passed < most && due == 0 {
		event, ok := w.event()
		if !ok || event-w.Now > most-passed {
			w.pass(most - passed)
			return most, 0
		}
		passed += event - w.Now
		w.pass(event - w.Now - 1)
		due = w.tick()
	}
	return passed, due
}

// pass moves the clock over ticks on which no pointer comes to an occupied slot.
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
		v := &w.levels[l]
		fresh := newLevel(v.weight, v.radix, v.head, w.Now)
		if fresh.last != v.last || l > 0 && fresh.pointer != v.pointer {
			return fmt.Errorf("hierarchical-chunked: level %d: pointer %d, block to %d; the clock (%d) says pointer %d, block to %d", l, v.pointer, v.last, w.Now, fresh.pointer, fresh.last)
		}
	}
	if event, ok := w.event(); ok && event < w.next {
		return fmt.Errorf("hierarchical-chunked: next is %d, but a slot comes up at %d", w.next, event)
	}
	return w.Audit(func(slot uint32, e chunk.Waiting) error {
		if e.Expiry != 0 && e.Within && w.place(e.ComesUp) != slot {
			return fmt.Errorf("timer %d comes up at %d, which is not a place in slot %d", e.ID, e.ComesUp, slot)
		}
		return nil
	})
}

// String draws the wheels, the highest first: the pointers' slots and the occupied
// ones.
func (w *chunked) String() string {
	d := w.Draw()
	drawn := min(len(w.levels), drawnLevels)
	if above := len(w.levels) - drawn; above > 0 {
		d.Line(fmt.Sprintf("… and %d higher levels", above))
	}
	for l := drawn - 1; l >= 0; l-- {
		v, name := &w.levels[l], fmt.Sprintf("level %d ", l)
		d.Wheel()
		for s := range v.radix {
			d.Slot(name, uint64(s), uint64(v.digit(w.Now)), v.head+s)
		}
	}
	return d.String()
}
