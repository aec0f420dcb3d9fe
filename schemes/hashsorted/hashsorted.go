package hashsorted

import (
	"timerlab/schemes"
	"timerlab/schemes/internal/store"
	"timerlab/schemes/ordered"
)

// wheel is the module of scheme 5. Invariant: a waiting timer's Key is its deadline, later
// than Now; its slot is that deadline mod M; keys never fall along a slot.
//
// Scheme 4 needs a slot for every tick of the longest interval. Here ticks that are M apart share a
// slot, so any number of slots takes any interval. The list is sorted, so the timers that are due
// are at its front.
type wheel struct{ store.Wheel }

// New returns an empty wheel. It uses cfg.Now, cfg.Capacity and cfg.Slots.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := store.NewWheel("hashsorted", cfg, 0)
	if err != nil {
		return nil, err
	}
	return &wheel{w}, nil
}

// Start (START_TIMER) hashes the deadline to a slot, deadline mod M, and searches the sorted list
// there for the timer's place, as scheme 2 does in its only list. n/M timers wait in a slot on average, of
// which it passes a part: O(1) if n < M and the hash spreads the timers; O(n) at worst, when all share a slot.
func (w *wheel) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !w.Accepts(interval) {
		return w.StartSlow(w, interval, id)
	}
	slot, deadline := w.Slot(interval), uint64(w.Now+interval)
	i, r := w.Make(id, deadline)
	w.Insert(ordered.Search(&w.Store, slot, deadline), i, r)
	return r.Handle(), nil
}

// Stop (STOP_TIMER) is the store's, which all schemes with lists share: the handle names the
// timer's record, and the record's neighbours are joined. O(1).

// PerTick (PER_TICK_BOOKKEEPING) moves the pointer by one slot. Ticks that are M apart share it, so
// not all timers there need be due. O(1 + timers due).
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

// expire compares the clock with the first deadline of a slot, and with the next one while timers
// are due. The list is sorted: the first timer that is not due ends it.
func (w *wheel) expire(slot uint32) (due int) {
	for i := w.At(slot).Next; i != slot; i = w.At(slot).Next {
		r := w.At(i)
		w.Tally.Visits++
		if r.Key > uint64(w.Now) {
			break // due in a later revolution, as all after it
		}
		w.MakeDue(i, r)
		due++
	}
	return due
}

// Expire (EXPIRY_PROCESSING) is the store's: it hands out the due list. O(1) a timer.
