// Package engine puts a timer scheme on a real clock, under one lock: the part that the
// facilities of package systems have in common. What differs between them is who takes the
// timers that are due, and when.
package engine

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
)

// Scheme is what a facility needs of one.
type Scheme interface {
	schemes.Scheme
	schemes.Restarter
	schemes.Identifier
	schemes.Nexter
	schemes.Advancer
}

// Engine is a scheme on the monotonic clock. Its tick k ends k ticks after it began, and
// the timers due then are never handed out before.
type Engine struct {
	mu      sync.Mutex
	scheme  Scheme
	actions table // of the timers in the scheme, by ID; nil: stopped lazily
	lazy    bool  // stopped timers stay in the scheme until they would have been due
	began   time.Time
	tick    time.Duration
	now     schemes.Tick // that the scheme has passed
	until   schemes.Tick // that the worker sleeps to; 0: it is awake
	wake    chan struct{}
	alarm   *time.Timer // the worker's
	wakeups atomic.Uint64
	closed  bool
	pending int
	due     []func() // of the tick that is being handed out
	expired func(schemes.ID)

	held  func(Operation, time.Duration) // nil: nobody asks
	since time.Time                      // the lock is held, if somebody asks
}

// Operation is what holds an engine's lock.
type Operation int

// Operations.
const (
	Starting Operation = iota
	Stopping
	Resetting
	Ticking // the worker's turn: ticks until something is due, and the hand-out
)

// New returns an engine with a scheme whose clock stands at 0 since began. A lazy one leaves
// stopped timers in the scheme until they would have been due.
func New(s Scheme, began time.Time, tick time.Duration, lazy bool) *Engine {
	e := &Engine{scheme: s, lazy: lazy, began: began, tick: tick, wake: make(chan struct{}, 1)}
	e.expired = func(id schemes.ID) {
		if action := e.actions.release(uint32(id)); action != nil {
			e.pending--
			e.due = append(e.due, action)
		}
	}
	return e
}

// AfterFunc starts a timer.
func (e *Engine) AfterFunc(d time.Duration, action func()) (*Timer, error) {
	t, err := NewTimer(action)
	if err != nil {
		return nil, err
	}
	return t, e.Adopt(t, Deadline(e.began, d))
}

// lock takes the engine's lock.
func (e *Engine) lock() {
	e.mu.Lock()
	if e.held != nil {
		e.since = time.Now()
	}
}

// unlock gives it back, and tells who asks how long it was held.
func (e *Engine) unlock(by Operation) {
	if e.held != nil {
		e.held(by, time.Since(e.since))
	}
	e.mu.Unlock()
}

// TryAdopt starts a timer that is of no engine yet, with a deadline since the engine began.
// It does nothing and returns false if somebody else has the engine's lock.
func (e *Engine) TryAdopt(t *Timer, deadline time.Duration) (done bool, err error) {
	if !e.mu.TryLock() {
		return false, nil
	}
	defer e.mu.Unlock()
	return true, e.adopt(t, deadline)
}

// Adopt is TryAdopt that waits for the lock.
func (e *Engine) Adopt(t *Timer, deadline time.Duration) error {
	e.lock()
	defer e.unlock(Starting)
	return e.adopt(t, deadline)
}

func (e *Engine) adopt(t *Timer, deadline time.Duration) error {
	if e.closed {
		return fmt.Errorf("AfterFunc: %w", systems.ErrClosed)
	}
	t.engine = e
	return e.start(t, deadline)
}

// start lets a timer wait that does not.
func (e *Engine) start(t *Timer, deadline time.Duration) error {
	interval := e.interval(deadline)
	id := e.actions.take(t.action)
	h, err := e.scheme.Start(interval, schemes.ID(id))
	if err != nil {
		e.actions.release(id)
		return fmt.Errorf("AfterFunc, due at %v: %w", deadline, err)
	}
	t.handle = h
	e.pending++
	e.hurry(e.now + interval)
	return nil
}

// stop ends the waiting of a timer. False: it does not wait.
func (e *Engine) stop(t *Timer) bool {
	id, waits := e.scheme.ID(t.handle)
	if !waits {
		return false
	}
	if e.lazy {
		e.actions.forget(uint32(id))
	} else {
		e.scheme.Stop(t.handle)
		e.actions.release(uint32(id))
	}
	t.handle = 0
	e.pending--
	return true
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
	e.scheme, e.actions, e.pending = nil, table{}, 0
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

// Hold runs a function under the engine's lock.
func (e *Engine) Hold(do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	do()
}

// Pending returns the timers that wait.
func (e *Engine) Pending() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.pending
}

// Wakeups returns how often the worker has been woken.
func (e *Engine) Wakeups() uint64 { return e.wakeups.Load() }

// Held returns the timers in the scheme: those that wait, and those stopped lazily.
func (e *Engine) Held() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return int(e.actions.made) - len(e.actions.free)
}
