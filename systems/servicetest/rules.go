package servicetest

import (
	"slices"
	"testing/synctest"
	"time"
)

// rule is a sequence of calls. The session checks what they return, and when which actions run;
// a script requires only what is peculiar to it.
type rule struct {
	name    string
	script  func(s *session)
	handler bool // the service gets a handler of panics
	slow    bool // slow actions may delay others, but none is lost
}

// timing are the rules of when actions run and what Stop and Reset do.
var timing = []rule{
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
	// Nor of starts and Resets that follow each other without a pause, and of those after them.
	{name: "bursts", script: func(s *session) {
		for i := range time.Duration(20) {
			for k := range 100 * i {
				t := s.start(s.tick() + k*s.tick()/50)
				if k%3 == 0 {
					t.reset(2*s.tick() + k*s.tick()/30)
				}
			}
			s.sleep(i * s.tick() / 8)
			s.start(10 * s.tick())
		}
		s.sleep(100 * s.tick())
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
	// AfterFunc and Reset of no duration run the action at once.
	{name: "at once", script: func(s *session) {
		t := s.start(time.Hour)
		for i := range 3 {
			s.sleep(s.tick()/3 + 1)
			at := time.Now()
			t.reset(0)
			s.start(0)
			s.start(-time.Hour)
			synctest.Wait()
			s.require(time.Since(at) == 0 && len(s.ran) == 3*(i+1), "%d actions had not run", 3*(i+1)-len(s.ran))
		}
	}},
	// A timer can be stopped and reset until its action begins, also when it is due.
	{name: "due timers", slow: true, script: func(s *session) {
		if s.kind.Workers == 0 {
			return
		}
		s.block(s.kind.Workers, 10*time.Second)
		var due []*timer
		for i := range 1000 {
			due = append(due, s.start(time.Second+time.Duration(max(0, i-500))*time.Millisecond))
		}
		s.sleep(5 * time.Second)
		for i, t := range due {
			switch i % 3 {
			case 0:
				t.stop()
			case 1:
				t.reset(time.Minute)
			}
		}
		s.sleep(time.Hour)
	}},
	// After any quiet time all durations are accepted that the service promises.
	{name: "quiet times", script: func(s *session) {
		longest := s.longest()
		waits := s.start(longest)
		for _, quiet := range []time.Duration{s.tick() / 2, longest / 2, longest - 1, 3*longest + 1, 100 * longest} {
			s.sleep(quiet)
			s.start(longest).stop()
			s.start(s.tick())
			s.require(waits.tryReset(longest) == nil, "TryReset(%v) after %v: an error", longest, quiet)
			s.start(longest)
		}
		s.sleep(2 * longest)
	}},
	// A Reset beyond the range is an error, and the timer does not run at its earlier time.
	{name: "beyond the range", script: func(s *session) {
		if s.kind.Longest == 0 {
			return
		}
		pending, run := s.start(10*s.tick()), s.start(0)
		s.sleep(s.tick())
		for _, t := range []*timer{pending, run} {
			s.require(t.tryReset(2*s.kind.Longest) != nil, "TryReset(%v): no error", 2*s.kind.Longest)
		}
		lost := s.start(10 * s.tick())
		lost.expect(false, 0)
		s.require(!lost.real.Reset(2*s.kind.Longest), "Reset(%v), which did not start it, returned true", 2*s.kind.Longest)
		s.sleep(3 * s.kind.Longest)
		pending.reset(s.tick())
		s.sleep(s.kind.Longest)
	}},
	// The longest duration is accepted, and delays no other timer.
	{name: "centuries", script: func(s *session) {
		if s.kind.Longest > 0 {
			return
		}
		far := s.start(1<<63 - 1)
		s.start(time.Hour)
		s.sleep(2 * time.Hour)
		far.stop()
	}},
	// Thousands of short actions that are due together do not add up.
	{name: "short actions", slow: true, script: func(s *session) {
		s.block(5000, 900*time.Microsecond)
		s.sleep(20 * time.Second)
	}},
	// Thousands of blocked actions do not delay others, unless the workers are limited.
	{name: "blocked actions", slow: true, script: func(s *session) {
		if s.kind.Workers > 0 {
			return
		}
		s.block(7000, time.Hour) // the race detector allows 8128 goroutines
		s.start(time.Second + s.tick())
		s.sleep(time.Minute)
		s.start(s.tick())
		s.start(0)
		s.sleep(time.Minute)
	}},
	// A worker that an action blocks for an hour runs all that was due in that hour.
	{name: "oversleep", slow: true, script: func(s *session) {
		s.block(1, time.Hour)
		for i := range time.Duration(500) {
			s.start((2 + 5*i) * time.Second)
		}
		s.sleep(3 * time.Hour)
	}},
	// Actions that start timers of no duration delay no other timer.
	{name: "restarts at once", slow: true, script: func(s *session) {
		tick := s.tick()
		end := time.Now().Add(40 * tick)
		var again func()
		again = func() {
			if time.Sleep(tick / 8); time.Now().Before(end) {
				s.startFunc(0, again)
			}
		}
		for range 20 {
			s.startFunc(0, again)
		}
		other := s.start(10 * tick)
		s.sleep(20 * tick)
		s.require(slices.Contains(s.ran, other), "%s had not run after %v", other.name, 20*tick)
		s.sleep(40 * tick)
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

// tick returns the service's tick, or the unit of durations if it has none.
func (s *session) tick() time.Duration { return max(s.kind.Tick, time.Millisecond) }
