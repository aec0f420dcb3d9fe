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
	Slots:  store.WheelSlots,
	Bytes:  store.WheelBytes,
}

// Restart moves the timer to its new slot. O(1).
func (w *wheel) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !w.Names(h) || !w.Renews(h, interval) {
		return w.RestartSlow(w, h, interval)
	}
	r := w.At(uint32(h))
	h = w.Renew(h, r, uint64(w.Now+interval))
	w.Insert(w.Slot(interval), uint32(h), r)
	return h, nil
}

// Next is NextEvent. O(M/64).
func (w *wheel) Next() (wait schemes.Tick, ok bool) { return w.NextEvent() }

// Advance goes to the first occupied slot. O(M/64 + timers due).
func (w *wheel) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = w.Limit(max, w.AnyDue()); passed == 0 {
		return 0, 0
	}
	if wait, ok := w.Ahead(1, passed); ok {
		passed = wait
	}
	return passed, w.MoveDue(w.TurnBy(passed))
}

// Check verifies the wheel. O(n + M).
func (w *wheel) Check() error { return w.CheckWheel(w.accept) }

func (w *wheel) accept(slot schemes.Tick, r *store.Record) error {
	if left := schemes.Tick(r.Key) - w.Now; left < 1 || left > w.M || schemes.Tick(r.Key)%w.M != slot {
		return fmt.Errorf("timer %d expires at %d, which is not this slot's next turn", r.ID, r.Key)
	}
	return nil
}
