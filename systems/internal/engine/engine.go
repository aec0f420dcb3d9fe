// Package engine runs a timer scheme on the real clock, under one lock. It is what most
// facilities of package systems have in common; they differ in who waits for due timers and
// who runs the actions.
package engine

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
)

// Scheme is what an engine requires of a scheme.
type Scheme interface {
	schemes.Scheme
	schemes.Restarter
	schemes.Identifier
	schemes.Nexter
	schemes.Advancer
}

// Engine runs a scheme on the monotonic clock. Its tick k ends k ticks after it began; a timer
// due on tick k is never handed out before that.
type Engine struct {
	mu         sync.Mutex
	scheme     Scheme
	mode       Mode
	actions    Table[func()] // of the timers in the scheme, by ID
	began      time.Time
	tick       time.Duration
	now        schemes.Tick // the scheme's clock
	sleepUntil schemes.Tick // 0 while the worker is awake
	wake       chan struct{}
	alarm      *time.Timer // the worker's; nil before its first sleep
	wakeups    atomic.Uint64
	closed     bool
	pending    int
	due        []func() // actions of the tick that was collected last
	expire     func(schemes.ID)
	lockedAt   time.Time // only if mode.OnUnlock is set
}

// Mode is how the engines and workers of facilities differ.
type Mode struct {
	Workers  int  // of a Facility; 0 is 1
	Stepping bool // the worker wakes up for every tick, not only when a timer is due
	Lazy     bool // stopped timers stay in the scheme, without an action, until their deadline

	// OnUnlock is called under the lock with the time for which that was held, unless it is
	// nil.
	OnUnlock func(op Operation, held time.Duration)
}

// Operation is what an engine was locked for.
type Operation int

// The operations.
const (
	Starting Operation = iota
	Stopping
	Resetting
	Ticking // the worker passes ticks until something is due, and collects it
)

// New returns an engine for a scheme whose clock was 0 when the engine began.
func New(s Scheme, began time.Time, tick time.Duration, m Mode) *Engine {
	e := &Engine{scheme: s, mode: m, began: began, tick: tick, wake: make(chan struct{}, 1)}
	e.expire = func(id schemes.ID) {
		if action := e.actions.Release(uint32(id)); action != nil {
			e.pending--
			e.due = append(e.due, action)
		}
	}
	return e
}

func (e *Engine) lock() {
	e.mu.Lock()
	if e.mode.OnUnlock != nil {
		e.lockedAt = time.Now()
	}
}

func (e *Engine) unlock(op Operation) {
	if e.mode.OnUnlock != nil {
		e.mode.OnUnlock(op, time.Since(e.lockedAt))
	}
	e.mu.Unlock()
}

// AfterFunc starts a timer.
func (e *Engine) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	t, err := NewTimer(action)
	if err != nil {
		return nil, err
	}
	if err := e.Start(t, Deadline(e.began, d)); err != nil {
		return nil, err
	}
	return t, nil
}

// Start starts a timer that belongs to no engine yet. The deadline counts from the engine's
// beginning.
func (e *Engine) Start(t *Timer, deadline time.Duration) error {
	t.engine = e
	e.lock()
	defer e.unlock(Starting)
	return e.start(t, deadline)
}

// TryStart is Start if the engine's lock is free. Otherwise it does nothing and returns false.
func (e *Engine) TryStart(t *Timer, deadline time.Duration) (locked bool, err error) {
	if !e.mu.TryLock() {
		return false, nil
	}
	defer e.mu.Unlock()
	t.engine = e
	return true, e.start(t, deadline)
}

// start puts a timer that is not pending into the scheme.
func (e *Engine) start(t *Timer, deadline time.Duration) error {
	if e.closed {
		return fmt.Errorf("AfterFunc: %w", systems.ErrClosed)
	}
	interval := Interval(deadline, e.tick, e.now)
	id := e.actions.Take(t.action)
	h, err := e.scheme.Start(interval, schemes.ID(id))
	if err != nil {
		e.actions.Release(id)
		return fmt.Errorf("AfterFunc, deadline %v: %w", deadline, err)
	}
	t.handle = h
	e.pending++
	e.wakeIfEarlier(e.now + interval)
	return nil
}

// stop reports whether the timer was pending. It is not afterwards.
func (e *Engine) stop(t *Timer) bool {
	id, pending := e.scheme.ID(t.handle)
	if !pending {
		return false
	}
	if e.mode.Lazy {
		e.actions.Clear(uint32(id))
	} else {
		e.scheme.Stop(t.handle)
		e.actions.Release(uint32(id))
	}
	t.handle = 0
	e.pending--
	return true
}

// Close drops all pending timers, wakes the worker, and returns the number of timers dropped
// and whether this is the first Close.
func (e *Engine) Close() (unexpired int, first bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return 0, false
	}
	e.closed = true
	unexpired = e.pending
	e.scheme, e.actions, e.pending = nil, Table[func()]{}, 0
	e.signal()
	return unexpired, true
}

// Closed reports whether Close has been called.
func (e *Engine) Closed() (closed bool) {
	e.WithLock(func() { closed = e.closed })
	return closed
}

// Stored returns the number of timers in the scheme, those stopped lazily included.
func (e *Engine) Stored() (n int) {
	e.WithLock(func() { n = e.actions.Len() })
	return n
}

// WithLock calls f while it holds the engine's lock.
func (e *Engine) WithLock(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f()
}

// Wakeups returns how often the worker woke up.
func (e *Engine) Wakeups() uint64 { return e.wakeups.Load() }
