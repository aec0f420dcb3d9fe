package facilitytest

import (
	"errors"
	"runtime"
	"slices"
	"time"

	"timerlab/systems"
)

// rule is a sequence of calls. The session checks what they return, and when which actions run;
// a script requires only what is peculiar to it.
type rule struct {
	name    string
	script  func(s *session)
	handler bool // the facility gets a handler of panics
	slow    bool // slow actions may delay others, but none is lost
}

var rules = []rule{
	// No action runs early, and none more than a tick late.
	{name: "durations", script: func(s *session) {
		tick := s.tick()
		for _, d := range []time.Duration{
			0, -time.Hour, 1, tick - 1, tick, tick + 1, 5 * tick, 20*tick - 1, 20 * tick, 400*tick + 1,
			time.Second, time.Hour,
		} {
			s.sleep(tick/3 + 1) // so that starts fall between ticks
			s.start(d)
			s.sleep(max(d, 0) + 3*tick)
		}
	}},
	// Actions run in the order of their deadlines if these are more than a tick apart.
	{name: "order", script: func(s *session) {
		const n = 200
		for i := range n {
			rank := i * 77 % n // a permutation: 77 and 200 are coprime
			s.start(time.Duration(2*rank+1) * s.tick())
		}
		s.sleep(2 * (n + 2) * s.tick())
		sorted := slices.IsSortedFunc(s.ran, func(a, b *timer) int { return a.deadline.Compare(b.deadline) })
		s.require(sorted, "the actions did not run in the order of their deadlines")
	}},
	// Stop prevents a pending action from running, once.
	{name: "stop", script: func(s *session) {
		stopped, run := s.start(10*time.Second), s.start(10*time.Second)
		s.sleep(5 * time.Second)
		stopped.stop()
		stopped.stop()
		s.sleep(10 * time.Second)
		run.stop()
	}},
	// Reset moves a deadline later or earlier, and starts a timer again that has run or was
	// stopped.
	{name: "reset", script: func(s *session) {
		t := s.start(10 * time.Second)
		s.sleep(5 * time.Second)
		t.reset(20 * time.Second) // later: 25 s
		s.sleep(time.Second)
		t.reset(10 * time.Second) // earlier: 16 s
		s.sleep(20 * time.Second)
		t.reset(4 * time.Second) // it ran at 16 s
		s.sleep(time.Second)
		t.stop()
		t.reset(4 * time.Second) // it was stopped
		s.sleep(time.Second)
		t.reset(0) // now: 28 s
		s.sleep(10 * time.Second)
		t.reset(time.Minute) // it ran at 28 s
		s.sleep(2 * time.Minute)
	}},
	// An action may call everything but Close.
	{name: "inside actions", script: func(s *session) {
		other := s.start(time.Minute)
		self := make(chan *timer, 1)
		self <- s.startFunc(time.Second, func() {
			select {
			case t := <-self:
				other.stop()
				t.stop()
				t.reset(time.Second)
				s.start(3 * time.Second)
			default: // the second run
			}
		})
		s.sleep(2 * time.Minute)
	}},
	// Close drops and counts the pending timers; after it nothing runs or starts.
	{name: "close", script: func(s *session) {
		var timers []*timer
		for i := range 5 {
			timers = append(timers, s.start(time.Duration(i)*time.Second+1))
		}
		s.sleep(1500 * time.Millisecond)
		timers[4].stop()
		s.close()
		s.close()
		for _, t := range timers {
			t.stop()
			t.reset(time.Second)
		}
		_, err := s.facility.AfterFunc(time.Second, func() { s.require(false, "an action ran after Close") })
		s.require(errors.Is(err, systems.ErrClosed), "AfterFunc after Close: error %v (must wrap ErrClosed)", err)
	}},
	// Close returns after the action that runs.
	{name: "close waits", slow: true, script: func(s *session) {
		s.startFunc(time.Second, func() { time.Sleep(10 * time.Second) })
		s.sleep(5 * time.Second)
	}},
	// Close drops actions that are due and have not begun, because all workers are busy.
	{name: "close drops the rest", slow: true, script: func(s *session) {
		if s.kind.Workers == 0 {
			return
		}
		for range s.kind.Workers + 2 {
			s.startFunc(time.Second, func() { time.Sleep(10 * time.Second) })
		}
		s.sleep(5 * time.Second)
		dropped := s.close()
		s.require(dropped == 2, "Close returned %d, with two actions that have not begun", dropped)
	}},
	// The longest duration is accepted, and delays no other timer.
	{name: "centuries", script: func(s *session) {
		far := s.start(1<<63 - 1)
		s.start(time.Hour)
		s.sleep(2 * time.Hour)
		far.stop()
	}},
	// The handler is called with panics, and the facility continues.
	{name: "panics", handler: true, script: func(s *session) {
		for range 3 {
			s.startFunc(time.Second, func() { panic("a") })
		}
		s.start(2 * time.Second)
		s.sleep(time.Minute)
		s.require(slices.Equal(s.panics, []any{"a", "a", "a"}), "the handler was called with %v", s.panics)
	}},
	// runtime.Goexit in an action ends neither the facility nor Close.
	{name: "goexit", script: func(s *session) {
		for range 3 {
			s.startFunc(time.Second, runtime.Goexit)
		}
		s.start(2 * time.Second)
		s.sleep(time.Minute)
	}},
	// Slow actions may delay others, but none is lost.
	{name: "slow actions", slow: true, script: func(s *session) {
		for i := range 20 {
			s.startFunc(time.Duration(i)*time.Second, func() { time.Sleep(3 * time.Second) })
		}
		s.sleep(2 * time.Minute)
	}},
	// A worker that an action blocks for an hour runs all that was due in that hour.
	{name: "oversleep", slow: true, script: func(s *session) {
		s.startFunc(time.Second, func() { time.Sleep(time.Hour) })
		for i := range time.Duration(500) {
			s.start((2 + 5*i) * time.Second)
		}
		s.sleep(3 * time.Hour)
	}},
	// A nil action is an error, not a panic on another goroutine.
	{name: "nil action", script: func(s *session) {
		_, err := s.facility.AfterFunc(time.Second, nil)
		s.require(errors.Is(err, systems.ErrAction), "AfterFunc of nil: error %v (must wrap ErrAction)", err)
	}},
	// Of many timers a third is stopped and a third reset, some of them too late.
	{name: "many", script: func(s *session) {
		var timers []*timer
		for i := range 3000 {
			timers = append(timers, s.start(time.Duration(1+i*7919%60_000)*time.Millisecond))
		}
		s.sleep(20 * time.Second)
		for i, t := range timers {
			switch i % 3 {
			case 0:
				t.stop()
			case 1:
				t.reset(30 * time.Second)
			}
		}
		s.sleep(2 * time.Minute)
	}},
}

// tick returns the facility's tick, or the unit of durations if it has none.
func (s *session) tick() time.Duration { return max(s.kind.Tick, time.Millisecond) }
