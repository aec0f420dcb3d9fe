package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"timerlab/harness/results"
	"timerlab/systems"
)

// sample is one measurement of a cell.
type sample struct {
	results.Result
	subject subject
	n       int
	option  string // the value of the cell's further key
	round   int    // seeds what is random

	facility service
	timers   []systems.Timer // left pending by the operation
}

var operations = map[string]func(*sample) error{
	"StartStop": func(s *sample) error { return s.throughput(startStop) },
	"Replace":   func(s *sample) error { return s.throughput(replace) },
	"Reset":     func(s *sample) error { return s.throughput(reset) },
	"Expire":    (*sample).expire,
	"Memory":    (*sample).memory,
	"Late":      (*sample).late,
	"Idle":      (*sample).idle,
	"Burst":     (*sample).burst,
	"Hold":      (*sample).hold,
	"Sparse":    (*sample).sparse,
}

// make performs the operation and closes the facility. The timers left must be pending, and be
// all that are.
func (s *sample) make(op string) error {
	if err := operations[op](s); err != nil {
		return err
	}
	for i, t := range s.timers {
		if !t.Stop() {
			return fmt.Errorf("Stop of pending timer %d of %d returned false", i, len(s.timers))
		}
	}
	dropped, err := s.facility.Close()
	if dropped != 0 {
		return fmt.Errorf("Close without pending timers returned %d", dropped)
	}
	return err
}

// open opens the facility. If that is for one duration, it is this one.
func (s *sample) open(timeout time.Duration) (err error) {
	s.facility, err = s.subject.open(timeout)
	return err
}

// hour is the duration of pending timers if the facility takes only one.
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
		d.table[i] = s.subject.duration(hour/2+time.Duration(r.Int64N(int64(hour))), hour)
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

// fill starts all timers from several goroutines and waits until they have settled.
func (s *sample) fill(goroutines int) error {
	errs := make([]error, goroutines)
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			d := s.durations(uint64(g))
			part := s.share(g, goroutines)
			for i := range part {
				if part[i], errs[g] = s.facility.AfterFunc(d.next(), noop); errs[g] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	s.subject.settle(s.n)
	return errors.Join(errs...)
}

// share returns the g-th of several equal parts of the timers.
func (s *sample) share(g, parts int) []systems.Timer {
	return s.timers[g*len(s.timers)/parts : (g+1)*len(s.timers)/parts]
}
