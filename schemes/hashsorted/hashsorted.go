package hashsorted

import (
	_ "embed"
	"fmt"
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

// wheel is the module of scheme 5. Invariant: a waiting timer's Key is its
// deadline, later than Now; its slot is that deadline mod M; keys never
// fall along a slot. Stop and Expire are the store's.
type wheel struct{ store.Wheel }

// New returns an empty wheel. It uses cfg.Now, cfg.Capacity and cfg.Slots.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := store.NewWheel("hashsorted", cfg, 0)
	if err != nil {
		return nil, err
	}
	return &wheel{w}, nil
}

// Start searches the timer's slot for its place. O(1) on average if n < M, O(n)
// at worst.
func (w *wheel) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	deadline := uint64(w.Now + interval)
	i, r, err := w.Make(interval, math.MaxUint64, id, deadline)
	if err != nil {
		return 0, err
	}
	return w.Enter(w.PlaceFromHead(w.Slot(interval), deadline), i, r), nil
}

// PerTick looks at the first timer of the pointer's next slot. O(1 + timers
// due).
func (w *wheel) PerTick() int {
	if w.Ended() {
		return 0
	}
	slot := w.Turn()
	if !w.Occupied(slot) {
		w.Tally.EmptySlots++
		return 0
	}
	return w.MoveExpired(slot)
}

// Restart moves the timer to its place in its new slot, which it searches as Start
// does.
func (w *wheel) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	deadline := uint64(w.Now + interval)
	i, r, err := w.Renew(h, interval, math.MaxUint64, deadline)
	if err != nil {
		return 0, err
	}
	return w.Enter(w.PlaceFromHead(w.Slot(interval), deadline), i, r), nil
}

// Next looks at the first timers of the occupied slots up to the earliest deadline.
// O(M/64 + slots looked at).
func (w *wheel) Next() (wait schemes.Tick, ok bool) {
	if w.AnyDue() {
		return 0, true
	}
	return w.Earliest(math.MaxUint64, w.first)
}

// first returns the ticks until the first timer in the slot at head is due.
func (w *wheel) first(head uint32, _ schemes.Tick) (schemes.Tick, bool) {
	return w.Wait(w.First(head)), true
}

// Advance looks as Next does, but no further than max, and goes there. O(M/64 +
// slots looked at + timers due).
func (w *wheel) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = w.Limit(max, w.AnyDue()); passed == 0 {
		return 0, 0
	}
	passed, _ = w.Earliest(passed, w.first)
	if slot := w.TurnBy(passed); w.Occupied(slot) {
		due = w.MoveExpired(slot)
	}
	return passed, due
}

// Check verifies the wheel. O(n + M).
func (w *wheel) Check() error {
	return w.CheckStore(func() (int, error) {
		last, in := uint64(0), uint64(0)
		return w.CheckTimers(w.Now%w.Slots(), func(slot uint64, r *store.Record) error {
			if slot != in {
				last, in = 0, slot
			}
			if r.Key <= uint64(w.Now) || r.Key%uint64(w.Slots()) != slot {
				return fmt.Errorf("timer %d expires at %d, which is not a coming turn of this slot", r.ID, r.Key)
			}
			if r.Key < last {
				return fmt.Errorf("order: timer %d expires at %d, its place is for %d or later", r.ID, r.Key, last)
			}
			last = r.Key
			return nil
		})
	})
}

// String draws the wheel: the pointer's slot and the occupied ones.
func (w *wheel) String() string {
	return w.Drawn(w.DrawSlots(w.Draw(w.Len(), "deadline", store.DrawKey)))
}
