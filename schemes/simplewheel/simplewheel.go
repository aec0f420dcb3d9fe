package simplewheel

import (
	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// wheel is the module of scheme 4. Invariant: a waiting timer's Key is its deadline, within
// the next M ticks, and its slot that deadline mod M.
type wheel struct{ store.Wheel }

// New returns an empty wheel. It uses cfg.Now, cfg.Capacity and cfg.Slots.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := store.NewWheel("simplewheel", cfg, 0)
	if err != nil {
		return nil, err
	}
	w.Range = w.M
	return &wheel{w}, nil
}

// Start (START_TIMER) puts the timer into its slot, as many slots ahead of the pointer as the
// interval has ticks. An array index takes the place of the search: O(1). The price is the range,
// one slot for each tick of the longest interval.
func (w *wheel) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !w.Accepts(interval) {
		return w.StartSlow(w, interval, id)
	}
	i, r := w.Make(id, uint64(w.Now+interval))
	w.Insert(w.Slot(interval), i, r)
	return r.Handle(), nil
}

// Stop (STOP_TIMER) is the store's, which all schemes with lists share: the handle names the
// timer's record, and the record's neighbours are joined. O(1).

// PerTick (PER_TICK_BOOKKEEPING) moves the pointer by one slot. All timers there are due: no other
// tick within the range has this slot. O(1 + timers due).
//
// One bit for each slot says whether a timer may wait there, so an empty slot need not be read.
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
	return w.MoveDue(slot)
}

// Expire (EXPIRY_PROCESSING) is the store's: it hands out the due list. O(1) a timer.
