package run

import (
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// The scenarios in which the clock stands still. Afterwards it advances until all
// timers have expired, which shows whether each did on its tick.

const (
	pairBatch  = 1024 // operations between readings of the CPU time
	coldBatch  = 4096
	otherPairs = 500 // between the stops and the starts of PairCold
)

func (c *client) pairHot() error {
	if err := c.fill(); err != nil {
		return err
	}
	c.settle()
	ops := 0
	c.begin()
	for ops < c.Ops && !c.spent() {
		for range pairBatch {
			k := schemes.ID(ops)
			h, err := c.scheme.Start(c.interval(k), k)
			if err != nil {
				return err
			}
			if !c.scheme.Stop(h) {
				return errStop
			}
			ops++
		}
	}
	c.end()
	c.timed(ops)
	return c.expireAt(c.lastIntervals())
}

// pairCold keeps the client's own table out of the timing: a client has the handle
// at hand when it wants to stop a timer.
func (c *client) pairCold() error {
	if err := c.fill(); err != nil {
		return err
	}
	some := c.newSelection()
	handles := make([]schemes.Handle, len(some.timers))
	c.settle()
	ops := 0
	for round := 0; ops < c.Ops && c.took < c.budget; round++ {
		some.draw(c)
		for k, i := range some.timers {
			handles[k] = c.timers[i].handle
			c.timers[i].lives++
		}
		c.begin()
		for _, h := range handles {
			if !c.scheme.Stop(h) {
				return errStop
			}
		}
		c.end()
		if err := c.otherPairs(); err != nil {
			return err
		}
		if err := c.startAll(some.timers, handles); err != nil {
			return err
		}
		if ops += len(handles); round == 0 { // storage has grown
			c.took, ops = 0, 0
		}
	}
	c.timed(ops)
	return c.expireAt(c.lastIntervals())
}

// startAll starts timers, which is timed, and stores their handles.
func (c *client) startAll(timers []uint32, handles []schemes.Handle) (err error) {
	ids := make([]schemes.ID, len(timers))
	for k, i := range timers {
		ids[k] = lifetimeID(i, c.timers[i].lives)
	}
	c.begin()
	for k, id := range ids {
		if handles[k], err = c.scheme.Start(c.interval(id), id); err != nil {
			return err
		}
	}
	c.end()
	for k, i := range timers {
		c.timers[i].handle = handles[k]
	}
	return nil
}

// otherPairs does a thousand other operations.
func (c *client) otherPairs() error {
	for k := range schemes.ID(otherPairs) {
		h, err := c.scheme.Start(c.interval(k), k)
		if err != nil {
			return err
		}
		if !c.scheme.Stop(h) {
			return errStop
		}
	}
	return nil
}

// selection is some random timers, no two alike.
type selection struct {
	timers []uint32
	taken  []bool // by timer
}

func (c *client) newSelection() selection {
	return selection{make([]uint32, min(coldBatch, (c.N+3)/4)), make([]bool, c.N)}
}

// draw selects other timers.
func (s *selection) draw(c *client) {
	for k := range s.timers {
		i := c.draw(c.N)
		for s.taken[i] {
			i = c.draw(c.N)
		}
		s.taken[i] = true
		s.timers[k] = i
	}
	for _, i := range s.timers {
		s.taken[i] = false
	}
}

func (c *client) restart() error {
	if err := c.fill(); err != nil {
		return err
	}
	chosen := make([]uint32, (c.Ops+pairBatch-1)/pairBatch*pairBatch)
	for k := range chosen {
		chosen[k] = c.draw(c.N)
	}
	c.settle()
	ops := 0
	c.begin()
	for ops < c.Ops && !c.spent() {
		for _, i := range chosen[ops : ops+pairBatch] {
			if err := c.restartOne(i, c.interval(schemes.ID(ops))); err != nil {
				return err
			}
			ops++
		}
	}
	c.end()
	c.timed(ops)
	last := c.lastIntervals()
	for k, i := range chosen[:ops] {
		last[i] = c.interval(schemes.ID(k))
	}
	return c.expireAt(last)
}

// restartOne stops a timer and starts it with another interval.
func (c *client) restartOne(i uint32, interval schemes.Tick) (err error) {
	t := &c.timers[i]
	if c.restarter != nil {
		t.handle, err = c.restarter.Restart(t.handle, interval)
		return err
	}
	if !c.scheme.Stop(t.handle) {
		return errStop
	}
	t.handle, err = c.scheme.Start(interval, lifetimeID(i, 0))
	return err
}

// lastIntervals returns the interval of each timer's present lifetime.
func (c *client) lastIntervals() []schemes.Tick {
	last := make([]schemes.Tick, c.N)
	for i, t := range c.timers {
		last[i] = c.interval(lifetimeID(uint32(i), t.lives))
	}
	return last
}

// expireAt verifies that every timer expires after its interval in last.
func (c *client) expireAt(last []schemes.Tick) error {
	var want workload.Outcome
	for i, interval := range last {
		expect(&want, interval+c.late, lifetimeID(uint32(i), c.timers[i].lives))
	}
	for longest := c.intervals[len(c.intervals)-1]; c.now < longest+c.late; {
		c.tick(c.count)
	}
	return c.verify(want, 0)
}
