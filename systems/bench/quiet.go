package bench

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/schemes"
	"timerlab/systems"
	"timerlab/systems/internal/subject"
)

// Operations in which nothing is due.

// memory measures n pending timers, without the 16 bytes of the client's variable for each, and
// one garbage collection.
func (s *sample) memory() error {
	s.pending = make([]systems.Timer, s.n)
	for i := range s.pending {
		s.pending[i] = (*time.Timer)(nil) // so that the client's memory is resident before
	}
	resident, err := run.Resident()
	if err != nil {
		return err
	}
	if _, err := s.fill(1); err != nil {
		return err
	}
	grown, err := run.Resident()
	if err != nil {
		return err
	}
	cpu := run.CPUTime()
	runtime.GC()
	s.Add(float64(grown-resident)/float64(s.n), units.BytesPerTimer)
	s.Add(float64(run.CPUTime()-cpu), "gc-cpu-ns")
	return nil
}

// idle measures the cost of a second in which nothing is due: ten timers are hours away.
func (s *sample) idle() error {
	if err := s.begin(hour); err != nil {
		return err
	}
	for i := range s.n {
		t, err := s.start(time.Duration(i+1)*hour, noop)
		if err != nil {
			return err
		}
		s.pending = append(s.pending, t)
	}
	time.Sleep(idleSettles)
	f, counts := s.timers.(systems.Service)
	counts = counts && !s.workerless
	woken := uint64(0)
	if counts {
		woken = f.Stats().Wakeups
	}
	began, cpu := time.Now(), run.CPUTime()
	time.Sleep(idleTime)
	seconds := time.Since(began).Seconds()
	s.Add(float64(run.CPUTime()-cpu)/seconds, "cpu-ns/s")
	if counts {
		s.Add(float64(f.Stats().Wakeups-woken)/seconds, "wakeups/s")
	}
	return nil
}

const (
	holdStarts = 2000                   // at most
	holdTime   = 300 * time.Millisecond // for the starts
	holdSpan   = time.Minute            // over which the timers are due
)

// hold measures how long a start of a random interval holds a lock around a scheme, with n timers pending. Each
// value includes two reads of the clock.
func (s *sample) hold() error {
	s.timers = subject.Plain{}
	scheme, err := s.scheme.New(s.cfg)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(s.round), 11))
	interval := func() schemes.Tick {
		return schemes.Tick((time.Second + time.Duration(r.Int64N(int64(holdSpan)))) / msTick.Tick)
	}
	intervals := make([]schemes.Tick, s.n)
	for i := range intervals {
		intervals[i] = interval()
	}
	slices.Sort(intervals)
	for _, d := range slices.Backward(intervals) { // which an ordered list takes at once
		if _, err := scheme.Start(d, 1); err != nil {
			return err
		}
	}
	var starts []time.Duration
	for began := time.Now(); len(starts) < holdStarts && time.Since(began) < holdTime; {
		d, at := interval(), time.Now()
		h, err := scheme.Start(d, 1)
		starts = append(starts, time.Since(at))
		if err != nil {
			return err
		}
		scheme.Stop(h)
	}
	s.Iters = len(starts)
	s.addQuantiles("start", starts, 50, 99)
	return nil
}
