package facilitytest

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"timerlab/systems"
)

// nilAction: a nil action is an error, not a panic on another goroutine.
func nilAction(s *session) {
	_, err := s.AfterFunc(time.Second, nil)
	s.require(errors.Is(err, systems.ErrAction), "AfterFunc of nil: error %v, want one wrapping ErrAction", err)
}

// panics: the handler is called with them, and the facility continues.
func panics(s *session) {
	for range 3 {
		s.startFunc(time.Second, func() { panic("a") })
	}
	s.start(2*time.Second, "after")
	s.sleep(time.Minute)
	s.requireRuns("panic: a", 3)
	s.requireRuns("after", 1)
}

// goexit: runtime.Goexit in an action ends neither the facility nor Close.
func goexit(s *session) {
	for range 3 {
		s.startFunc(time.Second, func() { s.add("exit"); runtime.Goexit() })
	}
	s.start(2*time.Second, "after")
	s.sleep(time.Minute)
	s.requireRuns("exit", 3)
	s.requireRuns("after", 1)
}

// slow: slow actions may delay others, but none is lost.
func slow(s *session) {
	for i := range 20 {
		s.startFunc(time.Duration(i)*time.Second, func() { time.Sleep(3 * time.Second); s.add("it") })
	}
	s.sleep(2 * time.Minute)
	s.requireRuns("it", 20)
}

// oversleep: a worker that an action blocks for an hour runs all that was due in that hour.
func oversleep(s *session) {
	s.startFunc(time.Second, func() { time.Sleep(time.Hour) })
	const n = 500
	for i := range n {
		s.start(2*time.Second+time.Duration(i)*5*time.Second, fmt.Sprint(i))
	}
	s.sleep(3 * time.Hour)
	for i := range n {
		s.requireRuns(fmt.Sprint(i), 1)
	}
}
