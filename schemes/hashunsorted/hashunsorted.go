package hashunsorted

import (
	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// wheel is the module of scheme 6. Invariant: a waiting timer's Key is the number of times
// that the pointer must still reach its slot, at least 1.
//
// Ticks that are M apart share a slot, as in scheme 5. Instead of a sorted list, each timer has a
// count of revolutions. So Start need not search, but PerTick also visits timers that are not due.
type wheel struct{ store.Wheel }

// New returns an empty wheel. It uses cfg.Now, cfg.Capacity and cfg.Slots.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := store.NewWheel("hashunsorted", cfg, 0)
	if err != nil {
		return nil, err
	}
	return &wheel{w}, nil
}

// Start (START_TIMER) hashes the deadline to a slot, deadline mod M, and puts the timer at the end
// of the list there, with the number of revolutions that it must wait for: interval/M, rounded up.
// There is no search: O(1), at worst as on average.
func (w *wheel) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !w.Accepts(interval) {
		return w.StartSlow(w, interval, id)
	}
	i, r := w.Make(id, w.Rounds(interval))
	w.Insert(w.Slot(interval), i, r)
	return r.Handle(), nil
}

// Stop (STOP_TIMER) is the store's, which all schemes with lists share: the handle names the
// timer's record, and the record's neighbours are joined. O(1).

// PerTick (PER_TICK_BOOKKEEPING) moves the pointer by one slot and takes a round off every timer in
// it. In M ticks each timer is visited once, so a tick visits n/M of them on average, however evenly
// or unevenly the hash spreads them; at worst, when all share a slot, O(n).
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
	return w.countDown(slot)
}

// countDown takes a round off every timer of a slot. A timer with none left is due; it returns how
// many are. It is scheme 1 in one slot: what the wheel saves is the other M-1.
func (w *wheel) countDown(slot uint32) (due int) {
	visits := 0
	for i := w.At(slot).Next; i != slot; visits++ {
		r := w.At(i)
		next := r.Next // before the timer leaves for the due list
		if r.Key--; r.Key == 0 {
			w.MakeDue(i, r)
			due++
		}
		i = next
	}
	w.Tally.Visits += uint64(visits)
	return due
}

// Expire (EXPIRY_PROCESSING) is the store's: it hands out the due list. O(1) a timer.
