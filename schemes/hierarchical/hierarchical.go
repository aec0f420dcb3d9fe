package hierarchical

import (
	_ "embed"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

//go:embed variants.md
var variants string

// Info describes scheme 7.
var Info = schemes.Info{
	Number: 7,
	Name:   "hierarchical",
	Title:  "Hierarchical wheels",
	Doc:    store.DocText(doc) + "\n" + variants,
	Kind:   schemes.Hierarchy,
	New:    New,
	Range:  longest,
	Bytes:  variant{}.bytes,
}

// wheels is the module of scheme 7. Invariant: a waiting timer's Key is its deadline,
// later than Now, and it is in the slot that place returns.
type wheels struct {
	store.Store
	levels    []level // lowest first
	lowest    *level  // the first of them
	placement store.Placement
}

// New returns empty wheels. It uses cfg.Now, cfg.Capacity and cfg.Levels.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := newWheels("hierarchical", cfg, radices(cfg))
	if err != nil {
		return nil, err
	}
	return &w, nil
}

// Start puts the timer into the slot of its deadline. O(m).
func (w *wheels) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	deadline := w.Now + interval
	slot := w.placement.Slot(deadline, w.Now)
	if slot == 0 {
		slot = w.place(deadline)
	}
	return w.Begin(slot, interval, id, uint64(deadline))
}

// place returns the slot for a deadline: on the level of the highest digit in which deadline
// and clock differ, the slot of the deadline's digit. O(1) from a table if the radices are
// powers of two, else O(m).
func (w *wheels) place(deadline schemes.Tick) (slot uint32) {
	if w.placement.Other != nil {
		return w.placement.Other(deadline)
	}
	return w.placement.Slot(deadline, w.Now)
}

// Stop is the store's: it unlinks the timer. O(1).

// PerTick moves the lowest pointer by one slot. All timers in it are due. O(1 + timers due),
// and when the wheel wraps O(m), with O(m) for each timer that migrates.
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
// digit is left in which its deadline and the clock differ.
func (w *wheels) migrate(slot uint32) (due int) {
	visits := 0
	for i := w.Detach(slot); i != slot; visits++ {
		r := w.At(i)
		next := r.Next
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

// Expire is the store's: it hands out the due list. O(1) a timer.
