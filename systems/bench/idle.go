package bench

import (
	"fmt"
	"time"

	"timerlab/harness/run"

	"timerlab/systems"
)

const (
	IdleTimers  = 10 // hours away
	idleSettles = 500 * time.Millisecond
	idleTime    = 4 * time.Second
)

// idle tells what a second costs in which nothing is due: ten timers are hours away.
func (s *sample) idle() error {
	f, err := s.entrant.open(fixedDuration)
	if err != nil {
		return err
	}
	timers := make([]systems.Timer, 0, IdleTimers)
	for i := range IdleTimers {
		if f == nil {
			break
		}
		d := time.Duration(i+1) * time.Hour
		if s.entrant.fixed != nil {
			d = fixedDuration
		}
		t, err := f.AfterFunc(d, nothing)
		if err != nil {
			return err
		}
		timers = append(timers, t)
	}
	time.Sleep(idleSettles)
	cpu, began := run.CPUTime(), time.Now()
	switches, told := run.Switches()
	waker, counts := f.(systems.Waker)
	woken := uint64(0)
	if counts {
		woken = waker.Wakeups()
	}
	time.Sleep(idleTime)
	seconds := time.Since(began).Seconds()
	s.tell(float64(run.CPUTime()-cpu)/seconds, "cpu-ns/s")
	if told {
		now, _ := run.Switches()
		s.tell(float64(now-switches)/seconds, "switches/s")
	}
	if counts {
		s.tell(float64(waker.Wakeups()-woken)/seconds, "wakeups/s")
	}
	if f == nil {
		return nil
	}
	return empty(f, timers)
}

const (
	sparseTicks  = 100 // on which timers are due
	sparseEvery  = 10 * time.Millisecond
	sparseShare  = 3                         // timers due on each
	SparseTimers = sparseTicks * sparseShare // in all
)

// sparse counts how often a worker wakes for three timers on each of a hundred ticks, and
// tells it by tick on which some are due.
func (s *sample) sparse() error {
	f, err := s.entrant.open(fixedDuration)
	if err != nil {
		return err
	}
	began := time.Now()
	ran := make(chan bool, SparseTimers)
	for i := range SparseTimers {
		meant := began.Add(time.Duration(1+i/sparseShare) * sparseEvery)
		if _, err := f.AfterFunc(time.Until(meant), func() { ran <- true }); err != nil {
			return err
		}
	}
	for range SparseTimers {
		<-ran
	}
	passed := time.Since(began)
	woken := f.(systems.Waker).Wakeups()
	if dropped := f.Close(); dropped != 0 || len(ran) > 0 {
		return fmt.Errorf("%d timers were dropped, and %d ran twice", dropped, len(ran))
	}
	s.tell(float64(woken)/sparseTicks, "wakeups/due-tick")
	s.tell(float64(woken)/float64(passed/s.entrant.Tick), "wakeups/tick")
	return nil
}
