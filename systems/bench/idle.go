package bench

import (
	"time"

	"timerlab/harness/run"
	"timerlab/systems"
)

const (
	idleTimers  = 10 // hours away
	idleSettles = 500 * time.Millisecond
	idleTime    = 4 * time.Second
)

// idle measures the cost of a second in which nothing is due: ten timers are hours away.
func (s *sample) idle() error {
	f, err := s.subject.start(hour)
	if err != nil {
		return err
	}
	if f == nil {
		s.measureIdle(nil)
		return nil
	}
	var timers []systems.Timer
	for i := range s.n {
		t, err := f.AfterFunc(s.subject.duration(time.Duration(i+1)*hour, hour), noop)
		if err != nil {
			return err
		}
		timers = append(timers, t)
	}
	waker, _ := f.(systems.Waker)
	s.measureIdle(waker)
	return stopAll(f, timers)
}

// measureIdle measures some seconds. The waker may be nil.
func (s *sample) measureIdle(waker systems.Waker) {
	wakeups := func() (n uint64) {
		if waker != nil {
			n = waker.Wakeups()
		}
		return n
	}
	time.Sleep(idleSettles)
	began, cpu, woken := time.Now(), run.CPUTime(), wakeups()
	switches, known := run.Switches()
	time.Sleep(idleTime)
	seconds := time.Since(began).Seconds()
	s.Add(float64(run.CPUTime()-cpu)/seconds, "cpu-ns/s")
	if known {
		now, _ := run.Switches()
		s.Add(float64(now-switches)/seconds, "switches/s")
	}
	if waker != nil {
		s.Add(float64(wakeups()-woken)/seconds, "wakeups/s")
	}
}

const (
	sparseTicks  = 100 // on which timers are due
	sparseEvery  = 10 * time.Millisecond
	sparseShare  = 3                         // timers due on each
	sparseTimers = sparseTicks * sparseShare // in all
)

// sparse counts the wake-ups of a worker for three timers on each of a hundred ticks.
func (s *sample) sparse() error {
	f, err := s.subject.start(hour)
	if err != nil {
		return err
	}
	began := time.Now()
	e := newExpiries(s.n)
	for i := range s.n {
		deadline := began.Add(time.Duration(1+i/sparseShare) * sparseEvery)
		if _, err := f.AfterFunc(time.Until(deadline), e.action(i, deadline)); err != nil {
			return err
		}
	}
	if _, err := e.wait(); err != nil {
		return err
	}
	ticks := time.Since(began) / s.subject.tick
	woken := f.(systems.Waker).Wakeups()
	s.Add(float64(woken)/sparseTicks, "wakeups/due-tick")
	s.Add(float64(woken)/float64(ticks), "wakeups/tick")
	return closeEmpty(f)
}
