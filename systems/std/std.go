// Package std provides Go's own timers as a facility. The runtime (runtime/time.go as of Go
// 1.26) has a four-ary heap for each processor and runs each action on a goroutine of its own.
// The package adds Close, for which it lists all pending timers: each in one of many lists, so
// that processors seldom contend for a lock.
//
// There are no ticks. An action runs late by the runtime's scheduling delay.
package std

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// listCount is well above the number of goroutines that start timers at the same moment.
const listCount = 64

// Facility is time.AfterFunc. It implements systems.Facility.
type Facility struct {
	lists   [listCount]list
	handler func(any)
}

// list holds pending timers.
type list struct {
	mu      sync.Mutex
	pending engine.Table[*timer]
	closed  bool
	alive   sync.WaitGroup // runtime timers that are pending or whose function runs
	_       [64]byte       // against false sharing of the locks
}

// timer implements systems.Timer. It is guarded by the lock of its list.
type timer struct {
	facility *Facility
	list     *list
	action   func()
	runtime  *time.Timer
	id       uint32 // in the list, if it is pending
	pending  bool
	starts   int // so far: an expiry that lost a race against a Reset belongs to an earlier start
}

// New returns a facility. If handler is nil, a panic of an action ends the program; otherwise
// handler is called with its value.
func New(handler func(value any)) *Facility { return &Facility{handler: handler} }

// AfterFunc implements systems.Facility.
func (f *Facility) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if action == nil {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrAction)
	}
	l := &f.lists[rand.N(listCount)]
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrClosed)
	}
	t := &timer{facility: f, list: l, action: action}
	t.start(d)
	return t, nil
}

// start starts a timer that is not pending.
func (t *timer) start(d time.Duration) {
	t.starts++
	start := t.starts
	t.id, t.pending = t.list.pending.Take(t), true
	t.list.alive.Add(1)
	t.runtime = time.AfterFunc(d, func() { t.expire(start) })
}

// cancel stops the runtime's timer, unless that is about to call expire.
func (t *timer) cancel() {
	if t.runtime.Stop() {
		t.list.alive.Done()
	}
}

// unlink removes the timer from its list and reports whether it was pending.
func (t *timer) unlink() bool {
	if !t.pending {
		return false
	}
	t.list.pending.Release(t.id)
	t.pending = false
	return true
}

// expire runs the action, unless the timer has been stopped, reset or dropped since the start
// with this number.
func (t *timer) expire(start int) {
	defer t.list.alive.Done()
	t.list.mu.Lock()
	runs := start == t.starts && t.unlink()
	t.list.mu.Unlock()
	if runs {
		engine.Guard(t.action, t.facility.handler)
	}
}

// Stop implements systems.Timer.
func (t *timer) Stop() bool {
	t.list.mu.Lock()
	defer t.list.mu.Unlock()
	t.cancel()
	return t.unlink()
}

// Reset implements systems.Timer.
func (t *timer) Reset(d time.Duration) bool {
	t.list.mu.Lock()
	defer t.list.mu.Unlock()
	if t.list.closed {
		return false
	}
	if t.pending && t.runtime.Stop() {
		t.runtime.Reset(d)
		return true
	}
	wasPending := t.unlink() // expire of the earlier start does nothing
	t.start(d)
	return wasPending
}

// Close implements systems.Facility.
func (f *Facility) Close() (unexpired int) {
	for i := range f.lists {
		unexpired += f.lists[i].close()
	}
	for i := range f.lists {
		f.lists[i].alive.Wait()
	}
	return unexpired
}

// close drops the timers of the list and returns their number.
func (l *list) close() (unexpired int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for t := range l.pending.All() {
		if t != nil {
			t.cancel()
			t.pending = false
		}
	}
	unexpired = l.pending.Len()
	l.pending = engine.Table[*timer]{}
	return unexpired
}
