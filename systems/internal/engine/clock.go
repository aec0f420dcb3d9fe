package engine

import (
	"math"
	"time"

	"timerlab/schemes"
)

// Take waits until timers are due and appends the actions of one tick to the empty slice into,
// the earliest tick first. If stepping is true, it passes every tick by itself and wakes up for
// each; otherwise it skips empty ticks. It returns false once the engine is closed. Only one
// worker at a time may call it.
func (e *Engine) Take(into []func(), stepping bool) ([]func(), bool) {
	for {
		sleep, ok := e.collect(into, stepping)
		if into, e.due = e.due, nil; !ok || len(into) > 0 {
			return into, ok
		}
		e.wait(sleep)
	}
}

// collect appends what is due to into and stores the result in e.due. If nothing is due, it
// returns for how long. It returns false once the engine is closed.
func (e *Engine) collect(into []func(), stepping bool) (sleep time.Duration, ok bool) {
	e.lock()
	defer e.unlock(Ticking)
	e.due, e.sleepUntil = into, 0
	if e.closed {
		return 0, false
	}
	if e.passTicks(stepping); len(e.due) > 0 {
		return 0, true
	}
	e.sleepUntil = e.nextTick(stepping)
	return e.untilWakeup(), true
}

// mostSteps bounds the ticks that a stepping worker passes before it releases the lock: some
// 20 µs of work.
const mostSteps = 4096

// passTicks passes ticks until timers are due, the scheme's clock is up to date, or a stepping
// worker must release the lock.
func (e *Engine) passTicks(stepping bool) {
	last := schemes.Tick(time.Since(e.began) / e.tick) // that has ended
	if stepping {
		last = min(last, e.now+mostSteps)
	}
	for e.now < last && len(e.due) == 0 {
		passed, due := schemes.Tick(1), 0
		if stepping {
			due = e.scheme.PerTick()
		} else {
			passed, due = e.scheme.Advance(last - e.now)
		}
		e.now += passed
		if due > 0 {
			e.scheme.Expire(e.expire)
		}
	}
}

// nextTick returns the tick that the worker must wake up for; the last of the clock if none.
func (e *Engine) nextTick(stepping bool) schemes.Tick {
	if stepping {
		return e.now + 1
	}
	if wait, ok := e.scheme.Next(); ok {
		return e.now + wait
	}
	return math.MaxUint64
}

// untilWakeup returns the time from now to the end of the tick sleepUntil.
func (e *Engine) untilWakeup() time.Duration {
	if e.sleepUntil > schemes.Tick(math.MaxInt64)/schemes.Tick(e.tick) {
		return math.MaxInt64
	}
	return time.Duration(e.sleepUntil)*e.tick - time.Since(e.began)
}

// wait sleeps for d, or until it is woken by signal.
func (e *Engine) wait(d time.Duration) {
	if d <= 0 {
		return
	}
	if e.alarm == nil {
		e.alarm = time.NewTimer(d)
	} else {
		e.alarm.Reset(d)
	}
	select {
	case <-e.alarm.C:
	case <-e.wake:
	}
	e.wakeups.Add(1)
}

// wakeIfEarlier wakes a worker that would sleep past the tick due.
func (e *Engine) wakeIfEarlier(due schemes.Tick) {
	if e.sleepUntil > 0 && due < e.sleepUntil {
		e.sleepUntil = 0
		e.signal()
	}
}

// signal wakes the worker, or keeps it from the next sleep.
func (e *Engine) signal() {
	select {
	case e.wake <- struct{}{}:
	default: // it was signalled before
	}
}

// Interval returns the ticks from the tick now to the first one that ends at the deadline or
// later, at least 1.
func Interval(deadline, tick time.Duration, now schemes.Tick) schemes.Tick {
	due := schemes.Tick(deadline / tick)
	if deadline%tick > 0 {
		due++
	}
	return max(due, now+1) - now
}

// Deadline returns the time from began to d from now, at most 292 years.
func Deadline(began time.Time, d time.Duration) time.Duration {
	passed := time.Since(began)
	return passed + min(max(d, 0), math.MaxInt64-passed)
}
