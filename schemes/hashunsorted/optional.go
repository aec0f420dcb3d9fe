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
	Slots:  store.WheelSlots,
	Bytes:  store.WheelBytes,
}

// Restart moves the timer to its new slot. O(1).
func (w *wheel) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !w.Names(h) || !w.Renews(h, interval) {
		return w.RestartSlow(w, h, interval)
	}
	r := w.At(uint32(h))
	h = w.Renew(h, r, w.Rounds(interval))
	w.Insert(w.Slot(interval), uint32(h), r)
	return h, nil
}

// Next looks at the timers of the occupied slots, as far as one may be the first.
// O(M/64 + n).
func (w *wheel) Next() (wait schemes.Tick, ok bool) {
	return w.NextBy(func(head uint32, ahead schemes.Tick) schemes.Tick {
		return ahead + schemes.Tick(w.Least(head)-1)*w.M
	})
}

// Advance goes from one occupied slot to the next and takes a round off its timers, for
// one revolution at most. Then no timer is due for some rounds, and it takes all of these
// off every timer at once. O(M/64 + n).
func (w *wheel) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	most, seen := w.Limit(max, w.AnyDue()), schemes.Tick(0)
	for passed < most {
		if seen >= w.M {
			passed += w.skip((most - passed) / w.M)
			seen = 0
		}
		d, ok := w.Ahead(1, most-passed)
		if !ok {
			w.TurnBy(most - passed)
			return most, 0
		}
		passed, seen = passed+d, seen+d
		if due = w.countDown(w.TurnBy(d)); due > 0 {
			return passed, due
		}
	}
	return passed, 0
}

// skip passes whole revolutions, at most `rounds`, before any timer's last round, and
// returns the ticks passed. O(M/64 + n).
func (w *wheel) skip(rounds schemes.Tick) schemes.Tick {
	least := uint64(rounds) + 1
	for d, ok := w.Ahead(1, w.M); ok; d, ok = w.Ahead(d+1, w.M) {
		least = min(least, w.Least(w.SlotAhead(d)))
	}
	if least == 1 {
		return 0
	}
	for d, ok := w.Ahead(1, w.M); ok; d, ok = w.Ahead(d+1, w.M) {
		w.Lower(w.SlotAhead(d), least-1)
	}
	ticks := schemes.Tick(least-1) * w.M
	w.Now += ticks
	return ticks
}

// Check verifies the wheel. O(n + M).
func (w *wheel) Check() error { return w.CheckWheel(w.accept) }

func (w *wheel) accept(slot schemes.Tick, r *store.Record) error {
	// The pointer still reaches the slot 1 + (left-first)/M times before the clock ends, or never.
	if first, left := w.ticksTo(slot), math.MaxUint64-w.Now; first > left || r.Key > uint64((left-first)/w.M+1) {
		return fmt.Errorf("timer %d has %d rounds left, more than the clock", r.ID, r.Key)
	}
	return nil
}

// ticksTo returns in how many ticks, 1 to M, the pointer reaches a slot.
func (w *wheel) ticksTo(slot schemes.Tick) schemes.Tick { return (slot+w.M-w.Pointer-1)%w.M + 1 }

// View yields the timers slot by slot. O(n + M).
func (w *wheel) View(yield func(schemes.Place) bool) { w.Places(w.Slots(), w.deadline)(yield) }

// deadline returns the deadline of a timer in a slot.
func (w *wheel) deadline(slot int, r *store.Record) schemes.Tick {
	return w.Now + w.ticksTo(schemes.Tick(slot)) + schemes.Tick(r.Key-1)*w.M
}

func (w *wheel) String() string {
	return store.Draw(w.Now, w.Len(), "id(rounds left)", w.Slots(), w.View)
}
