package facilitytest

import (
	"errors"
	"time"

	"timerlab/systems"
)

// closing: Close drops and counts the pending timers; after it nothing runs or starts.
func closing(s *session) {
	timers := make([]systems.Timer, 5)
	for i := range timers {
		timers[i] = s.start(time.Duration(i)*time.Second+1, "it")
	}
	s.sleep(1500 * time.Millisecond)
	s.require(timers[4].Stop(), "Stop returned false")
	dropped := s.Close()
	s.require(dropped == 2, "Close returned %d, with two timers pending", dropped)
	dropped = s.Close()
	s.require(dropped == 0, "a second Close returned %d", dropped)
	for _, t := range timers {
		s.require(!t.Stop() && !t.Reset(time.Second), "Stop or Reset after Close returned true")
	}
	_, err := s.AfterFunc(time.Second, func() { s.add("it") })
	s.require(errors.Is(err, systems.ErrClosed), "AfterFunc after Close: error %v, want one wrapping ErrClosed", err)
	s.sleep(time.Minute)
	s.requireRuns("it", 2)
}

// closeWaits: Close returns after the action that runs.
func closeWaits(s *session) {
	s.startFunc(time.Second, func() { time.Sleep(10 * time.Second); s.add("slow") })
	defer time.Sleep(time.Minute) // an action that Close did not wait for ends within the rule
	s.sleep(5 * time.Second)
	s.Close()
	s.requireRuns("slow", 1)
}

// closeDrops: Close drops actions that are due and have not begun, because all workers are busy.
func closeDrops(s *session) {
	if s.kind.Workers == 0 {
		return
	}
	for range s.kind.Workers + 2 {
		s.startFunc(time.Second, func() { time.Sleep(10 * time.Second); s.add("it") })
	}
	s.sleep(5 * time.Second)
	dropped := s.Close()
	s.require(dropped == 2, "Close returned %d, with two actions that have not begun", dropped)
	s.sleep(time.Minute)
	s.requireRuns("it", s.kind.Workers)
}
