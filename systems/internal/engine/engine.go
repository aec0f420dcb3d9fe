// Package engine puts a timer scheme on a real clock, under one lock: the part that the
// facilities of package systems have in common. What differs between them is who takes the
// timers that are due, and when.
package engine

import (
	"fmt"
	"math"
	"sync"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
)

// Scheme is what a facility needs of one.
type Scheme interface {
	schemes.Scheme
	schemes.Restarter
	schemes.Nexter
	schemes.Advancer
}

// Engine is a scheme on the monotonic clock. Its tick k ends k ticks after it was made, and
// the timers due then are never handed out before.
type Engine struct {
	mu      sync.Mutex
	scheme  Scheme
	waiting []*Timer // by ID; nil: free
	free    []uint32
	lazy    bool // stopped timers stay in the scheme until they would have been due
	began   time.Time
	tick    time.Duration
	now     schemes.Tick // that the scheme has passed
	until   schemes.Tick // that the worker sleeps to; 0: it is awake
	wake    chan struct{}
	closed  bool
	pending int
	due     []*Timer // of the tick that is being handed out
	expired func(schemes.ID)
}

// Timer is one of an engine. It implements systems.Timer.
type Timer struct {
	engine *Engine
	action func()
	handle schemes.Handle // 0: it does not wait
	id     uint32
}

// New returns an engine with a scheme whose clock stands at 0. A lazy one leaves stopped
// timers in the scheme until they would have been due.
func New(s Scheme, tick time.Duration, lazy bool) *Engine {
	e := &Engine{scheme: s, lazy: lazy, began: time.Now(), tick: tick, wake: make(chan struct{}, 1)}
	e.expired = func(id schemes.ID) {
		t := e.waiting[id]
		e.waiting[id] = nil
		e.free = append(e.free, uint32(id))
		if t == nil { // it was stopped lazily
			return
		}
		t.handle = 0
		e.pending--
		e.due = append(e.due, t)
	}
	return e
}

// AfterFunc starts a timer.
func (e *Engine) AfterFunc(d time.Duration, action func()) (*Timer, error) {
	if action == nil {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrAction)
	}
	t := &Timer{engine: e, action: action}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrClosed)
	}
	return t, e.start(t, d)
}

// start lets a timer wait that does not.
func (e *Engine) start(t *Timer, d time.Duration) error {
	interval := e.interval(d)
	id := e.id(t)
	h, err := e.scheme.Start(interval, schemes.ID(id))
	if err != nil {
		e.waiting[id] = nil
		e.free = append(e.free, id)
		return fmt.Errorf("AfterFunc(%v): %w", d, err)
	}
	t.handle, t.id = h, id
	e.pending++
	e.hurry(e.now + interval)
	return nil
}

// id returns a number under which the scheme knows the timer.
func (e *Engine) id(t *Timer) uint32 {
	if k := len(e.free); k > 0 {
		id := e.free[k-1]
		e.free = e.free[:k-1]
		e.waiting[id] = t
		return id
	}
	e.waiting = append(e.waiting, t)
	return uint32(len(e.waiting) - 1)
}

// stop ends the waiting of a timer.
func (e *Engine) stop(t *Timer) {
	e.waiting[t.id] = nil
	if !e.lazy {
		e.scheme.Stop(t.handle) // it waits, so that this cannot fail
		e.free = append(e.free, t.id)
	}
	t.handle = 0
	e.pending--
}

// interval returns how many ticks from the scheme's clock, which may be behind, end d
// from now or later.
func (e *Engine) interval(d time.Duration) schemes.Tick {
	end := schemes.Tick(Deadline(e.began, d))
	tick := schemes.Tick(e.tick)
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

// Stop implements systems.Timer.
func (t *Timer) Stop() bool {
	e := t.engine
	e.mu.Lock()
	defer e.mu.Unlock()
	if t.handle == 0 || e.closed {
		return false
	}
	e.stop(t)
	return true
}

// Reset implements systems.Timer.
func (t *Timer) Reset(d time.Duration) bool {
	e := t.engine
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false
	}
	if waited := t.handle != 0; !waited || e.lazy {
		if waited {
			e.stop(t)
		}
		_ = e.start(t, d) // there is no way to tell that storage is full
		return waited
	}
	interval := e.interval(d)
	h, err := e.scheme.Restart(t.handle, interval)
	if err != nil {
		return true // it waits as before
	}
	t.handle = h
	e.hurry(e.now + interval)
	return true
}

// passed returns the last tick that has ended.
func (e *Engine) passed() schemes.Tick { return schemes.Tick(time.Since(e.began) / e.tick) }

// Take waits for timers that are due and appends them to those given, those of one tick,
// the earliest first. With stepping the scheme's clock makes every tick one by one, and the
// worker wakes for each. It returns false once the engine is closed. One worker at a time
// may call it.
func (e *Engine) Take(into []*Timer, stepping bool) ([]*Timer, bool) {
	for {
		e.mu.Lock()
		if e.closed {
			e.mu.Unlock()
			return into, false
		}
		e.until = 0
		e.due = into
		e.turn(stepping)
		into, e.due = e.due, nil
		if len(into) > 0 {
			e.mu.Unlock()
			return into, true
		}
		e.until = e.next(stepping)
		sleep := e.sleep()
		e.mu.Unlock()
		e.wait(sleep)
	}
}

// turn passes ticks until one has timers that are due, or the present is reached.
func (e *Engine) turn(stepping bool) {
	for last := e.passed(); e.now < last && len(e.due) == 0; {
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
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-e.wake:
	}
}

// Close drops the timers that wait, wakes the worker, and returns how many there were, and
// whether this is the first Close.
func (e *Engine) Close() (unexpired int, first bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return 0, false
	}
	e.closed = true
	unexpired = e.pending
	e.scheme, e.waiting, e.free, e.pending = nil, nil, nil, 0
	select {
	case e.wake <- struct{}{}:
	default:
	}
	return unexpired, true
}

// Closed reports whether Close has been called.
func (e *Engine) Closed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closed
}
