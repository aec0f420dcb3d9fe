package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"timerlab/systems/locked"
)

const (
	holdStarts = 2000                   // at most, and
	holdTime   = 300 * time.Millisecond // as many as fit into this
	holdTicks  = 500                    // passed one by one
	holdSpan   = time.Minute            // over which the timers are due
)

// hold tells how long the lock of a scheme is held, with n timers pending: by a start of a
// random duration, and by the worker for a tick. Two looks at the clock are in each.
func (s *sample) hold() error {
	starts, ticks := hdrhistogram.New(1, longest, 3), hdrhistogram.New(1, longest, 3)
	watched := false
	held := func(by locked.Operation, d time.Duration) {
		switch {
		case !watched:
		case by == locked.Start:
			_ = starts.RecordValue(min(max(int64(d), 1), longest))
		case by == locked.Tick:
			_ = ticks.RecordValue(min(max(int64(d), 1), longest))
		}
	}
	f, err := locked.New(s.entrant.info, s.entrant.cfg, locked.Options{Options: options(time.Millisecond), Stepping: true, OnUnlock: held})
	if err != nil {
		return err
	}
	defer f.Close()
	r := rand.New(rand.NewPCG(uint64(s.round), 11))
	due := func() time.Duration { return time.Second + time.Duration(r.Int64N(int64(holdSpan))) }
	// The last first, which an ordered list takes at once.
	all := make([]time.Duration, s.N)
	for i := range all {
		all[i] = due()
	}
	slices.Sort(all)
	slices.Reverse(all)
	for _, d := range all {
		if _, err := f.AfterFunc(d, nothing); err != nil {
			return err
		}
	}
	f.WithLock(func() { watched = true })
	began := time.Now()
	for i := 0; i < holdStarts && time.Since(began) < holdTime; i++ {
		t, err := f.AfterFunc(due(), nothing)
		if err != nil {
			return err
		}
		if !t.Stop() {
			return errStop
		}
	}
	time.Sleep(holdTicks * time.Millisecond)
	f.WithLock(func() { watched = false })
	if starts.TotalCount() == 0 || ticks.TotalCount() == 0 {
		return fmt.Errorf("%d starts and %d ticks, allowed above 0", starts.TotalCount(), ticks.TotalCount())
	}
	s.iters = int(starts.TotalCount())
	s.tell(float64(starts.ValueAtQuantile(50)), "start-p50-ns")
	s.tell(float64(starts.ValueAtQuantile(99)), "start-p99-ns")
	s.tell(float64(ticks.ValueAtQuantile(50)), "tick-p50-ns")
	s.tell(float64(ticks.ValueAtQuantile(99)), "tick-p99-ns")
	s.tell(float64(ticks.Max()), "tick-max-ns")
	return nil
}
