package bench

import (
	"math/rand/v2"
	"slices"
	"time"

	"timerlab/schemes"
)

const (
	holdStarts = 2000                   // at most
	holdTime   = 300 * time.Millisecond // for the starts
	holdTicks  = 500                    // ticks, one by one
	holdSpan   = time.Minute            // over which the timers are due
)

// hold measures how long a lock around a scheme must be held, with n timers pending: by a start
// of a random interval, and by a worker for a tick. Each value includes two reads of the clock.
func (s *sample) hold() error {
	s.facility = plain{}
	scheme, err := s.subject.scheme.New(s.subject.cfg)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(s.round), 11))
	intervals := make([]schemes.Tick, s.n)
	for i := range intervals {
		intervals[i] = holdInterval(r)
	}
	slices.Sort(intervals)
	for _, d := range slices.Backward(intervals) { // which an ordered list takes at once
		if _, err := scheme.Start(d, 1); err != nil {
			return err
		}
	}
	starts, ticks := newHistogram(), newHistogram()
	for i, began := 0, time.Now(); i < holdStarts && time.Since(began) < holdTime; i++ {
		d, at := holdInterval(r), time.Now()
		h, err := scheme.Start(d, 1)
		record(starts, time.Since(at))
		if err != nil {
			return err
		}
		scheme.Stop(h)
	}
	for range holdTicks {
		at := time.Now()
		if scheme.PerTick() > 0 {
			scheme.Expire(func(schemes.ID) {})
		}
		record(ticks, time.Since(at))
	}
	s.Iters = int(starts.TotalCount())
	s.Add(float64(starts.ValueAtQuantile(50)), "start-p50-ns")
	s.Add(float64(starts.ValueAtQuantile(99)), "start-p99-ns")
	s.addQuantiles("tick", ticks, 50, 99)
	return nil
}

func holdInterval(r *rand.Rand) schemes.Tick {
	return schemes.Tick((time.Second + time.Duration(r.Int64N(int64(holdSpan)))) / msTick.Tick)
}
