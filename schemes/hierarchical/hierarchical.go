package hierarchical

import (
	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
	"timerlab/schemes/internal/store"
)

// wheels is the module of scheme 7. Invariant: a waiting timer's Key is its deadline,
// later than Now, and it is in the slot that place returns.
//
// A few slots reach far because a slot of a higher wheel lasts as long as the whole wheel below it.
// A timer starts on the wheel that is coarse enough for it and moves to finer ones as it comes near.
type wheels struct {
	store.Store
	levels    []level // lowest first
	lowest    *level  // the first of them
	placement chunk.Placement
}

// New returns empty wheels. It uses cfg.Now, cfg.Capacity and cfg.Levels.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := newWheels("hierarchical", cfg)
	if err != nil {
		return nil, err
	}
	return &w, nil
}

// Start (START_TIMER) puts the timer into the slot of its deadline, on one of the m wheels. O(m), or
// O(1) where a table replaces the search for the wheel.
func (w *wheels) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	deadline := w.Now + interval
	slot := w.placement.Slot(deadline, w.Now)
	if slot == 0 { // there is no table: some radix is not a power of two
		slot = w.place(deadline)
	}
	return w.Begin(slot, interval, id, uint64(deadline))
}

// place returns the slot for a deadline. Written in the wheels' radices, as days, hours, minutes and
// seconds are, deadline and clock have a highest digit in which they differ. It names the level, and
// the deadline's digit there the slot. O(1) from a table if the radices are powers of two, else O(m).
func (w *wheels) place(deadline schemes.Tick) (slot uint32) {
	if w.placement.Other != nil {
		return w.placement.Other(deadline)
	}
	return w.placement.Slot(deadline, w.Now)
}

// Stop (STOP_TIMER) is the store's, which all schemes with lists share: the handle names the
// timer's record, and the record's neighbours are joined. O(1).

// PerTick (PER_TICK_BOOKKEEPING) moves the lowest pointer by one slot. All timers there are due, as
// in scheme 4. O(1 + timers due) on most ticks. When the wheel wraps, the wheels above it move:
// O(m), and O(m) for each timer that migrates, which it does m-1 times at most.
func (w *wheels) PerTick() (due int) {
	if w.Ended() {
		return 0
	}
	w.Now++
	if w.lowest.step() {
		due = w.carry()
	}
	slot := w.lowest.head + w.lowest.pointer
	if !w.Occupied(slot) {
		w.Tally.EmptySlots++
		return due
	}
	return due + w.MoveDue(slot)
}

// carry moves the pointers above the lowest, which has wrapped: each wheel that wraps moves
// the next. Then the timers of the slots that they have reached migrate, each to its place by
// the new time. It returns how many were due at once.
func (w *wheels) carry() (due int) {
	top := turn(w.levels, w.Now)
	for l := top; l > 0; l-- {
		if slot := w.levels[l].head + w.levels[l].pointer; w.Occupied(slot) {
			due += w.migrate(slot)
		}
	}
	return due
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
			lower := w.place(schemes.Tick(r.Key))
			w.Mark(lower)
			w.Insert(lower, i, r)
		}
		i = next
	}
	w.Tally.Visits += uint64(visits)
	w.Tally.Migrations += uint64(visits - due)
	return due
}

// Expire (EXPIRY_PROCESSING) is the store's: it hands out the due list. O(1) a timer.
