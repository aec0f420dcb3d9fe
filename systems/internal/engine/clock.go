package engine

import (
	"math"
	"time"

	"timerlab/schemes"
)

// Take waits until timers are due and returns the actions of one tick, the earliest tick first,
// in a slice that the next Take reuses. An engine in stepping mode passes every tick by itself
// and wakes up for each; otherwise it skips empty ticks. Take returns false once the engine is
// closed. Only one worker at a time may call it.
func (e *Engine) Take() ([]func(), bool) {
	for {
		sleep, ok := e.collect()
		if !ok || len(e.due) > 0 {
			return e.due, ok
		}
		e.wait(sleep)
	}
}

// collect stores what is due in e.due. If nothing is, it returns for how long. It returns false
// once the engine is closed.
func (e *Engine) collect() (sleep time.Duration, ok bool) {
	e.lock()
	defer e.unlock(Ticking)
	e.due, e.sleepUntil = e.due[:0], 0
	if e.closed {
		return 0, false
	}
	if e.passTicks(); len(e.due) == 0 {
		e.sleepUntil = e.nextTick()
		sleep = e.untilWakeup()
	}
	return sleep, true
}

// mostSteps bounds the ticks that a stepping worker passes before it releases the lock: some
// 20 µs of work.
const mostSteps = 4096

// passTicks passes ticks until timers are due, the scheme's clock is up to date, or a stepping
// worker must release the lock.
func (e *Engine) passTicks() {
	last := schemes.Tick(time.Since(e.began) / e.tick) // that has ended
	if e.mode.Stepping {
		last = min(last, e.now+mostSteps)
	}
	for e.now < last && len(e.due) == 0 {
		passed, due := schemes.Tick(1), 0
		if e.mode.Stepping {
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
func (e *Engine) nextTick() schemes.Tick {
	if e.mode.Stepping {
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
