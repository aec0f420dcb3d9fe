package bench

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/schemes"
	"timerlab/systems"
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
	if _, err := s.fill(1, 1); err != nil {
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
	for i := range s.n {
		t, err := s.timers.AfterFunc(time.Duration(i+1)*hour, noop)
		if err != nil {
			return err
		}
		s.pending = append(s.pending, t)
	}
	time.Sleep(idleSettles)
	return s.perSecond(func() error { time.Sleep(idleTime); return nil })
}

// perSecond measures the CPU time and the wake-ups of a second while f runs.
func (s *sample) perSecond(f func() error) error {
	service, counts := s.timers.(systems.Service)
	counts = counts && !s.workerless
	woken := uint64(0)
	if counts {
		woken = service.Stats().Wakeups
	}
	began, cpu := time.Now(), run.CPUTime()
	err := f()
	seconds := time.Since(began).Seconds()
	s.Add(float64(run.CPUTime()-cpu)/seconds, "cpu-ns/s")
	if counts {
		s.Add(float64(service.Stats().Wakeups-woken)/seconds, "wakeups/s")
	}
	return err
}

// connections measures n connections, which begin within a second and reset their timers of 3 s once a second. A goroutine
// of each starts its timer and stays, as sharded chooses the wheel by where its stack is. To a Reset the goroutine makes no
// difference, so one resets all by a schedule, each 10 ms what is due, paced by the one ticker of the process: goroutines
// that sleep would be Go's timers, and waking 10,000 a second, or one each millisecond, takes ten times what timers take.
func (s *sample) connections() error {
	const timeout = 3 * time.Second
	s.pending = make([]systems.Timer, s.n)
	errs, accepted, began := make([]error, s.n), make(chan int), time.Time{}
	left := func(i int) time.Duration { // from now to a timeout after the i-th start or Reset should be
		return time.Until(began.Add(time.Duration(i)*resetEvery/time.Duration(s.n) + timeout))
	}
	var started sync.WaitGroup
	started.Add(s.n)
	for range s.n {
		go func() {
			i := <-accepted
			s.pending[i], errs[i] = s.timers.AfterFunc(left(i), noop)
			started.Done()
			select {}
		}()
	}
	runtime.GC()
	return s.perSecond(func() error {
		ticker := time.NewTicker(10 * time.Millisecond)
		defer ticker.Stop()
		began = time.Now()
		for i := 0; i < s.n || time.Since(began) < resetTime; <-ticker.C {
			for ; left(i) <= timeout; i++ {
				if i < s.n {
					accepted <- i
				} else if started.Wait(); errs[i%s.n] != nil {
					return errs[i%s.n]
				} else if !s.pending[i%s.n].Reset(left(i)) {
					return errReset
				}
			}
		}
		return nil
	})
}

const (
	holdStarts = 2000                   // at most
	holdTime   = 300 * time.Millisecond // for the starts
	holdSpan   = time.Minute            // over which the timers are due
)

// hold measures how long a start of a random interval holds a lock around a scheme, with n timers pending. Each
// value includes two reads of the clock.
func (s *sample) hold() error {
	scheme, err := s.scheme.New(s.cfg)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(s.round), 11))
	interval := func(part float64) schemes.Tick {
		return schemes.Tick((time.Second + time.Duration(part*float64(holdSpan))) / lockedTick)
	}
	for i := s.n; i > 0; i-- { // the longest first, which an ordered list takes at once
		if _, err := scheme.Start(interval(float64(i)/float64(s.n)), 1); err != nil {
			return err
		}
	}
	var starts []time.Duration
	for began := time.Now(); len(starts) < holdStarts && time.Since(began) < holdTime; {
		d, at := interval(r.Float64()), time.Now()
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
