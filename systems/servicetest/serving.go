package servicetest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

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
	// Close waits for the actions that run. No other begins after it was called, even if those
	// take long to end.
	{name: "close waits", slow: true, script: func(s *session) {
		s.block(500, time.Minute)
		s.sleep(time.Second)
	}},
	// Of several calls of Close at the same time, one returns the number of all timers dropped.
	{name: "close at once", script: func(s *session) {
		const timers, calls = 1000, 8
		for range timers {
			s.start(time.Hour)
		}
		s.dropAll()
		counts := make([]int, calls)
		var all sync.WaitGroup
		for i := range counts {
			all.Go(func() { counts[i], _ = s.service.Close() })
		}
		all.Wait()
		slices.Sort(counts)
		s.require(counts[calls-1] == timers && counts[calls-2] == 0, "Close returned %v for %d timers", counts, timers)
	}},
	// CloseContext gives up when its context is done. It has dropped all timers by then.
	{name: "close gives up", script: func(s *session) {
		s.block(1, time.Hour)
		s.start(time.Hour)
		s.sleep(2 * time.Second)
		s.dropAll()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		began := time.Now()
		dropped, err := s.service.CloseContext(ctx)
		s.require(time.Since(began) == time.Second, "CloseContext of a second took %v", time.Since(began))
		s.require(dropped == 1, "CloseContext returned %d of 1 timer", dropped)
		s.requireRunning(err)
		s.require(errors.Is(err, context.DeadlineExceeded), "CloseContext: error %v", err)
	}},
	// CloseContext of an idle service is no error, whatever its context.
	{name: "close when idle", script: func(s *session) {
		s.start(time.Second)
		s.start(time.Hour)
		s.sleep(2 * time.Second)
		s.dropAll()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		dropped, err := s.service.CloseContext(ctx)
		s.require(dropped == 1 && err == nil, "CloseContext of an idle service dropped %d, error %v", dropped, err)
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
	{name: "panics", handler: true, script: func(s *session) {
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
	// Stats count timers and actions, and measure how late actions began.
	{name: "stats", slow: true, script: func(s *session) {
		workers := max(s.kind.Workers, 1)
		s.block(workers, 10*time.Second)
		s.start(time.Hour)
		s.sleep(2 * time.Second)
		s.requireStats(1, workers)
		timed, waiting := s.kind.Workers > 0 && !s.kind.Plain, 0
		if timed {
			s.start(time.Second)
			waiting = 1
		}
		s.sleep(6 * time.Second)
		s.requireStats(1+waiting, workers)
		s.sleep(time.Minute)
		st := s.requireStats(1, 0)
		s.require(!timed || st.LateP50 > 4*time.Second && st.LateMax >= st.LateP99 && st.LateMax < 11*time.Second,
			"%+v (must be late by the seconds that the action waited)", st)
		st = s.service.Stats()
		s.require(st.LateMax == 0, "%+v (must not be late)", st)
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
		s.block(max(s.kind.Workers, 1), time.Hour)
		s.sleep(time.Minute)
		before := s.memory()
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
		grown := s.memory() - before
		s.require(grown < most, "the memory has grown by %d B", grown)
		s.sleep(2 * time.Hour)
	}},
	// After a peak at most 5 % of the memory is kept.
	{name: "after a peak", script: func(s *session) {
		if s.kind.Plain {
			return
		}
		before := s.memory()
		last := s.start(s.longest())
		const peak = 500_000
		timers := make([]systems.Timer, peak)
		for i := range timers {
			// Few goroutines at a time, which Go keeps; in the order of deadlines, which a list takes at once.
			d := s.longest()/2 + time.Duration(i/1000)*s.tick()
			timers[i], _ = s.service.AfterFunc(d, func() {})
		}
		s.sleep(s.tick())
		full := s.memory() - before - int64(unsafe.Sizeof(timers[0]))*peak
		for i, t := range timers {
			if i%20 != 0 {
				t.Stop()
			}
		}
		timers = nil
		s.sleep(s.longest()/2 + 500*s.tick())
		left := s.memory() - before
		s.require(left <= full/20, "of %d B at the peak %d are left", full, left)
		last.stop()
	}},
}

// longest returns a long duration that the service accepts.
func (s *session) longest() time.Duration {
	switch {
	case s.kind.Longest > 0:
		return s.kind.Longest
	case s.kind.Stepping: // a fake clock takes long for the ticks of an hour
		return 2000 * s.tick()
	default:
		return 1000 * time.Hour
	}
}

// memory returns the bytes in use in Go's heap, and those of the service outside it.
func (s *session) memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) + s.service.Stats().OffHeap
}

func (s *session) requireStats(pending, running int) systems.Stats {
	st := s.service.Stats()
	s.require(st.Pending == pending && st.Running == running,
		"%+v (must be %d pending, %d running)", st, pending, running)
	return st
}

func (s *session) requireRunning(err error) {
	s.require(errors.Is(err, systems.ErrRunning), "Close while an action runs: error %v (must wrap ErrRunning)", err)
	s.require(err != nil && strings.Contains(err.Error(), ": 1 ("), "error %v (must say how many run)", err)
}

// requireWakeups requires that the service has woken up at most so often.
func (s *session) requireWakeups(most uint64, when string) {
	woken := s.service.Stats().Wakeups
	s.require(woken <= most, "it woke up %d times %s (must be at most %d)", woken, when, most)
}
