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

// service is time.AfterFunc with a Close.
type service struct {
	opened  time.Time
	lists   [64]list // well above the number of goroutines that start timers at the same moment
	panics  func(any)
	running atomic.Int64 // actions
	closed  atomic.Bool
	dropped sync.Once
	ending  engine.Ending
}

// list holds pending timers.
type list struct {
	mu      sync.Mutex
	first   *timer
	pending int
	closed  bool
	alive   sync.WaitGroup // runtime timers that are pending or whose function runs
	_       [64]byte       // against false sharing of the locks
}

// timer implements systems.Timer. It is guarded by the lock of its list.
type timer struct {
	service *service
	list    *list
	action  func()
	runtime *time.Timer
	starts  int // so far: an expiry that lost a race against a Reset belongs to an earlier start

	// In the list, if the timer is pending: that means a back that is not nil.
	next *timer
	back **timer // the pointer to this timer
}

// New starts a service.
func New(o systems.Options) (systems.Service, error) {
	return &service{opened: time.Now(), panics: o.Panic}, nil
}

// AfterFunc implements systems.Service.
func (f *service) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if action == nil {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrAction)
	}
	t := &timer{service: f, list: &f.lists[rand.N(len(f.lists))], action: action}
	if _, err := t.TryReset(d); err != nil {
		return nil, fmt.Errorf("AfterFunc: %w", err)
	}
	return t, nil
}

func (t *timer) pending() bool { return t.back != nil }

func (t *timer) unlink() {
	*t.back = t.next
	if t.next != nil {
		t.next.back = t.back
	}
	t.next, t.back = nil, nil
	t.list.pending--
}

// cancel reports whether the timer was pending. It is not afterwards.
func (t *timer) cancel() bool {
	if !t.pending() {
		return false
	}
	t.unlink()
	if t.runtime.Stop() { // else it is about to call expire
		t.list.alive.Done()
	}
	return true
}

// expire runs the action, unless the timer has been stopped, reset or dropped since the start with this number.
func (t *timer) expire(start int) {
	f, l := t.service, t.list
	defer l.alive.Done()
	l.mu.Lock()
	runs := start == t.starts && t.pending() && !f.closed.Load()
	if runs {
		t.unlink()
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
	return t.cancel()
}

// Reset implements systems.Timer.
func (t *timer) Reset(d time.Duration) bool {
	pending, _ := t.TryReset(d) // false with its only error, ErrClosed
	return pending
}

// TryReset implements systems.Resetter.
func (t *timer) TryReset(d time.Duration) (pending bool, err error) {
	engine.CheckClock(time.Since(t.service.opened)) // the runtime would accept what never runs, and end the program later
	l := t.list
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false, systems.ErrClosed
	}
	if pending = t.pending(); !pending {
		t.next, t.back = l.first, &l.first
		if t.next != nil {
			t.next.back = &t.next
		}
		l.first = t
		l.pending++
	} else if t.runtime.Stop() {
		t.runtime.Reset(d)
		return true, nil
	}
	t.starts++ // expire of an earlier start does nothing
	start := t.starts
	l.alive.Add(1)
	t.runtime = time.AfterFunc(d, func() { t.expire(start) })
	return pending, nil
}

// Close implements systems.Service.
func (f *service) Close() (unexpired int, err error) { return f.CloseContext(context.Background()) }

// CloseContext implements systems.Service.
func (f *service) CloseContext(ctx context.Context) (unexpired int, err error) {
	f.dropped.Do(func() {
		f.closed.Store(true) // from here on, no action begins
		for i := range f.lists {
			unexpired += f.lists[i].drop()
		}
	})
	return unexpired, f.ending.Wait(ctx, func() int { return int(f.running.Load()) }, func() {
		for i := range f.lists {
			f.lists[i].alive.Wait()
		}
	})
}

// drop drops the timers of the list and returns their number.
func (l *list) drop() (unexpired int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for ; l.first != nil; unexpired++ {
		l.first.cancel()
	}
	return unexpired
}

// Stats implements systems.Service.
func (f *service) Stats() (st systems.Stats) {
	for i := range f.lists {
		l := &f.lists[i]
		l.mu.Lock()
		st.Pending += l.pending
		l.mu.Unlock()
	}
	st.Running = int(f.running.Load())
	return st
}
