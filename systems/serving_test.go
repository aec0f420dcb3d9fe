package systems_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"timerlab/systems"
)

// serving are the rules of what a program relies on besides: Close, errors, Stats, memory.
var serving = []rule{
	// Close drops and counts the pending timers; after it nothing runs or starts.
	{name: "close", script: func(s *session) {
		var timers []*timer
		for i := range 5 {
			timers = append(timers, s.start(time.Duration(i)*time.Second+1))
		}
		s.sleep(1500 * time.Millisecond)
		timers[4].stop()
		s.close()
		for _, t := range timers {
			t.stop()
			t.reset(time.Second)
		}
		_, err := s.service.AfterFunc(time.Second, func() { s.require(false, "an action ran after Close") })
		s.require(errors.Is(err, systems.ErrClosed), "AfterFunc after Close: error %v (must wrap ErrClosed)", err)
		err = timers[0].tryReset(time.Second)
		s.require(errors.Is(err, systems.ErrClosed), "TryReset after Close: error %v (must wrap ErrClosed)", err)
	}},
	// CloseContext gives up when its context is done. It has dropped all timers by then: no other action begins,
	// even if those that run take long to end.
	{name: "close gives up", slow: true, script: func(s *session) {
		s.block(500, time.Hour)
		s.start(time.Hour)
		s.sleep(3 * time.Second)
		pending := s.dropAll()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		began := time.Now()
		dropped, err := s.service.CloseContext(ctx)
		s.require(time.Since(began) == time.Second, "CloseContext of a second took %v", time.Since(began))
		s.require(dropped == pending, "CloseContext returned %d of %d timers", dropped, pending)
		s.requireRunning(err)
		s.require(errors.Is(err, context.DeadlineExceeded), "CloseContext: error %v", err)
	}},
	// Close in an action is an error, and drops all timers.
	{name: "close in an action", script: func(s *session) {
		s.startFunc(time.Second, func() {
			pending := s.dropAll()
			dropped, err := s.service.Close()
			s.require(dropped == pending, "Close returned %d, with %d timers pending", dropped, pending)
			s.requireRunning(err)
		})
		s.start(time.Hour)
		s.sleep(2 * time.Hour)
	}},
	// The handler is called with panics, and the service continues; also after runtime.Goexit.
	{name: "panics", script: func(s *session) {
		for range 3 {
			s.startFunc(time.Second, func() { panic("a") })
			s.startFunc(time.Second, runtime.Goexit)
		}
		s.start(2 * time.Second)
		s.sleep(time.Minute)
		s.require(slices.Equal(s.panics, []any{"a", "a", "a"}), "the handler was called with %v", s.panics)
	}},
	// A nil action is an error, not a panic on another goroutine.
	{name: "nil action", script: func(s *session) {
		_, err := s.service.AfterFunc(time.Second, nil)
		s.require(errors.Is(err, systems.ErrAction), "AfterFunc of nil: error %v (must wrap ErrAction)", err)
	}},
	// Stats count timers and actions.
	{name: "stats", slow: true, script: func(s *session) {
		workers := max(s.kind.workers, 1)
		s.block(workers, 10*time.Second)
		s.start(time.Hour)
		s.sleep(2 * time.Second)
		s.requireStats(1, workers)
		s.sleep(time.Minute)
		s.requireStats(1, 0)
	}},
	// A service in which nothing is due sleeps, also after timers were due.
	{name: "asleep", script: func(s *session) {
		const far, most = 500, 20
		s.sleep(time.Hour)
		s.requireWakeups(0, "without timers")
		for i := range far {
			s.start(s.longest() - time.Duration(far-i)*s.tick()/10)
		}
		s.start(s.tick())
		s.sleep(s.longest() / 2)
		s.requireWakeups(most, "for timers that were far")
		s.sleep(s.longest()/2 + 3*s.tick())
	}},
	// Stopped timers and Resets pile up nowhere, also while the workers are busy.
	{name: "nothing piles up", slow: true, script: func(s *session) {
		s.block(max(s.kind.workers, 1), time.Hour)
		s.sleep(time.Minute)
		before := memory(s.service)
		last := s.start(s.longest())
		for range 100 {
			for range 1000 {
				t, err := s.service.AfterFunc(s.longest(), func() {})
				s.require(err == nil && t.Stop(), "Stop of a pending timer returned false")
			}
			for range 1000 {
				last.real.Reset(s.longest() / 2)
			}
			for range 10 { // due, and stopped before a worker is free
				t, _ := s.service.AfterFunc(0, func() {})
				t.Stop()
			}
			s.sleep(s.tick())
		}
		last.reset(s.longest())
		const most = 500 << 10
		grown := memory(s.service) - before
		s.require(grown < most, "the memory has grown by %d B", grown)
		s.sleep(2 * time.Hour)
	}},
}

// longest returns a long duration that the service accepts.
func (s *session) longest() time.Duration {
	return cmp.Or(s.kind.longest, 1000*time.Hour)
}

// memory returns the bytes in use in Go's heap, and those of the service outside it.
func memory(f systems.Service) int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) + f.Stats().OffHeap
}

func (s *session) requireStats(pending, running int) systems.Stats {
	st := s.service.Stats()
	s.require(st.Pending == pending && st.Running == running,
		"%+v (must be %d pending, %d running)", st, pending, running)
	return st
}

func (s *session) requireRunning(err error) {
	s.require(errors.Is(err, systems.ErrRunning), "Close while an action runs: error %v (must wrap ErrRunning)", err)
	text := fmt.Sprintf(": %d (", s.running.Load())
	s.require(err != nil && strings.Contains(err.Error(), text), "error %v (must say how many run)", err)
}

// requireWakeups requires that the service has woken up at most so often.
func (s *session) requireWakeups(most uint64, when string) {
	woken := s.service.Stats().Wakeups
	s.require(woken <= most, "it woke up %d times %s (must be at most %d)", woken, when, most)
}
