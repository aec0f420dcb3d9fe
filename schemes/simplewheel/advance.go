package simplewheel

import (
	"math"

	"timerlab/schemes"
)

// Next looks for the first occupied slot and, if the list is ordered, at its head.
// Otherwise it looks at the list's timers only if no slot is occupied. O(M/64), and then
// O(length of the list).
func (e *extended) Next() (wait schemes.Tick, ok bool) {
	if e.AnyDue() {
		return 0, true
	}
	wait, ok = e.Ahead(1, e.M)
	switch {
	case ok && e.refilled || !e.Occupied(e.list()):
		return wait, ok
	case !ok:
		wait = math.MaxUint64
	}
	return min(wait, e.inList()), true
}

// NextEvent looks for the first occupied slot, the head of an ordered list, or the next refill.
// O(M/64).
func (e *extended) NextEvent() (wait schemes.Tick, ok bool) {
	switch wait, ok = e.Wheel.NextEvent(); {
	case ok && wait == 0 || !e.Occupied(e.list()):
		return wait, ok
	case !ok:
		wait = math.MaxUint64 - e.Now
	}
	if !e.refilled {
		return min(wait, e.inList()), true
	}
	return min(wait, e.M-e.Now%e.M), true
}

// inList returns the ticks until the earliest deadline in the list, which is not empty.
func (e *extended) inList() schemes.Tick {
	if !e.refilled {
		return schemes.Tick(e.First(e.list())) - e.Now
	}
	return schemes.Tick(e.Least(e.list())) - e.Now
}

// Advance goes to the earliest deadline, or from one refill to the next. While no slot is
// occupied it steps over refills that would move no timer. O(M/64 + timers due), and
// O(length of the list) for each refill.
func (e *extended) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	most := e.Limit(max, e.AnyDue())
	for passed < most && due == 0 {
		step := e.step(most - passed)
		e.TurnBy(step - 1)
		e.reach = e.covered()
		passed, due = passed+step, e.PerTick()
	}
	return passed, due
}

// step returns after how many ticks, at most `most`, there is work.
func (e *extended) step(most schemes.Tick) schemes.Tick {
	wait, ok := e.Ahead(1, most)
	if !ok {
		wait = most
	}
	switch {
	case !e.Occupied(e.list()):
		return wait
	case !e.refilled:
		return min(wait, e.inList())
	case !ok && most > e.M:
		return min(wait, e.refillOf(e.Now+e.inList()))
	}
	return min(wait, e.M-e.Now%e.M)
}

// refillOf returns the ticks to the refill that moves a timer with this deadline: the last multiple
// of M up to it, or the next one if that has passed.
func (e *extended) refillOf(deadline schemes.Tick) schemes.Tick {
	if at := deadline - deadline%e.M; at > e.Now {
		return at - e.Now
	}
	return e.M - e.Now%e.M
}
