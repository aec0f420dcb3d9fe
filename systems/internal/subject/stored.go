package subject

import (
	"sync"
	"sync/atomic"
	"time"

	"timerlab/systems"
)

// StoredTime is what most programs do for connections that idle: a restart stores the time at which the timer is due, and the
// timer, one of time.AfterFunc's, is armed again for what is left when it fires: about once in an interval, however
// often it is restarted. A restart reads the clock, which a program that has the time at hand need not.
var StoredTime = Service{Name: "stored time", Open: openStored, Reuse: true}

func openStored() (Timers, error) { return &storedTimes{epoch: time.Now()}, nil }

type storedTimes struct {
	Plain
	epoch time.Time
}

// now returns the time since the epoch, at least 1.
func (s *storedTimes) now() int64 { return max(1, int64(time.Since(s.epoch))) }

func (s *storedTimes) AfterFunc(d time.Duration, f func()) (systems.Timer, error) {
	t := &storedTime{of: s}
	t.deadline.Store(s.now() + max(0, int64(d)))
	t.arming.Lock() // the timer may fire before it is known
	defer t.arming.Unlock()
	t.timer = time.AfterFunc(d, func() {
		if t.due() {
			f()
		}
	})
	return t, nil
}

// storedTime is a timer that a Reset to a later deadline does not touch: it fires at its deadline or before.
type storedTime struct {
	deadline atomic.Int64 // ns since the epoch; 0 if the timer is not pending
	arming   sync.Mutex   // held where timer is armed or stopped, with the deadline that it then has
	timer    *time.Timer
	of       *storedTimes
}

func (t *storedTime) Reset(d time.Duration) (pending bool) {
	next := t.of.now() + max(0, int64(d))
	for last := t.deadline.Load(); last != 0 && last <= next; last = t.deadline.Load() {
		if t.deadline.CompareAndSwap(last, next) { // else the timer has run, or another goroutine has stopped or reset it
			return true
		}
	}
	t.arming.Lock()
	defer t.arming.Unlock()
	t.timer.Reset(d)
	return t.deadline.Swap(next) != 0
}

func (t *storedTime) Stop() (pending bool) {
	t.arming.Lock()
	defer t.arming.Unlock()
	t.timer.Stop()
	return t.deadline.Swap(0) != 0
}

// due is called when the timer fires, perhaps while it is stopped or reset. It reports whether the deadline has passed, and
// arms the timer again if not.
func (t *storedTime) due() bool {
	t.arming.Lock()
	defer t.arming.Unlock()
	for {
		deadline, now := t.deadline.Load(), t.of.now()
		switch {
		case deadline == 0:
			return false
		case deadline > now:
			t.timer.Reset(time.Duration(deadline - now))
			return false
		case t.deadline.CompareAndSwap(deadline, 0):
			return true
		}
	}
}
