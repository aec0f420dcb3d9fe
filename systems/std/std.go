// Package std provides Go's own timers as a service. The runtime (runtime/time.go as of Go
// 1.26) has a four-ary heap for each processor and runs each action on a goroutine of its own.
// The package adds Close, for which it lists all pending timers: each in one of many lists, so
// that processors seldom contend for a lock.
//
// There are no ticks. An action runs late by the runtime's scheduling delay, which Stats does
// not measure. Options.Tick and Options.Execute have no effect.
package std

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// listCount is well above the number of goroutines that start timers at the same moment.
const listCount = 64

// facility is time.AfterFunc with a Close.
type facility struct {
	lists   [listCount]list
	panics  func(any)
	running atomic.Int64 // actions
	closed  atomic.Bool
	dropped sync.Once
}

// list holds pending timers.
type list struct {
	mu      sync.Mutex
	timers  engine.Table[*timer]
	pending int
	closed  bool           // and dropped
	alive   sync.WaitGroup // runtime timers that are pending or whose function runs
	_       [64]byte       // against false sharing of the locks
}

// timer implements systems.Timer. It is guarded by the lock of its list.
type timer struct {
	facility *facility
	list     *list
	action   func()
	runtime  *time.Timer
	id       uint32 // in the list, if it is pending
	pending  bool
	starts   int // so far: an expiry that lost a race against a Reset belongs to an earlier start
}

// New starts a service.
func New(o systems.Options) (systems.Facility, error) { return &facility{panics: o.Panic}, nil }

// AfterFunc implements systems.Facility.
func (f *facility) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
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
	t.id, t.pending = t.list.timers.Take(t), true
	t.list.pending++
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
	t.list.timers.Release(t.id)
	t.list.pending--
	t.pending = false
	return true
}

// expire runs the action, unless the timer has been stopped, reset or dropped since the start
// with this number.
func (t *timer) expire(start int) {
	f, l := t.facility, t.list
	defer l.alive.Done()
	l.mu.Lock()
	runs := start == t.starts && !f.closed.Load() && t.unlink()
	if runs {
		f.running.Add(1)
		defer f.running.Add(-1)
	}
	l.mu.Unlock()
	if runs {
		engine.Run(t.action, f.panics)
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
	pending, _ := t.TryReset(d)
	return pending
}

// TryReset implements systems.Resetter.
func (t *timer) TryReset(d time.Duration) (pending bool, err error) {
	t.list.mu.Lock()
	defer t.list.mu.Unlock()
	if t.list.closed {
		return false, systems.ErrClosed
	}
	if t.pending && t.runtime.Stop() {
		t.runtime.Reset(d)
		return true, nil
	}
	pending = t.unlink() // expire of the earlier start does nothing
	t.start(d)
	return pending, nil
}

// Close implements systems.Facility.
func (f *facility) Close() (unexpired int, err error) { return f.CloseContext(context.Background()) }

// CloseContext implements systems.Facility.
func (f *facility) CloseContext(ctx context.Context) (unexpired int, err error) {
	f.dropped.Do(func() {
		f.closed.Store(true) // from here on, no action begins
		for i := range f.lists {
			unexpired += f.lists[i].close()
		}
	})
	return unexpired, engine.Wait(ctx, func() int { return int(f.running.Load()) }, func() {
		for i := range f.lists {
			f.lists[i].alive.Wait()
		}
	})
}

// close drops the timers of the list and returns their number.
func (l *list) close() (unexpired int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for t := range l.timers.All() {
		if t != nil {
			t.cancel()
			t.pending = false
		}
	}
	unexpired = l.pending
	l.timers, l.pending = engine.Table[*timer]{}, 0
	return unexpired
}

// Stats implements systems.Facility.
func (f *facility) Stats() (st systems.Stats) {
	for i := range f.lists {
		l := &f.lists[i]
		l.mu.Lock()
		st.Pending += l.pending
		l.mu.Unlock()
	}
	st.Running = int(f.running.Load())
	return st
}
