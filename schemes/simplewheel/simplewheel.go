package simplewheel

import (
	_ "embed"

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

// wheel is the module of scheme 4. Invariant: a waiting timer's Key is its deadline, within
// the next M ticks, and its slot that deadline mod M.
type wheel struct{ store.Wheel }

// New returns an empty wheel. It uses cfg.Now, cfg.Capacity and cfg.Slots.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := store.NewWheel("simplewheel", cfg, 0)
	if err != nil {
		return nil, err
	}
	w.Range = w.Slots()
	return &wheel{w}, nil
}

// Start puts the timer into its slot, as many slots ahead as the interval has ticks. O(1).
func (w *wheel) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	return w.Begin(w.Slot(interval), interval, id, uint64(w.Now+interval))
}

// Stop is the store's: it unlinks the timer. O(1).

// PerTick moves the pointer by one slot. All timers in it are due. O(1 + timers due).
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

// Expire is the store's: it hands out the due list. O(1) a timer.
