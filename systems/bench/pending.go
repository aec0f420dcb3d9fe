package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"timerlab/systems"
)

// durations are what timers are started for where none expires: half an hour to one and a
// half, so that a start is no nearer to the front of a heap than those before it.
type durations struct {
	table [4096]time.Duration
	at    int
}

func (s *sample) durations(seed uint64) *durations {
	d := &durations{}
	r := rand.New(rand.NewPCG(uint64(s.round), seed))
	for i := range d.table {
		d.table[i] = 30*time.Minute + time.Duration(r.Int64N(int64(time.Hour)))
		if s.entrant.fixed != nil {
			d.table[i] = fixedDuration
		}
	}
	d.at = r.IntN(len(d.table))
	return d
}

func (d *durations) next() time.Duration {
	d.at = (d.at + 1) % len(d.table)
	return d.table[d.at]
}

func nothing() {}

// fill starts timers in all places, by so many goroutines, and waits until they are where
// they belong.
func (s *sample) fill(f systems.Facility, timers []systems.Timer, goroutines int) error {
	errs := make([]error, goroutines)
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() { errs[g] = s.start(f, share(timers, g, goroutines), uint64(g)) })
	}
	all.Wait()
	if s.entrant.settle != nil {
		time.Sleep(s.entrant.settle(len(timers)))
	}
	return errors.Join(errs...)
}

func (s *sample) start(f systems.Facility, timers []systems.Timer, seed uint64) (err error) {
	d := s.durations(seed)
	for i := range timers {
		if timers[i], err = f.AfterFunc(d.next(), nothing); err != nil {
			return err
		}
	}
	return nil
}

// share is the part of the timers that the g-th of some goroutines has.
func share(timers []systems.Timer, g, goroutines int) []systems.Timer {
	return timers[g*len(timers)/goroutines : (g+1)*len(timers)/goroutines]
}

// empty stops all timers, each of which must wait, and closes the facility, which then has
// nothing to drop.
func empty(f systems.Facility, timers []systems.Timer) error {
	for i, t := range timers {
		if !t.Stop() {
			return fmt.Errorf("Stop of timer %d of %d, which waits, is false", i, len(timers))
		}
	}
	if dropped := f.Close(); dropped != 0 {
		return fmt.Errorf("Close returns %d after all timers were stopped", dropped)
	}
	return nil
}
