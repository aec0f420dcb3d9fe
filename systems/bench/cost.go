package bench

import (
	"runtime"
	"time"

	"timerlab/harness/run"
	"timerlab/systems"
)

const (
	idleSettles = 500 * time.Millisecond
	idleTime    = 4 * time.Second
)

// idle measures the cost of a second in which nothing is due: ten timers are hours away.
func (s *sample) idle() error {
	if err := s.open(hour); err != nil {
		return err
	}
	for i := 0; i < s.n && s.subject.name != nothing.name; i++ {
		t, err := s.facility.AfterFunc(s.subject.duration(time.Duration(i+1)*hour, hour), noop)
		if err != nil {
			return err
		}
		s.timers = append(s.timers, t)
	}
	time.Sleep(idleSettles)
	woken, wakes := s.wakeups()
	began, cpu := time.Now(), run.CPUTime()
	switches, known := run.Switches()
	time.Sleep(idleTime)
	seconds := time.Since(began).Seconds()
	s.Add(float64(run.CPUTime()-cpu)/seconds, "cpu-ns/s")
	if known {
		now, _ := run.Switches()
		s.Add(float64(now-switches)/seconds, "switches/s")
	}
	if wakes {
		now, _ := s.wakeups()
		s.Add(float64(now-woken)/seconds, "wakeups/s")
	}
	return nil
}

// wakeups returns how often the service has woken up, if it counts that.
func (s *sample) wakeups() (n uint64, ok bool) {
	f, ok := s.facility.(systems.Facility)
	if !ok || s.subject.tick == 0 {
		return 0, false
	}
	return f.Stats().Wakeups, true
}

// memory measures n pending timers, without the 16 bytes of the client's variable for each, and
// one garbage collection.
func (s *sample) memory() error {
	s.timers = make([]systems.Timer, s.n)
	for i := range s.timers {
		s.timers[i] = (*time.Timer)(nil) // so that the client's memory is resident before
	}
	resident, err := run.Resident()
	if err != nil {
		return err
	}
	before := read(nil)
	if err := s.open(hour); err != nil {
		return err
	}
	if err := s.fill(1); err != nil {
		return err
	}
	after := read(nil)
	grown, err := run.Resident()
	if err != nil {
		return err
	}
	cpu := run.CPUTime()
	runtime.GC()
	cpu = run.CPUTime() - cpu
	s.Add(float64(grown-resident)/float64(s.n), "B/timer")
	s.Add(float64(after.allocs-before.allocs)/float64(s.n), "allocs/timer")
	s.Add(float64(cpu), "gc-cpu-ns")
	return nil
}

const (
	sparseTicks = 100 // on which timers are due
	sparseEvery = 10 * time.Millisecond
	sparseShare = 3 // timers due on each
)

// sparse measures the CPU time and counts the wake-ups of a worker for three timers on each of a
// hundred ticks.
func (s *sample) sparse() error {
	if err := s.open(hour); err != nil {
		return err
	}
	began, cpu := time.Now(), run.CPUTime()
	e := newExpiries(s.n)
	for i := range s.n {
		deadline := began.Add(time.Duration(1+i/sparseShare) * sparseEvery)
		if _, err := s.facility.AfterFunc(time.Until(deadline), e.action(i, deadline)); err != nil {
			return err
		}
	}
	if _, err := e.wait(); err != nil {
		return err
	}
	s.Add(float64(run.CPUTime()-cpu)/float64(s.n), sparseCPU)
	if woken, ok := s.wakeups(); ok {
		s.Add(float64(woken)/sparseTicks, "wakeups/due-tick")
		s.Add(float64(woken)/float64(time.Since(began)/s.subject.tick), "wakeups/tick")
	}
	return nil
}
