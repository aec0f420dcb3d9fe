package simplewheel

import (
	_ "embed"
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

//go:embed variants.md
var variants string

// Info describes scheme 4.
var Info = schemes.Info{
	Number: 4,
	Name:   "simplewheel",
	Title:  "Simple wheel",
	Doc:    store.DocText(doc) + "\n" + variants,
	Kind:   schemes.Wheel,
	New:    New,
	Range:  func(cfg schemes.Config) schemes.Tick { return schemes.Tick(store.SlotsOf(cfg)) },
	Bytes:  store.WheelBytes,
}

// wheel is the module of scheme 4. Invariant: a waiting timer's Key is its
// deadline, within the next M ticks, and its slot that deadline mod M. Stop and Expire are
// the store's.
type wheel struct{ store.Wheel }

// New returns an empty wheel. It uses cfg.Now, cfg.Capacity and cfg.Slots.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := store.NewWheel("simplewheel", cfg, 0)
	if err != nil {
		return nil, err
	}
	return &wheel{w}, nil
}

// Start puts the timer into its slot. O(1).
func (w *wheel) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	i, r, err := w.Make(interval, w.Slots(), id, uint64(w.Now+interval))
	if err != nil {
		return 0, err
	}
	return w.Enter(w.Slot(interval), i, r), nil
}

// PerTick moves the timers of the pointer's next slot to the due list. O(1 +
// timers due).
func (w *wheel) PerTick() int {
	if w.Ended() {
		return 0
	}
	slot := w.Turn()
	if !w.Occupied(slot) {
		w.Tally.EmptySlots++
		return 0
	}
	return w.MoveDue(slot, slot)
}

// Restart moves the timer to its new slot. O(1).
func (w *wheel) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, r, err := w.Renew(h, interval, w.Slots(), uint64(w.Now+interval))
	if err != nil {
		return 0, err
	}
	return w.Enter(w.Slot(interval), i, r), nil
}

// Next looks for the first occupied slot. O(M/64).
func (w *wheel) Next() (wait schemes.Tick, ok bool) {
	if w.AnyDue() {
		return 0, true
	}
	return w.Ahead(1, w.Slots())
}

// Advance goes to the first occupied slot. O(M/64 + timers due).
func (w *wheel) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = w.Limit(max, w.AnyDue()); passed == 0 {
		return 0, 0
	}
	if wait, ok := w.Ahead(1, passed); ok {
		passed = wait
	}
	slot := w.TurnBy(passed)
	return passed, w.MoveDue(slot, slot)
}

// Check verifies the wheel. O(n + M).
func (w *wheel) Check() error {
	return w.CheckStore(func() (int, error) { return w.CheckTimers(w.Now%w.Slots(), w.accept) })
}

// accept returns an error if a timer does not belong into this slot.
func (w *wheel) accept(slot uint64, r *store.Record) error {
	now, slots := uint64(w.Now), uint64(w.Slots())
	if r.Key%slots != slot || r.Key-now > slots || r.Key <= now {
		return fmt.Errorf("timer %d expires at %d, which is not this slot's next turn", r.ID, r.Key)
	}
	return nil
}

// String draws the wheel: the pointer's slot and the occupied ones.
func (w *wheel) String() string {
	return w.Drawn(w.DrawSlots(w.Draw(w.Len(), "deadline", store.DrawKey)))
}
