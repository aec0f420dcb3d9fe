package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"timerlab/systems"
	"timerlab/systems/locked"
)

const (
	holdStarts = 2000                   // at most
	holdTime   = 300 * time.Millisecond // for the starts
	holdTicks  = 500                    // passed one by one
	holdSpan   = time.Minute            // over which the timers are due
)

// hold measures how long the lock of a scheme is held, with n timers pending: by a start of a
// random duration, and by the worker for a tick. Each value includes two reads of the clock.
func (s *sample) hold() error {
	starts, ticks := newHistogram(), newHistogram()
	watched := false // guarded by the lock
	f, err := locked.New(s.subject.scheme, s.subject.cfg, locked.Options{
		Options: msTick, Stepping: true,
		OnUnlock: func(op locked.Operation, held time.Duration) {
			switch {
			case !watched:
			case op == locked.Start:
				record(starts, held)
			case op == locked.Tick:
				record(ticks, held)
			}
		},
	})
	if err != nil {
		return err
	}
	s.facility = f
	defer f.Close()
	r := rand.New(rand.NewPCG(uint64(s.round), 11))
	if err := s.fillBackwards(f, r); err != nil {
		return err
	}
	f.WithLock(func() { watched = true })
	if err := startAndStop(f, r); err != nil {
		return err
	}
	time.Sleep(holdTicks * time.Millisecond)
	f.WithLock(func() { watched = false })
	if starts.TotalCount() == 0 || ticks.TotalCount() == 0 {
		return fmt.Errorf("measured %d starts and %d ticks", starts.TotalCount(), ticks.TotalCount())
	}
	s.Iters = int(starts.TotalCount())
	s.Add(float64(starts.ValueAtQuantile(50)), "start-p50-ns")
	s.Add(float64(starts.ValueAtQuantile(99)), "start-p99-ns")
	s.addQuantiles("tick", ticks, 50, 99)
	return nil
}

// fillBackwards starts n timers, the last one first, which an ordered list takes at once.
func (s *sample) fillBackwards(f systems.Facility, r *rand.Rand) error {
	all := make([]time.Duration, s.n)
	for i := range all {
		all[i] = holdDuration(r)
	}
	slices.Sort(all)
	for _, d := range slices.Backward(all) {
		if _, err := f.AfterFunc(d, noop); err != nil {
			return err
		}
	}
	return nil
}

// startAndStop starts and stops timers for some time.
func startAndStop(f systems.Facility, r *rand.Rand) error {
	began := time.Now()
	for i := 0; i < holdStarts && time.Since(began) < holdTime; i++ {
		t, err := f.AfterFunc(holdDuration(r), noop)
		if err != nil {
			return err
		}
		if !t.Stop() {
			return errStop
		}
	}
	return nil
}

func holdDuration(r *rand.Rand) time.Duration {
	return time.Second + time.Duration(r.Int64N(int64(holdSpan)))
}
