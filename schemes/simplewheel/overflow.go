package simplewheel

import (
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
	"timerlab/schemes/ordered"
)

// Overflow describes scheme 4 within its range and scheme 2 beyond it.
var Overflow = describe("overflow", "Simple wheel, ordered list beyond its range", false)

// Tegas describes the wheel of the simulator TEGAS-2: one refill a revolution.
var Tegas = describe("tegas",
	"Simple wheel of one cycle, overflow list refilled from each revolution", true)

// describe returns scheme 4 with an overflow list, for study, from which the slots are refilled once a
// revolution, or whose timers expire from it.
func describe(suffix, title string, refilled bool) schemes.Info {
	v := Info
	v.Name += "-" + suffix
	v.Title = title
	v.Study = true
	v.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		w, err := store.NewWheel(v.Name, cfg, 1)
		if err != nil {
			return nil, err
		}
		e := &extended{wheel: wheel{w}, refilled: refilled}
		e.reach = e.covered()
		return e, nil
	}
	v.Range = func(schemes.Config) schemes.Tick { return math.MaxUint64 }
	return v
}

// extended is scheme 4 with an overflow list for the timers that its slots do
// not cover, so that it takes every interval. A waiting timer's Key is its
// deadline in both. Invariant of the slots: they cover the next reach-1
// ticks. Invariant of the list: if it is refilled from, its timers expire after
// these ticks; if not, its keys never fall along it, as in scheme 2.
type extended struct {
	wheel
	refilled bool         // the slots are refilled from the list, on each multiple of M; else timers expire from it
	reach    schemes.Tick // the shortest interval that goes into the list
}

func (e *extended) list() uint32 { return store.FirstSlot + uint32(e.M) }

// covered returns the right value of reach: M+1, or with refills what is left of the revolution.
func (e *extended) covered() schemes.Tick {
	if !e.refilled {
		return e.M + 1
	}
	return e.M - e.Now%e.M
}

// Start puts the timer into its slot, O(1), or into the list: O(1) at its end, or
// O(timers passed) if it is ordered.
func (e *extended) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !e.Accepts(interval) {
		return e.StartSlow(e, interval, id)
	}
	i, r := e.Make(id, uint64(e.Now+interval))
	e.Insert(e.place(interval), i, r)
	return r.Handle(), nil
}

// place returns the record, or the head, before which the timer belongs.
func (e *extended) place(interval schemes.Tick) (at uint32) {
	switch {
	case interval < e.reach:
		return e.Slot(interval)
	case !e.refilled:
		return ordered.Search(&e.Store, e.list(), uint64(e.Now+interval))
	default:
		return e.list()
	}
}

// PerTick moves the timers of the pointer's next slot to the due list, after a refill if
// it is time for one. If there are no refills, it also moves the timers at the list's head that
// are due. O(1 + timers due), and for a refill O(length of the list).
func (e *extended) PerTick() int {
	switch {
	case e.Ended():
		return 0
	case !e.refilled:
		return e.wheel.PerTick() + e.expireList()
	}
	if e.reach--; e.reach == 0 {
		e.reach = e.M
		e.refill(e.M)
	}
	return e.wheel.PerTick()
}

// expireList moves the due timers at the head of the ordered list. O(1 + timers due).
func (e *extended) expireList() (due int) {
	for i := e.At(e.list()).Next; i != e.list(); i = e.At(e.list()).Next {
		r := e.At(i)
		e.Tally.Visits++
		if r.Key > uint64(e.Now) {
			break
		}
		e.MakeDue(i, r)
		due++
	}
	return due
}

// refill migrates the timers of the list that are due in the next `ticks` ticks into
// their slots. The clock and the pointer have not advanced yet: a timer that is due on the very
// next tick goes through its slot as well.
func (e *extended) refill(ticks schemes.Tick) {
	visits, migrations := uint64(0), uint64(0)
	for i := e.At(e.list()).Next; i != e.list(); visits++ {
		r := e.At(i)
		next, left := r.Next, schemes.Tick(r.Key)-e.Now
		if left <= ticks {
			e.Unlink(r)
			e.Insert(e.Slot(left), i, r)
			migrations++
		}
		i = next
	}
	e.Tally.Visits += visits
	e.Tally.Migrations += migrations
}

