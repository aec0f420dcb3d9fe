package hashunsorted

import (
	_ "embed"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

//go:embed variants.md
var variants string

// Info describes scheme 6.
var Info = schemes.Info{
	Number: 6,
	Name:   "hashunsorted",
	Title:  "Hashed wheel, unsorted lists",
	Doc:    store.DocText(doc) + "\n" + variants,
	Kind:   schemes.HashedWheel,
	New:    New,
	Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	Bytes:  store.WheelBytes,
}

// wheel is the module of scheme 6. Invariant: a waiting timer's Key is the number of times
// that the pointer must still reach its slot, at least 1.
type wheel struct{ store.Wheel }

// New returns an empty wheel. It uses cfg.Now, cfg.Capacity and cfg.Slots.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := newWheel("hashunsorted", cfg)
	if err != nil {
		return nil, err
	}
	return &w, nil
}

func newWheel(name string, cfg schemes.Config) (wheel, error) {
	w, err := store.NewWheel(name, cfg, 0)
	return wheel{w}, err
}

// Start puts the timer into its slot, with its rounds: interval/M, rounded up. O(1).
func (w *wheel) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	return w.Begin(w.Slot(interval), interval, id, w.Rounds(interval))
}

// Stop is the store's: it unlinks the timer. O(1).

// PerTick moves the pointer by one slot and takes a round off every timer in it. Those with
// none left are due. O(n/M) on average where intervals are long against M, O(n) at worst.
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

// countDown takes a round off every timer of a slot and returns how many are due.
func (w *wheel) countDown(slot uint32) (due int) {
	visits := 0
	for i := w.At(slot).Next; i != slot; visits++ {
		r := w.At(i)
		next := r.Next
		if r.Key--; r.Key == 0 {
			w.MakeDue(i, r)
			due++
		}
		i = next
	}
	w.Tally.Visits += uint64(visits)
	return due
}

// Expire is the store's: it hands out the due list. O(1) a timer.
