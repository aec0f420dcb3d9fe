package hashunsorted

import (
	_ "embed"
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/godoc"
	"timerlab/schemes/internal/module"
	"timerlab/schemes/internal/slab"
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
	Doc:    godoc.Text(doc) + "\n" + variants,
	Kind:   schemes.HashedWheel,
	New:    New,
	Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	Bytes:  module.WheelBytes,
}

// describe returns scheme 6 under a longer name, made by another function.
func describe(suffix, title string, build func(name string, cfg schemes.Config) (schemes.Scheme, error)) schemes.Info {
	v := Info
	v.Name += "-" + suffix
	v.Title = title
	v.New = func(cfg schemes.Config) (schemes.Scheme, error) { return build(v.Name, cfg) }
	return v
}

// wheel is the module of scheme 6. Invariant: a waiting timer's Key is the
// number of times that the pointer has still to come to its slot, at least 1.
type wheel struct{ module.Wheel }

// New returns an empty wheel. It uses cfg.Now, cfg.Capacity and cfg.Slots.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := newWheel("hashunsorted", cfg)
	if err != nil {
		return nil, err
	}
	return &w, nil
}

func newWheel(name string, cfg schemes.Config) (wheel, error) {
	w, err := module.NewWheel(name, cfg)
	return wheel{w}, err
}

// Start puts the timer into its slot. O(1).
func (w *wheel) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	return w.StartIn(w.Slot(interval), interval, math.MaxUint64, id, w.Rounds(interval))
}

// Stop unlinks the timer. O(1).
func (w *wheel) Stop(h schemes.Handle) bool { return w.Module.Stop(h) }

// PerTick takes a round off every timer of the pointer's next slot. O(n/M) on
// average where intervals are long against M, O(n) at worst.
func (w *wheel) PerTick() int {
	if w.Ended() {
		return 0
	}
	slot := w.Turn()
	if !w.Occupied(slot) {
		w.Tally.EmptySlots++
		return 0
	}
	return w.Countdown(slot)
}

// Expire hands out the due timers. O(1) each.
func (w *wheel) Expire(action func(schemes.ID)) { w.Module.Expire(action) }

// Restart moves the timer to its new slot. O(1).
func (w *wheel) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	return w.RestartIn(w.Slot(interval), h, interval, math.MaxUint64, w.Rounds(interval))
}

// Check verifies the wheel. O(n + M).
func (w *wheel) Check() error {
	return w.Audit(func() (int, error) { return w.AuditSlots(w.accept) })
}

// accept refuses a timer with more rounds left than the pointer can make.
func (w *wheel) accept(slot uint64, r *slab.Record) error {
	if r.Key > w.TurnsLeft(slot) {
		return fmt.Errorf("timer %d has %d rounds left, more than the clock", r.ID, r.Key)
	}
	return nil
}

// String draws the wheel: the pointer's slot and the occupied ones.
func (w *wheel) String() string {
	return w.Drawn(w.DrawSlots(w.Draw("rounds left", module.DrawKey)))
}
