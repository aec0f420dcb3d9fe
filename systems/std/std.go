// Package std is Go's own timers behind the interface of the others: a heap with four
// children a node for each processor, whose actions run each on a goroutine of its own
// (runtime/time.go as of go1.26). What is added is Close, for which the facility knows every
// timer that waits.
//
// An action is late by what the runtime's scheduling takes; there are no ticks.
package std

import (
	"fmt"
	"sync"
	"time"

	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Facility is time.AfterFunc. It implements systems.Facility.
type Facility struct {
	mu      sync.Mutex
	waiting map[*timer]struct{}
	closed  bool
	running sync.WaitGroup
	handler func(any)
}

// timer implements systems.Timer. Its facility's lock guards it.
type timer struct {
	facility *Facility
	action   func()
	runtime  *time.Timer
	turn     int // starts so far: an expiry that lost a race against a Reset is of an earlier one
}

// New returns a facility. Panics of actions go to the handler; without one they end the
// program.
func New(handler func(any)) *Facility {
	return &Facility{waiting: map[*timer]struct{}{}, handler: handler}
}

// AfterFunc implements systems.Facility.
func (f *Facility) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if action == nil {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrAction)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrClosed)
	}
	t := &timer{facility: f, action: action}
	t.start(d)
	return t, nil
}

// start makes the timer wait.
func (t *timer) start(d time.Duration) {
	t.turn++
	turn := t.turn
	t.facility.waiting[t] = struct{}{}
	t.runtime = time.AfterFunc(d, func() { t.expire(turn) })
}

// expire runs the action, unless the timer was stopped, reset or dropped since.
func (t *timer) expire(turn int) {
	f := t.facility
	f.mu.Lock()
	_, waits := f.waiting[t]
	if !waits || turn != t.turn {
		f.mu.Unlock()
		return
	}
	delete(f.waiting, t)
	f.running.Add(1)
	f.mu.Unlock()
	defer f.running.Done()
	engine.Guard(t.action, f.handler)
}

// Stop implements systems.Timer.
func (t *timer) Stop() bool {
	f := t.facility
	f.mu.Lock()
	defer f.mu.Unlock()
	_, waits := f.waiting[t]
	delete(f.waiting, t)
	t.runtime.Stop()
	return waits
}

// Reset implements systems.Timer.
func (t *timer) Reset(d time.Duration) bool {
	f := t.facility
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	_, waits := f.waiting[t]
	if waits && t.runtime.Stop() {
		t.runtime.Reset(d)
		return true
	}
	t.start(d)
	return waits
}

// Close implements systems.Facility.
func (f *Facility) Close() (unexpired int) {
	f.mu.Lock()
	unexpired = len(f.waiting)
	for t := range f.waiting {
		t.runtime.Stop()
	}
	f.waiting, f.closed = map[*timer]struct{}{}, true
	f.mu.Unlock()
	f.running.Wait()
	return unexpired
}
