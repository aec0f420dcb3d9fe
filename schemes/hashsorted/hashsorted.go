package hashsorted

import (
	_ "embed"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

// Info describes scheme 5.
var Info = schemes.Info{
	Number: 5,
	Name:   "hashsorted",
	Title:  "Hashed wheel, sorted lists",
	Doc:    store.DocText(doc),
	Kind:   schemes.HashedWheel,
	Sorted: true,
	New:    New,
	Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	Bytes:  store.WheelBytes,
}

// wheel is the module of scheme 5. Invariant: a waiting timer's Key is its deadline, later
// than Now; its slot is that deadline mod M; keys never fall along a slot.
type wheel struct{ store.Wheel }

// New returns an empty wheel. It uses cfg.Now, cfg.Capacity and cfg.Slots.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := store.NewWheel("hashsorted", cfg, 0)
	if err != nil {
		return nil, err
	}
	return &wheel{w}, nil
}

// Start searches the timer's slot for its place. O(1) on average if n < M, O(n) at worst.
func (w *wheel) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if err := w.Accepts(interval); err != nil {
		return 0, err
	}
	slot, deadline := w.Slot(interval), uint64(w.Now+interval)
	i, r := w.Make(id, deadline)
	return w.Enter(slot, w.search(slot, deadline), i, r), nil
}

// search returns the record of the slot at head, or the head, before which a timer with this
// deadline belongs: after those with the same deadline. O(timers passed).
func (w *wheel) search(head uint32, deadline uint64) (at uint32) {
	compares := uint64(0)
	for at = w.At(head).Next; at != head; {
		r := w.At(at)
		compares++
		if r.Key > deadline {
			break
		}
		at = r.Next
	}
	w.Tally.Compares += compares
	return at
}

// Stop is the store's: it unlinks the timer. O(1).

// PerTick moves the pointer by one slot and compares the clock with the first deadline
// there, and with the next while timers are due. O(1 + timers due).
func (w *wheel) PerTick() int {
	if w.Ended() {
		return 0
	}
	w.Now++
	if w.Pointer++; w.Pointer == w.M {
		w.Pointer = 0
	}
	slot := store.FirstSlot + uint32(w.Pointer)
	if !w.Occupied(slot) {
		w.Tally.EmptySlots++
		return 0
	}
	return w.expire(slot)
}

// expire moves the timers at the front of a slot that are due to the due list.
func (w *wheel) expire(slot uint32) (due int) {
	for i := w.At(slot).Next; i != slot; i = w.At(slot).Next {
		r := w.At(i)
		w.Tally.Visits++
		if r.Key > uint64(w.Now) {
			break
		}
		w.MakeDue(i, r)
		due++
	}
	return due
}

// Expire is the store's: it hands out the due list. O(1) a timer.
