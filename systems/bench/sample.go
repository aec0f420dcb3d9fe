package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/systems"
	"timerlab/systems/study"
)

// sample is one measurement of a cell.
type sample struct {
	results.Result
	service
	n      int
	option string // the value of the cell's further key
	round  int    // seeds what is random

	timers  timers          // of the service, when it is open
	pending []systems.Timer // left by the operation
}

var operations = map[string]func(*sample) error{
	"StartStop": func(s *sample) error { return s.throughput(startStop) },
	"Replace":   func(s *sample) error { return s.throughput(replace) },
	"Reset":     func(s *sample) error { return s.throughput(reset) },
	"Memory":    (*sample).memory,
	"Late":      (*sample).late,
	"Idle":      (*sample).idle,
	"Burst":     (*sample).burst,
	"Hold":      (*sample).hold,
	"Sparse":    (*sample).sparse,
}

// make opens the service, performs the operation and closes it. The timers left must be pending,
// and be all that are.
func (s *sample) make(op string) error {
	if err := operations[op](s); err != nil {
		return err
	}
	for i, t := range s.pending {
		if !t.Stop() {
			return fmt.Errorf("stop of pending timer %d of %d returned false", i, len(s.pending))
		}
	}
	dropped, err := s.timers.Close()
	if dropped != 0 {
		return fmt.Errorf("close without pending timers returned %d", dropped)
	}
	return err
}

// begin opens the service. If it has one timeout, it is this one.
func (s *sample) begin(timeout time.Duration) (err error) {
	s.timers, err = s.open(timeout)
	return err
}

// hour is the duration of pending timers if the service takes only one.
const hour = time.Hour

// durations are random durations of timers that never expire: half an hour to one and a half,
// so that a start is no nearer to the front of a heap than earlier ones.
type durations struct {
	table [4096]time.Duration
	at    int
}

func (s *sample) durations(seed uint64) *durations {
	d := &durations{}
	r := rand.New(rand.NewPCG(uint64(s.round), seed))
	for i := range d.table {
		d.table[i] = s.duration(hour/2+time.Duration(r.Int64N(int64(hour))), hour)
	}
	d.at = r.IntN(len(d.table))
	return d
}

func (d *durations) next() time.Duration {
	d.at = (d.at + 1) % len(d.table)
	return d.table[d.at]
}

// noop is the action of timers that never expire.
func noop() {}

// fill opens the service, starts n timers from several goroutines and waits until they have
// reached the wheel.
func (s *sample) fill(goroutines int) error {
	if err := s.begin(hour); err != nil {
		return err
	}
	errs := make([]error, goroutines)
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			d := s.durations(uint64(g))
			part := s.share(g, goroutines)
			for i := range part {
				if part[i], errs[g] = s.timers.AfterFunc(d.next(), noop); errs[g] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	if s.queued {
		time.Sleep(time.Duration(s.n/study.MostMoved+3) * s.tick)
	}
	return errors.Join(errs...)
}

// share returns the g-th of several equal parts of the timers.
func (s *sample) share(g, parts int) []systems.Timer {
	return s.pending[g*len(s.pending)/parts : (g+1)*len(s.pending)/parts]
}

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
	before := read(nil)
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
	s.Add(float64(grown-resident)/float64(s.n), units.BytesPerTimer)
	s.Add(float64(after.allocs-before.allocs)/float64(s.n), "allocs/timer")
	s.Add(float64(cpu), "gc-cpu-ns")
	return nil
}

const (
	idleSettles = 500 * time.Millisecond
	idleTime    = 4 * time.Second
)

// idle measures the cost of a second in which nothing is due: ten timers are hours away.
func (s *sample) idle() error {
	if err := s.begin(hour); err != nil {
		return err
	}
	for i := 0; i < s.n && s.name != nothing; i++ {
		t, err := s.timers.AfterFunc(s.duration(time.Duration(i+1)*hour, hour), noop)
		if err != nil {
			return err
		}
		s.pending = append(s.pending, t)
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
	f, ok := s.timers.(systems.Service)
	if !ok || s.name == "std" {
		return 0, false
	}
	return f.Stats().Wakeups, true
}

const (
	sparseTicks = 100 // on which timers are due
	sparseEvery = 10 * time.Millisecond
	sparseShare = 3 // timers due on each
	sparseCPU   = "cpu-ns/timer"
)

// sparse measures the CPU time and counts the wake-ups of a worker for three timers on each of a
// hundred ticks.
func (s *sample) sparse() error {
	if err := s.begin(hour); err != nil {
		return err
	}
	began, cpu := time.Now(), run.CPUTime()
	e := newExpiries(s.n)
	for i := range s.n {
		deadline := began.Add(time.Duration(1+i/sparseShare) * sparseEvery)
		if _, err := s.timers.AfterFunc(time.Until(deadline), e.action(i, deadline)); err != nil {
			return err
		}
	}
	if _, err := e.wait(); err != nil {
		return err
	}
	s.Add(float64(run.CPUTime()-cpu)/float64(s.n), sparseCPU)
	if woken, ok := s.wakeups(); ok {
		s.Add(float64(woken)/sparseTicks, "wakeups/due-tick")
		s.Add(float64(woken)/float64(time.Since(began)/max(s.tick, time.Microsecond)), "wakeups/tick")
	}
	return nil
}
