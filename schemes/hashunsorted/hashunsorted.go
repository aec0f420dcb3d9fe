package hashunsorted

import (
	_ "embed"
	"fmt"
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

// describe returns scheme 6 with a suffix to its name and another New.
func describe(suffix, title string, build func(name string, cfg schemes.Config) (schemes.Scheme, error)) schemes.Info {
	v := Info
	v.Name += "-" + suffix
	v.Title = title
	v.New = func(cfg schemes.Config) (schemes.Scheme, error) { return build(v.Name, cfg) }
	return v
}

// wheel is the module of scheme 6. Invariant: a waiting timer's Key is the
// number of times that the pointer must still reach its slot, at least 1. Stop and Expire
// are the store's.
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

// Start puts the timer into its slot. O(1).
func (w *wheel) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	i, r, err := w.Make(interval, math.MaxUint64, id, w.Rounds(interval))
	if err != nil {
		return 0, err
	}
	return w.Enter(w.Slot(interval), i, r), nil
}

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

// Restart moves the timer to its new slot. O(1).
func (w *wheel) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, r, err := w.Renew(h, interval, math.MaxUint64, w.Rounds(interval))
	if err != nil {
		return 0, err
	}
	return w.Enter(w.Slot(interval), i, r), nil
}

// Next looks at the timers of the occupied slots, as far as one may be the first.
// O(M/64 + n).
func (w *wheel) Next() (wait schemes.Tick, ok bool) {
	if w.AnyDue() {
		return 0, true
	}
	return w.Earliest(math.MaxUint64, func(head uint32, ahead schemes.Tick) (schemes.Tick, bool) {
		return ahead + schemes.Tick(w.Least(head)-1)*w.Slots(), true
	})
}

// Advance goes from one occupied slot to the next and takes a round off its timers, for
// one revolution at most. Then no timer is due for some rounds, and it takes all of these
// off every timer at once. O(M/64 + n).
func (w *wheel) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	most, seen := w.Limit(max, w.AnyDue()), schemes.Tick(0)
	for passed < most {
		if seen >= w.Slots() {
			passed += w.skip((most - passed) / w.Slots())
			seen = 0
		}
		d, ok := w.Ahead(1, most-passed)
		if !ok {
			w.TurnBy(most - passed)
			return most, 0
		}
		passed, seen = passed+d, seen+d
		if due = w.Countdown(w.TurnBy(d)); due > 0 {
			return passed, due
		}
	}
	return passed, 0
}

// skip passes whole revolutions, at most `rounds`, before any timer's last round, and
// returns the ticks passed. O(M/64 + n).
func (w *wheel) skip(rounds schemes.Tick) schemes.Tick {
	least := uint64(rounds) + 1
	for d, ok := w.Ahead(1, w.Slots()); ok; d, ok = w.Ahead(d+1, w.Slots()) {
		least = min(least, w.Least(w.SlotAhead(d)))
	}
	if least == 1 {
		return 0
	}
	for d, ok := w.Ahead(1, w.Slots()); ok; d, ok = w.Ahead(d+1, w.Slots()) {
		w.Lower(w.SlotAhead(d), least-1)
	}
	ticks := schemes.Tick(least-1) * w.Slots()
	w.Now += ticks
	return ticks
}

// Check verifies the wheel. O(n + M).
func (w *wheel) Check() error {
	return w.CheckStore(func() (int, error) { return w.CheckTimers(w.Now%w.Slots(), w.accept) })
}

// accept returns an error if a timer has more rounds left than the pointer can make.
func (w *wheel) accept(slot uint64, r *store.Record) error {
	if r.Key > w.TurnsLeft(slot) {
		return fmt.Errorf("timer %d has %d rounds left, more than the clock", r.ID, r.Key)
	}
	return nil
}

// String draws the wheel: the pointer's slot and the occupied ones.
func (w *wheel) String() string {
	return w.Drawn(w.DrawSlots(w.Draw(w.Len(), "rounds left", store.DrawKey)))
}
