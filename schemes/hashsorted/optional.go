package hashsorted

import (
	_ "embed"
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
	"timerlab/schemes/ordered"
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
	Slots:  store.WheelSlots,
	Bytes:  store.WheelBytes,
}

// Restart moves the timer to its place in its new slot, which it searches as Start
// does.
func (w *wheel) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !w.Names(h) || !w.Renews(h, interval) {
		return w.RestartSlow(w, h, interval)
	}
	slot, deadline := w.Slot(interval), uint64(w.Now+interval)
	r := w.At(uint32(h))
	h = w.Renew(h, r, deadline)
	w.Insert(ordered.Search(&w.Store, slot, deadline), uint32(h), r)
	return h, nil
}

// Next looks at the first timers of the occupied slots up to the earliest deadline.
// O(M/64 + slots looked at).
func (w *wheel) Next() (wait schemes.Tick, ok bool) { return w.NextBy(w.first) }

// first returns the ticks until the first timer in the slot at head is due.
func (w *wheel) first(head uint32, _ schemes.Tick) schemes.Tick {
	return schemes.Tick(w.First(head)) - w.Now
}

// Advance looks as Next does, but no further than max, and goes there. O(M/64 +
// slots looked at + timers due).
func (w *wheel) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = w.Limit(max, w.AnyDue()); passed == 0 {
		return 0, 0
	}
	passed, _ = w.Earliest(passed, w.first)
	if slot := w.TurnBy(passed); w.Occupied(slot) {
		due = w.expire(slot)
	}
	return passed, due
}

// Check verifies the wheel. O(n + M).
func (w *wheel) Check() error {
	last, in := uint64(0), schemes.Tick(0)
	return w.CheckWheel(func(slot schemes.Tick, r *store.Record) error {
		if slot != in {
			last, in = 0, slot
		}
		if deadline := schemes.Tick(r.Key); deadline <= w.Now || deadline%w.M != slot {
			return fmt.Errorf("timer %d expires at %d, which is not a coming turn of this slot", r.ID, r.Key)
		}
		if r.Key < last {
			return fmt.Errorf("order: timer %d expires at %d, its place is for %d or later", r.ID, r.Key, last)
		}
		last = r.Key
		return nil
	})
}
