package engine

import (
	"math"
	"time"

	"timerlab/schemes"
)

// Take waits for timers that are due and puts their actions, those of one tick, into an empty
// slice, the earliest first. With stepping the scheme's clock makes every tick one by one, and the
// worker wakes for each. It returns false once the engine is closed. One worker at a time
// may call it.
func (e *Engine) Take(into []func(), stepping bool) ([]func(), bool) {
	for {
		sleep, ok := e.collect(into, stepping)
		if into, e.due = e.due, nil; !ok || len(into) > 0 {
			return into, ok
		}
		e.wait(sleep)
	}
}

// collect puts what is due behind into, and tells how long nothing else will be. False: the
// engine is closed.
func (e *Engine) collect(into []func(), stepping bool) (sleep time.Duration, ok bool) {
	e.lock()
	defer e.unlock(Ticking)
	e.due, e.until = into, 0
	if e.closed {
		return 0, false
	}
	if e.turn(stepping); len(e.due) > 0 {
		return 0, true
	}
	e.until = e.next(stepping)
	return e.sleep(), true
}

// turn passes ticks until one has timers that are due, or the present is reached, or a worker
// that steps and is behind must let others have the lock.
func (e *Engine) turn(stepping bool) {
	last := e.passed()
	if stepping {
		last = min(last, e.now+mostSteps)
	}
	for e.now < last && len(e.due) == 0 {
		due := 0
		if stepping {
			due = e.scheme.PerTick()
			e.now++
		} else {
			var passed schemes.Tick
			passed, due = e.scheme.Advance(last - e.now)
			e.now += passed
		}
		if due > 0 {
			e.scheme.Expire(e.expired)
		}
	}
}

// passed returns the last tick that has ended.
func (e *Engine) passed() schemes.Tick { return schemes.Tick(time.Since(e.began) / e.tick) }

// mostSteps bounds the ticks that are passed one by one while the lock is held: some 20 µs.
const mostSteps = 4096

// never is a tick to which nobody sleeps.
const never = math.MaxUint64

// next returns the tick at which the worker has something to do.
func (e *Engine) next(stepping bool) schemes.Tick {
	if stepping {
		return e.now + 1
	}
	if wait, ok := e.scheme.Next(); ok {
		return e.now + wait
	}
	return never
}

// sleep returns how long it is to the tick that the worker sleeps to.
func (e *Engine) sleep() time.Duration {
	if e.until > schemes.Tick(math.MaxInt64)/schemes.Tick(e.tick) {
		return math.MaxInt64
	}
	return time.Duration(e.until)*e.tick - time.Since(e.began)
}

// wait sleeps until somebody wakes it.
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

// hurry wakes a worker that would sleep past a tick.
func (e *Engine) hurry(due schemes.Tick) {
	if e.until > 0 && due < e.until {
		e.until = 0
		select {
		case e.wake <- struct{}{}:
		default: // it is being woken
		}
	}
}

// interval returns the ticks from the scheme's clock, which may be behind, to the first one
// that ends at a deadline or later.
func (e *Engine) interval(deadline time.Duration) schemes.Tick {
	end, tick := schemes.Tick(deadline), schemes.Tick(e.tick)
	due := end / tick
	if end%tick > 0 {
		due++
	}
	if due <= e.now {
		return 1
	}
	return due - e.now
}

// Deadline returns the time since a beginning at which d has passed from now; what would be
// beyond 292 years is then.
func Deadline(began time.Time, d time.Duration) time.Duration {
	passed := time.Since(began)
	return passed + min(max(d, 0), math.MaxInt64-passed)
}
