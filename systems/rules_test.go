package systems_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing/synctest"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
)

// rule is a sequence of calls. The session checks what they return, and when which actions run;
// a script requires only what is peculiar to it.
type rule struct {
	name   string
	script func(s *session)
	slow   bool // slow actions may delay others, but none is lost
}

// rules are all of them.
var rules = slices.Concat(timing, serving)

// timing are the rules of when actions run and what Stop and Reset do.
var timing = []rule{
	// No action runs early, and none more than a tick late. Stop and Reset report whether the timer was pending.
	{name: "at random", script: func(s *session) { s.atRandom(0) }},
	// A timer can be stopped and reset until its action begins, also when it is due and slow actions delay it.
	{name: "at random, slow", slow: true, script: func(s *session) { s.atRandom(10 * time.Second) }},
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
			s.require(time.Since(at) == 0 && s.runs == 3*(i+1), "%d actions had not run", 3*(i+1)-s.runs)
		}
	}},
	// After any quiet time all durations are accepted that the service promises. A timer that is centuries
	// away delays no other one.
	{name: "quiet times", script: func(s *session) {
		longest := s.longest()
		if s.kind.longest == 0 {
			s.sleep(s.tick()) // so that the deadline would be beyond the clock's end
			defer s.start(1<<63 - 1).stop()
		}
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
	// A Reset beyond the scheme's range is an error, never returns true, and stops the timer. It can be reset later.
	{name: "beyond the range", script: func(s *session) {
		if s.kind.longest == 0 {
			return
		}
		beyond, timers := 2*s.longest(), []*timer{s.start(time.Minute), s.start(time.Minute), s.start(0)}
		s.sleep(s.tick())
		timers[0].expect(false, 0)
		s.require(!timers[0].real.Reset(beyond), "Reset(%v) returned true, but did not start the timer", beyond)
		for _, t := range timers { // was stopped by the Reset, is pending, has run
			err := t.tryReset(beyond)
			s.require(errors.Is(err, schemes.ErrInterval), "TryReset(%v): error %v (must wrap ErrInterval)", beyond, err)
		}
		s.sleep(time.Hour)
		timers[1].reset(s.tick())
		s.sleep(time.Minute)
	}},
	// The few timers that are left after a peak run on time, and can be stopped and reset.
	{name: "after a peak", script: func(s *session) {
		for range 2 {
			var left []*timer
			var others []systems.Timer
			for i := range 200_000 {
				d := s.longest()/2 + time.Duration(i/1000)*s.tick() // in order, which a list takes at once
				if i%1000 == 0 {
					left = append(left, s.start(d))
					continue
				}
				t, err := s.service.AfterFunc(d, func() {})
				s.require(err == nil && t != nil, "AfterFunc(%v): error %v", d, err)
				others = append(others, t)
			}
			for _, t := range others {
				s.require(t.Stop(), "Stop of a pending timer returned false")
			}
			left[0].stop()
			left[1].reset(s.longest())
			left[2].reset(s.tick())
			s.sleep(2 * s.longest())
		}
	}},
	// Thousands of actions that are due together do not add up, short or blocked, unless the workers are limited.
	{name: "slow actions", slow: true, script: func(s *session) {
		s.block(5000, 900*time.Microsecond)
		s.sleep(20 * time.Second)
		if s.kind.workers > 0 {
			return
		}
		s.block(7000, time.Hour) // the race detector allows 8128 goroutines
		s.start(time.Second + s.tick())
		s.sleep(time.Minute)
		s.start(s.tick())
		s.start(0)
		s.sleep(time.Minute)
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
		s.require(!other.pending, "%s had not run after %v", other.name, 20*tick)
		s.sleep(40 * tick)
	}},
}

// atRandom starts, stops and resets timers by chance: in bursts, with pauses between them, until all have
// run. One action in fifty takes some time.
func (s *session) atRandom(takes time.Duration) {
	r, tick := rand.New(rand.NewPCG(1, 2)), s.tick()
	durations := []time.Duration{
		0, -time.Hour, 1, tick - 1, tick, tick + 1, 5 * tick, 20*tick - 1, 20 * tick, 400*tick + 1, time.Second, time.Hour,
	}
	pauses := []time.Duration{1, tick / 8, tick/3 + 1, tick, 30 * tick, time.Second, 10 * time.Second}
	timers := []*timer{s.start(time.Second)}
	for range 100 {
		for range r.IntN(300) {
			d := durations[r.IntN(len(durations))] + time.Duration(r.IntN(2)*r.IntN(int(tick)))
			t := timers[r.IntN(len(timers))]
			switch r.IntN(4) {
			case 0:
				t.stop()
			case 1:
				t.reset(d)
			case 2:
				s.require(t.tryReset(d) == nil, "TryReset(%v) of %s: an error", d, t.name)
			case 3:
				slow := len(timers)%50 == 0
				timers = append(timers, s.startFunc(d, func() {
					if slow {
						time.Sleep(takes)
					}
				}))
			}
			if d <= 0 {
				synctest.Wait() // else its action may begin during the next call, or not
			}
		}
		s.sleep(pauses[r.IntN(len(pauses))])
	}
	s.sleep(2 * time.Hour)
}

// tick returns the service's tick, or the unit of durations if it has none.
func (s *session) tick() time.Duration { return max(s.kind.tick, time.Millisecond) }
