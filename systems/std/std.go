package std

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// lists are more than processors that start timers at the same moment.
const lists = 64

// Facility is time.AfterFunc. It implements systems.Facility.
type Facility struct {
	lists   [lists]list
	handler func(any)
}

// list has the timers that wait and were started under its lock.
type list struct {
	mu     sync.Mutex
	head   timer // of a ring
	closed bool
	alive  sync.WaitGroup // timers of the runtime that run, or may yet
	_      [64]byte       // the next one's lock is not in the same cache line
}

// timer implements systems.Timer. Its list's lock guards it.
type timer struct {
	facility   *Facility
	list       *list
	action     func()
	runtime    *time.Timer
	prev, next *timer // nil: it does not wait
	turn       int    // starts so far: an expiry that lost a race against a Reset is of an earlier one
}

// New returns a facility. Panics of actions go to the handler; without one they end the
// program.
func New(handler func(any)) *Facility {
	f := &Facility{handler: handler}
	for i := range f.lists {
		head := &f.lists[i].head
		head.prev, head.next = head, head
	}
	return f
}

// AfterFunc implements systems.Facility.
func (f *Facility) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if action == nil {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrAction)
	}
	l := &f.lists[rand.N(lists)]
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrClosed)
	}
	t := &timer{facility: f, list: l, action: action}
	t.start(d)
	return t, nil
}

// start makes a timer wait that does not.
func (t *timer) start(d time.Duration) {
	t.turn++
	turn := t.turn
	head := &t.list.head
	t.prev, t.next = head.prev, head
	t.prev.next, head.prev = t, t
	t.list.alive.Add(1)
	t.runtime = time.AfterFunc(d, func() { t.expire(turn) })
}

// cancel keeps the runtime's timer from running. False: it has run, or will at once, in vain.
func (t *timer) cancel() bool {
	stopped := t.runtime.Stop()
	if stopped {
		t.list.alive.Done()
	}
	return stopped
}

// leave ends the waiting of a timer. False: it does not wait.
func (t *timer) leave() bool {
	if t.next == nil {
		return false
	}
	t.prev.next, t.next.prev = t.next, t.prev
	t.prev, t.next = nil, nil
	return true
}

// expire runs the action, unless the timer was stopped, reset or dropped since.
func (t *timer) expire(turn int) {
	defer t.list.alive.Done()
	t.list.mu.Lock()
	runs := turn == t.turn && t.leave()
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
	return t.leave()
}

// Reset implements systems.Timer.
func (t *timer) Reset(d time.Duration) bool {
	t.list.mu.Lock()
	defer t.list.mu.Unlock()
	if t.list.closed {
		return false
	}
	if t.next != nil && t.runtime.Stop() {
		t.runtime.Reset(d)
		return true
	}
	waited := t.leave() // its expiry is about to find that it lost
	t.start(d)
	return waited
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

// close drops the timers of a list.
func (l *list) close() (unexpired int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for t := l.head.next; t != &l.head; t = l.head.next {
		t.cancel()
		t.leave()
		unexpired++
	}
	return unexpired
}
