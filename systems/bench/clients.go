package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/systems"
)

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
func (s *sample) fill(f systems.Facility, timers []systems.Timer, goroutines int) error {
	errs := make([]error, goroutines)
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			d := s.durations(uint64(g))
			part := share(timers, g, goroutines)
			for i := range part {
				if part[i], errs[g] = f.AfterFunc(d.next(), noop); errs[g] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	s.subject.settle(len(timers))
	return errors.Join(errs...)
}

// share returns the g-th of several equal parts of the timers.
func share(timers []systems.Timer, g, parts int) []systems.Timer {
	return timers[g*len(timers)/parts : (g+1)*len(timers)/parts]
}

// stopAll stops all timers, which must be pending, and closes the facility, which must have
// nothing left to drop.
func stopAll(f systems.Facility, timers []systems.Timer) error {
	for i, t := range timers {
		if !t.Stop() {
			return fmt.Errorf("Stop of pending timer %d of %d returned false", i, len(timers))
		}
	}
	return closeEmpty(f)
}

// closeEmpty closes a facility without timers.
func closeEmpty(f systems.Facility) error {
	if dropped := f.Close(); dropped != 0 {
		return fmt.Errorf("Close without pending timers returned %d", dropped)
	}
	return nil
}

// client is a goroutine that starts and stops timers.
type client struct {
	facility systems.Facility
	timers   []systems.Timer // pending, of no other client
	oldest   int
	durations
	random *rand.Rand
	done   atomic.Int64 // operations
	err    error
	_      [64]byte // against false sharing of done
}

var (
	errStop  = errors.New("Stop of a pending timer returned false")
	errReset = errors.New("Reset of a pending timer returned false")
)

// startStop starts a timer and stops it.
func startStop(c *client) error {
	t, err := c.facility.AfterFunc(c.next(), noop)
	if err == nil && !t.Stop() {
		return errStop
	}
	return err
}

// replace stops the oldest timer and starts another in its place.
func replace(c *client) (err error) {
	if !c.timers[c.oldest].Stop() {
		return errStop
	}
	c.timers[c.oldest], err = c.facility.AfterFunc(c.next(), noop)
	c.oldest = (c.oldest + 1) % len(c.timers)
	return err
}

// reset resets a random timer to its own duration, like that of an idle connection.
func reset(c *client) error {
	i := c.random.IntN(len(c.timers))
	if !c.timers[i].Reset(c.durations.table[i%len(c.durations.table)]) {
		return errReset
	}
	return nil
}

// batch is the number of operations between two checks of whether to end.
const batch = 32

// work repeats an operation until it fails or over is set.
func (c *client) work(op func(*client) error, over *atomic.Bool) {
	for !over.Load() {
		for range batch {
			if c.err = op(c); c.err != nil {
				return
			}
		}
		c.done.Add(batch)
	}
}
