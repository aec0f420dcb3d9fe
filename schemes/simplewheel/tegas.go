package simplewheel

import (
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// Tegas describes the wheel of the simulator TEGAS-2: one refill a revolution.
var Tegas = schemes.Info{
	Number: 4,
	Name:   tegasName,
	Title:  "Simple wheel of one cycle, overflow list refilled from each revolution",
	Doc:    Info.Doc,
	Kind:   schemes.Wheel,
	Study:  true,
	New:    newTegas,
	Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	Bytes:  store.WheelBytes,
}

const tegasName = "simplewheel-tegas"

// tegas is scheme 4 with an overflow list for the timers that its slots do not cover, so that it
// takes every interval. On each multiple of M the slots are refilled from the list. A waiting
// timer's Key is its deadline in both. Invariant: the slots cover the next reach-1 ticks, which end
// with the revolution, and the timers of the list expire beyond those.
type tegas struct {
	wheel
	reach schemes.Tick // the shortest interval that goes into the list
}

func newTegas(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := store.NewWheel(tegasName, cfg, 1)
	if err != nil {
		return nil, err
	}
	e := &tegas{wheel: wheel{w}}
	e.reach = e.left()
	return e, nil
}

func (e *tegas) list() uint32 { return store.FirstSlot + uint32(e.M) }

// left returns the ticks to the next refill, which is the right value of reach.
func (e *tegas) left() schemes.Tick { return e.M - e.Now%e.M }

// Start puts the timer into its slot, or at the end of the list. O(1).
func (e *tegas) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !e.Accepts(interval) {
		return e.Admit(e, interval, id)
	}
	i, r := e.Make(id, uint64(e.Now+interval))
	e.Insert(e.place(interval), i, r)
	return r.Handle(), nil
}

// place returns the head of the slot, or of the list, for a timer of this interval.
func (e *tegas) place(interval schemes.Tick) (head uint32) {
	if interval < e.reach {
		return e.Slot(interval)
	}
	return e.list()
}

// PerTick moves the timers of the pointer's next slot to the due list, after a refill if
// it is time for one. O(1 + timers due), and for a refill O(length of the list).
func (e *tegas) PerTick() int {
	if e.Ended() {
		return 0
	}
	if e.reach--; e.reach == 0 {
		e.reach = e.M
		e.refill()
	}
	return e.wheel.PerTick()
}

// refill migrates the timers of the list that are due in the next M ticks into their
// slots. The clock and the pointer have not advanced yet: a timer that is due on the very
// next tick goes through its slot as well.
func (e *tegas) refill() {
	visits, migrations := uint64(0), uint64(0)
	for i := e.At(e.list()).Next; i != e.list(); visits++ {
		r := e.At(i)
		next, left := r.Next, schemes.Tick(r.Key)-e.Now
		if left <= e.M {
			e.Unlink(r)
			e.Insert(e.Slot(left), i, r)
			migrations++
		}
		i = next
	}
	e.Tally.Visits += visits
	e.Tally.Migrations += migrations
}

// Restart moves the timer to its new place. O(1).
func (e *tegas) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !e.Names(h) || !e.Renews(h, interval) {
		return e.Replace(e, h, interval)
	}
	r := e.At(uint32(h))
	h = e.Renew(h, r, uint64(e.Now+interval))
	e.Insert(e.place(interval), uint32(h), r)
	return h, nil
}

// Check verifies the wheel and the list. O(n + M).
func (e *tegas) Check() error {
	return e.CheckStore(func() (int, error) {
		if e.reach != e.left() {
			return 0, fmt.Errorf("reach is %d ticks, but the clock (%d) says %d", e.reach, e.Now, e.left())
		}
		inSlots, err := e.CheckTimers(e.Now%e.M, e.accept)
		if err != nil {
			return 0, err
		}
		// The list is checked for ticks left, not for deadlines: the end of what the slots cover may
		// lie past the clock's end.
		inList, err := e.CheckRing(e.list(), func(i uint32, r *store.Record) error {
			left := schemes.Tick(r.Key) - e.Now
			if left < e.reach || left > math.MaxUint64-e.Now {
				return fmt.Errorf("overflow list: timer %d expires at %d, its place is for %d ticks from now or later",
					r.ID, r.Key, e.reach)
			}
			return nil
		})
		return inSlots + inList, err
	})
}

// accept returns an error if a timer does not belong into this slot, or not yet.
func (e *tegas) accept(slot schemes.Tick, r *store.Record) error {
	if err := e.wheel.accept(slot, r); err != nil {
		return err
	}
	if schemes.Tick(r.Key)-e.Now >= e.reach {
		return fmt.Errorf("timer %d expires at %d, which the slots do not cover", r.ID, r.Key)
	}
	return nil
}

// View yields the timers slot by slot, then those of the list. O(n + M).
func (e *tegas) View(yield func(schemes.Place) bool) { e.Places(nil, 1)(yield) }

// String draws the wheel and the list.
func (e *tegas) String() string {
	return e.Draw(e.Len(), "id(deadline)", e.View, store.DrawnWheel{Level: schemes.Overflow, Label: "overflow:"})
}

// NextEvent looks for the first occupied slot, or the next refill if a timer is in the list. O(M/64).
func (e *tegas) NextEvent() (wait schemes.Tick, ok bool) {
	wait, ok = e.Wheel.NextEvent()
	switch {
	case !e.Occupied(e.list()):
		return wait, ok
	case !ok:
		wait = math.MaxUint64 - e.Now
	}
	return min(wait, e.reach), true
}

// Advance goes from one refill to the next. While no slot is occupied it steps over refills that
// would move no timer. O(M/64 + timers due), and O(length of the list) for each refill.
func (e *tegas) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	most := e.Limit(max, e.AnyDue())
	for passed < most && due == 0 {
		step := e.step(most - passed)
		e.TurnBy(step - 1)
		e.reach = e.left()
		passed, due = passed+step, e.PerTick()
	}
	return passed, due
}

// step returns after how many ticks, at most `most`, there is work.
func (e *tegas) step(most schemes.Tick) schemes.Tick {
	wait, ok := e.Ahead(1, most)
	if !ok {
		wait = most
	}
	switch {
	case !e.Occupied(e.list()):
		return wait
	case !ok && most > e.M: // to the refill that moves the earliest: the last multiple of M up to its deadline
		deadline := schemes.Tick(e.Least(e.list()))
		if refill := deadline - deadline%e.M; refill > e.Now {
			return min(wait, refill-e.Now)
		}
	}
	return min(wait, e.reach)
}
