package hierarchical

import (
	"math/bits"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// wheels is the module of scheme 7. Invariant: a waiting timer's Key is its deadline,
// later than Now, and it is in the slot that slot returns.
//
// A few slots reach far because a slot of a higher wheel lasts as long as the whole wheel below it.
// A timer starts on the wheel that is coarse enough for it and moves to finer ones as it comes near.
type wheels struct {
	store.Store
	levels []level    // lowest first
	table  [65]*level // of a tick, by the number of low bits in which it and the clock differ: see levelOf
	busy   uint64     // ticks before New, and since then those that were due or that Advance passed: see Counts
}

// New returns empty wheels. It uses cfg.Now, cfg.Capacity and cfg.Levels.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := newWheels("hierarchical", cfg)
	switch {
	case err != nil:
		return nil, err
	case !powersOfTwo(w.levels):
		return &uneven{w}, nil
	}
	return &w, nil
}

// Start (START_TIMER) puts the timer into the slot of its deadline, on one of the m wheels. O(1) from the
// table, else O(m).
func (w *wheels) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !w.Accepts(interval) {
		return w.Admit(w, interval, id)
	}
	deadline := w.Now + interval
	i, r := w.Make(id, uint64(deadline))
	w.Insert(w.slot(deadline), i, r)
	return r.Handle(), nil
}

// slot returns the slot for a deadline. Written in the wheels' radices, as days, hours, minutes and
// seconds are, deadline and clock have a highest digit in which they differ. It names the level, and
// the deadline's digit there the slot. In other words, the level is the lowest whose present block of
// ticks holds the deadline; on the highest, a deadline beyond the block is in the next revolution. O(1):
// the radices are powers of two, so the bits in which deadline and clock differ say the level. See uneven.
func (w *wheels) slot(deadline schemes.Tick) (head uint32) {
	v := w.table[bits.Len64(uint64(deadline^w.Now)|1)]
	return v.First + uint32(deadline>>(v.Shift&63))&v.Mask
}

// Stop (STOP_TIMER) is the store's, which all schemes with lists share: the handle names the
// timer's record, and the record's neighbours are joined. O(1).

// PerTick (PER_TICK_BOOKKEEPING) moves the lowest wheel by one slot. All timers there are due, as
// in scheme 4. O(1 + timers due) on most ticks. When the wheel wraps, the wheels above it move:
// O(m), and O(m) for each timer that migrates, which it does m-1 times at most.
func (w *wheels) PerTick() (due int) {
	if w.Now < w.Quiet { // a tick before looked ahead: this slot is empty
		w.Now++
		return 0
	}
	if w.Ended() {
		return 0
	}
	w.Now++
	lowest := &w.levels[0]
	if w.Now > lowest.last {
		due = w.carry(1)
	}
	slot, end := lowest.First+lowest.digit(w.Now), lowest.First+lowest.radix
	if w.Occupied(slot) {
		due += w.MoveDue(slot)
		w.busy++
	}
	w.Quiet = w.Now + schemes.Tick(w.Bitmap.NextOccupied(slot+1, end)-slot-1)
	return due
}

// carry moves the pointers above the lowest, which has wrapped: each wheel that wraps moves
// the next. Then the timers of the slots that they have reached, from this level on, migrate, each to its
// place by the new time. It returns how many were due at once.
func (w *wheels) carry(lowest int) (due int) {
	for l := turn(w.levels, w.Now); l >= lowest; l-- {
		if slot := w.levels[l].First + w.levels[l].digit(w.Now); w.Occupied(slot) {
			due += w.migrate(slot)
		}
	}
	return due
}

// turn sets the block of each level that has wrapped by the time now, and returns the highest level
// whose pointer has moved: the lowest that has not wrapped. O(m).
func turn(levels []level, now schemes.Tick) (highest int) {
	for l := range levels {
		v := &levels[l]
		if highest = l; now <= v.last {
			break
		}
		v.set(now)
	}
	return highest
}

// migrate moves each timer of a slot to its place on a lower level, or to the due list if no
// digit is left in which its deadline and the clock differ. A digit of 0 skips a level. At worst all
// n timers share the slot, and one tick takes O(n).
func (w *wheels) migrate(slot uint32) (due int) {
	visits := 0
	for i := w.Detach(slot); i != slot; visits++ {
		r := w.At(i)
		next := r.Next // before the timer leaves for another list
		if r.Key == uint64(w.Now) {
			w.AddDue(i, r)
			due++
		} else {
			w.Insert(place(w.levels, schemes.Tick(r.Key)), i, r)
		}
		i = next
	}
	w.Tally.Migrations += uint64(visits - due)
	w.Tally.Visits += uint64(visits)
	return due
}

// Expire (EXPIRY_PROCESSING) is the store's: it hands out the due list. O(1) a timer.
