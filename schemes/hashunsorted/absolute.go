package hashunsorted

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// Absolute describes scheme 6 with deadlines in place of rounds.
var Absolute = describe("absolute", "Hashed wheel, unsorted lists of deadlines",
	func(w store.Wheel) schemes.Scheme { return &absolute{w} })

// describe returns a variant of scheme 6 for study, made of its wheel.
func describe(suffix, title string, of func(store.Wheel) schemes.Scheme) schemes.Info {
	v := Info
	v.Name += "-" + suffix
	v.Title = title
	v.Study = true
	v.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		w, err := store.NewWheel(v.Name, cfg, 0)
		if err != nil {
			return nil, err
		}
		return of(w), nil
	}
	return v
}

// absolute is the module of scheme 6 with deadlines. Invariant: a waiting timer's Key is its
// deadline, later than Now, and it is in slot Key mod M.
type absolute struct{ store.Wheel }

// Start puts the timer into its slot. O(1).
func (a *absolute) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !a.Accepts(interval) {
		return a.StartSlow(a, interval, id)
	}
	i, r := a.Make(id, uint64(a.Now+interval))
	a.Insert(a.Slot(interval), i, r)
	return r.Handle(), nil
}

// PerTick compares the clock with every timer of its slot. O(n/M) on average
// where intervals are long against M, O(n) at worst.
func (a *absolute) PerTick() int {
	if a.Ended() {
		return 0
	}
	slot := a.TurnBy(1)
	if !a.Occupied(slot) {
		a.Tally.EmptySlots++
		return 0
	}
	return a.moveExact(slot)
}

// moveExact moves the timers of the slot at head whose deadline is the present tick to the
// due list and returns their number. O(timers in the slot).
func (a *absolute) moveExact(head uint32) (due int) {
	visits := 0
	for i := a.At(head).Next; i != head; visits++ {
		r := a.At(i)
		next := r.Next
		if r.Key == uint64(a.Now) {
			a.MakeDue(i, r)
			due++
		}
		i = next
	}
	a.Tally.Visits += uint64(visits)
	return due
}

// Restart moves the timer to its new slot. O(1).
func (a *absolute) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !a.Names(h) || !a.Renews(h, interval) {
		return a.RestartSlow(a, h, interval)
	}
	r := a.At(uint32(h))
	h = a.Renew(h, r, uint64(a.Now+interval))
	a.Insert(a.Slot(interval), uint32(h), r)
	return h, nil
}

// Next looks at the timers of the occupied slots, as far as one may be the first. O(M/64 + n).
func (a *absolute) Next() (wait schemes.Tick, ok bool) { return a.NextBy(a.least) }

// least returns the ticks until the first timer in the slot at head is due. O(timers in the slot).
func (a *absolute) least(head uint32, _ schemes.Tick) schemes.Tick {
	return schemes.Tick(a.Least(head)) - a.Now
}

// Advance looks as Next does, but no further than max, and goes there. O(M/64 + n).
func (a *absolute) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = a.Limit(max, a.AnyDue()); passed == 0 {
		return 0, 0
	}
	passed, _ = a.Earliest(passed, a.least)
	if slot := a.TurnBy(passed); a.Occupied(slot) {
		due = a.moveExact(slot)
	}
	return passed, due
}

// Check verifies the wheel. O(n + M).
func (a *absolute) Check() error {
	return a.CheckWheel(func(slot schemes.Tick, r *store.Record) error {
		if deadline := schemes.Tick(r.Key); deadline <= a.Now || deadline%a.M != slot {
			return fmt.Errorf("timer %d expires at %d, which is not a coming turn of this slot", r.ID, r.Key)
		}
		return nil
	})
}