// Restart moves the timer to its new place, which it finds as Start does.
func (e *extended) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !e.Names(h) || !e.Renews(h, interval) {
		return e.RestartSlow(e, h, interval)
	}
	r := e.At(uint32(h))
	h = e.Renew(h, r, uint64(e.Now+interval))
	e.Insert(e.place(interval), uint32(h), r)
	return h, nil
}

// Check verifies the wheel and the list. O(n + M).
func (e *extended) Check() error {
	return e.CheckStore(func() (int, error) {
		if e.reach != e.covered() {
			return 0, fmt.Errorf("reach is %d ticks, but the clock (%d) says %d", e.reach, e.Now, e.covered())
		}
		inSlots, err := e.CheckTimers(e.accept)
		if err != nil {
			return 0, err
		}
		// The list is checked for ticks left, not for deadlines: the end of what the slots cover may
		// lie past the clock's end.
		least := e.reach
		if !e.refilled {
			least = 1
		}
		inList, err := e.CheckRing(e.list(), func(i uint32, r *store.Record) error {
			left := schemes.Tick(r.Key) - e.Now
			if left < least || left > math.MaxUint64-e.Now {
				return fmt.Errorf("overflow list: timer %d expires at %d, its place is for %d ticks from now or later",
					r.ID, r.Key, least)
			}
			if !e.refilled {
				least = left
			}
			return nil
		})
		return inSlots + inList, err
	})
}

// accept returns an error if a timer does not belong into this slot, or not yet.
func (e *extended) accept(slot schemes.Tick, r *store.Record) error {
	if err := e.wheel.accept(slot, r); err != nil {
		return err
	}
	if schemes.Tick(r.Key)-e.Now >= e.reach {
		return fmt.Errorf("timer %d expires at %d, which the slots do not cover", r.ID, r.Key)
	}
	return nil
}

// View yields the timers slot by slot, then the list. O(n + M).
func (e *extended) View(yield func(schemes.Place) bool) { e.Places(e.slots(), nil)(yield) }

func (e *extended) String() string {
	return store.Draw(e.Now, e.Len(), "id(deadline)", e.slots(), e.View)
}

func (e *extended) slots() []store.Slots {
	return e.Slots(store.Slots{First: e.list(), Level: schemes.Overflow, Label: "overflow:"})
}

// Next looks at all timers. O(n + M).
func (e *extended) Next() (wait schemes.Tick, ok bool) { return e.Clock.Earliest(e.View) }

// NextEvent looks for the first occupied slot, the head of an ordered list, or the next refill.
// O(M/64).
func (e *extended) NextEvent() (wait schemes.Tick, ok bool) {
	switch wait, ok = e.Wheel.NextEvent(); {
	case ok && wait == 0 || !e.Occupied(e.list()):
		return wait, ok
	case !ok:
		wait = math.MaxUint64 - e.Now
	}
	if e.refilled {
		return min(wait, e.reach), true
	}
	return min(wait, schemes.Tick(e.First(e.list()))-e.Now), true
}

// Advance goes to the earliest deadline, with one refill for all that are on the way. It looks at an unsorted
// list only if it passes a refill, which walks the list too. O(M/64 + timers due), and then O(length of the list).
func (e *extended) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = e.Limit(max, e.AnyDue()); passed == 0 {
		return 0, 0
	}
	if wait, ok := e.Ahead(1, e.M); ok {
		passed = min(passed, wait)
	}
	if list := e.list(); e.Occupied(list) && !e.refilled {
		passed = min(passed, schemes.Tick(e.First(list))-e.Now)
	} else if passed > e.reach {
		passed = min(passed, schemes.Tick(e.Least(list))-e.Now)
	}
	refill := e.refilled && passed > e.reach
	e.TurnBy(passed - 1)
	e.reach = e.covered()
	if refill {
		e.refill(e.reach - 1)
	}
	return passed, e.PerTick()
}
