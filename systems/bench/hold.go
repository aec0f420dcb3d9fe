package bench

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"timerlab/schemes"
)

const (
	holdStarts = 2000                   // at most
	holdTime   = 300 * time.Millisecond // for the starts
	holdPassed = 500                    // ticks, one by one
	holdSpan   = time.Minute            // over which the timers are due
)

// hold measures how long the lock around a scheme is held, with n timers pending: by a start of
// a random duration, and by a worker for a tick. Each value includes two reads of the clock.
func (s *sample) hold() error {
	s.facility = noFacility{}
	scheme, err := s.subject.scheme.New(s.subject.cfg)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(s.round), 11))
	if err := s.fillBackwards(scheme, r); err != nil {
		return err
	}
	starts, ticks := newHistogram(), newHistogram()
	var mu sync.Mutex
	held := func(h *hdrhistogram.Histogram, op func()) {
		mu.Lock()
		began := time.Now()
		op()
		record(h, time.Since(began))
		mu.Unlock()
	}
	began := time.Now()
	for i := 0; i < holdStarts && time.Since(began) < holdTime && err == nil; i++ {
		var h schemes.Handle
		d := holdTicks(r)
		held(starts, func() { h, err = scheme.Start(d, 1) })
		scheme.Stop(h)
	}
	if err != nil {
		return err
	}
	for range holdPassed {
		held(ticks, func() {
			if scheme.PerTick() > 0 {
				scheme.Expire(func(schemes.ID) {})
			}
		})
	}
	s.Iters = int(starts.TotalCount())
	s.Add(float64(starts.ValueAtQuantile(50)), "start-p50-ns")
	s.Add(float64(starts.ValueAtQuantile(99)), "start-p99-ns")
	s.addQuantiles("tick", ticks, 50, 99)
	return nil
}

// fillBackwards starts n timers, the last one first, which an ordered list takes at once.
func (s *sample) fillBackwards(scheme schemes.Scheme, r *rand.Rand) error {
	all := make([]schemes.Tick, s.n)
	for i := range all {
		all[i] = holdTicks(r)
	}
	slices.Sort(all)
	for _, d := range slices.Backward(all) {
		if _, err := scheme.Start(d, 1); err != nil {
			return err
		}
	}
	return nil
}

func holdTicks(r *rand.Rand) schemes.Tick {
	return schemes.Tick((time.Second + time.Duration(r.Int64N(int64(holdSpan)))) / msTick.Tick)
}
