package facilitytest

import (
	"sync/atomic"
	"time"

	"timerlab/systems"
)

// stop: Stop prevents a pending action from running, once.
func stop(s *session) {
	t := s.start(10*time.Second, "stopped")
	u := s.start(10*time.Second, "run")
	s.sleep(5 * time.Second)
	s.require(t.Stop(), "Stop before the deadline returned false")
	s.require(!t.Stop(), "a second Stop returned true")
	s.sleep(10 * time.Second)
	s.require(!u.Stop(), "Stop after the action returned true")
	s.requireRuns("stopped", 0)
	s.requireRuns("run", 1)
}

// reset: Reset moves a deadline later or earlier, and starts a timer again that has run or was
// stopped.
func reset(s *session) {
	t := s.start(10*time.Second, "it")
	for i, step := range []struct {
		sleep, reset  time.Duration
		stop, pending bool
	}{
		{5 * time.Second, 20 * time.Second, false, true},  // later: 25 s
		{1 * time.Second, 10 * time.Second, false, true},  // earlier: 16 s
		{20 * time.Second, 4 * time.Second, false, false}, // it ran at 16 s
		{1 * time.Second, 4 * time.Second, true, false},   // it was stopped
		{1 * time.Second, 0, false, true},                 // now: 28 s
		{10 * time.Second, time.Minute, false, false},     // it ran at 28 s
	} {
		s.sleep(step.sleep)
		s.require(!step.stop || t.Stop(), "step %d: Stop returned false", i)
		pending := t.Reset(step.reset)
		s.require(pending == step.pending, "step %d: Reset(%v) returned %v", i, step.reset, pending)
	}
	s.sleep(2 * time.Minute)
	s.requireRuns("it", 3)
	for i, deadline := range []time.Duration{16 * time.Second, 28 * time.Second, 98 * time.Second} {
		s.requireOnTime(s.runs[i], s.began.Add(deadline))
	}
}

// inside: an action may call everything but Close.
func inside(s *session) {
	var self systems.Timer
	var otherStopped, selfStopped, selfPending bool
	var err error
	other := s.start(time.Minute, "other")
	ready := make(chan bool)
	self = s.startFunc(time.Second, func() {
		<-ready
		s.add("self")
		if s.count("self") > 1 {
			return
		}
		otherStopped, selfStopped, selfPending = other.Stop(), self.Stop(), self.Reset(time.Second)
		_, err = s.AfterFunc(3*time.Second, func() { s.add("child") })
	})
	close(ready)
	s.sleep(2 * time.Minute)
	s.require(otherStopped, "Stop of another timer returned false")
	s.require(!selfStopped, "Stop of the running timer returned true")
	s.require(!selfPending, "Reset of the running timer returned true")
	s.require(err == nil, "AfterFunc: %v", err)
	s.requireRuns("self", 2)
	s.requireRuns("other", 0)
	s.requireRuns("child", 1)
}

// many: of many timers a third is stopped and a third reset, some of them too late.
func many(s *session) {
	const n = 3000
	var runs, want [n]int32
	timers := make([]systems.Timer, n)
	for i := range timers {
		d := time.Duration(1+i*7919%60_000) * time.Millisecond
		timers[i] = s.startFunc(d, func() { atomic.AddInt32(&runs[i], 1) })
	}
	s.sleep(20 * time.Second)
	for i, t := range timers {
		ran := min(atomic.LoadInt32(&runs[i]), 1)
		want[i] = 1
		switch i % 3 {
		case 0:
			stopped := t.Stop()
			s.require(stopped == (ran == 0), "timer %d ran %d times, and Stop returned %v", i, ran, stopped)
			want[i] = ran
		case 1:
			pending := t.Reset(30 * time.Second)
			s.require(pending == (ran == 0), "timer %d ran %d times, and Reset returned %v", i, ran, pending)
			want[i] += ran
		}
	}
	s.sleep(2 * time.Minute)
	for i := range timers {
		got := atomic.LoadInt32(&runs[i])
		s.require(got == want[i], "timer %d ran %d times, want %d", i, got, want[i])
	}
}
