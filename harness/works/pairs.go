package works

import (
	"errors"
	"fmt"

	"timerlab/schemes"
)

// The works on which the clock stands still. Afterwards it goes on until all
// timers have expired, which shows whether each did on its tick.

var errStop = errors.New("a stop was refused")

const (
	batch     = 1024 // operations between looks at the time
	coldBatch = 4096
	others    = 500 // pairs between the stops and the starts of PairCold
)

func (c *client) pairHot() error {
	if err := c.fill(); err != nil {
		return err
	}
	settle()
	stopped, ops := 0, 0
	c.begin()
	for ops < c.Ops && !c.spent() {
		for range batch {
			k := schemes.ID(ops)
			h, err := c.scheme.Start(c.interval(k), k)
			if err != nil {
				return err
			}
			if c.scheme.Stop(h) {
				stopped++
			}
			ops++
		}
	}
	c.end()
	c.timed(ops)
	return c.expireAll(stopped, ops)
}

// pairCold keeps the client's own table out of the timing: a client has the handle
// at hand when it wants to stop a timer.
func (c *client) pairCold() error {
	if err := c.fill(); err != nil {
		return err
	}
	taken := make([]bool, c.N)
	chosen := make([]uint32, min(coldBatch, (c.N+3)/4))
	handles := make([]schemes.Handle, len(chosen))
	settle()
	stopped, ops := 0, 0
	for round := 0; ops < c.Ops && c.took < budget; round++ {
		c.choose(chosen, taken)
		for k, i := range chosen {
			handles[k] = c.timers[i].handle
			c.timers[i].lives++
		}
		c.begin()
		for _, h := range handles {
			if c.scheme.Stop(h) {
				stopped++
			}
		}
		c.end()
		if err := c.other(); err != nil {
			return err
		}
		if err := c.startAll(chosen, handles); err != nil {
			return err
		}
		if ops += len(chosen); round == 0 { // storage has grown
			c.took = 0
			stopped, ops = 0, 0
		}
	}
	c.timed(ops)
	return c.expireAll(stopped, ops)
}

// startAll starts timers, which is timed, and notes their handles.
func (c *client) startAll(chosen []uint32, handles []schemes.Handle) (err error) {
	names := make([]schemes.ID, len(chosen))
	for k, i := range chosen {
		names[k] = id(i, c.timers[i].lives)
	}
	c.begin()
	for k, name := range names {
		if handles[k], err = c.scheme.Start(c.interval(name), name); err != nil {
			return err
		}
	}
	c.end()
	for k, i := range chosen {
		c.timers[i].handle = handles[k]
	}
	return nil
}

// choose draws timers, no two alike.
func (c *client) choose(chosen []uint32, taken []bool) {
	for k := range chosen {
		i := c.draw(c.N)
		for taken[i] {
			i = c.draw(c.N)
		}
		taken[i] = true
		chosen[k] = i
	}
	for _, i := range chosen {
		taken[i] = false
	}
}

// other does a thousand other operations.
func (c *client) other() error {
	for k := range schemes.ID(others) {
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

func (c *client) restart() error {
	if err := c.fill(); err != nil {
		return err
	}
	chosen := make([]uint32, (c.Ops+batch-1)/batch*batch)
	for k := range chosen {
		chosen[k] = c.draw(c.N)
	}
	settle()
	ops := 0
	c.begin()
	for ops < c.Ops && !c.spent() {
		for _, i := range chosen[ops : ops+batch] {
			if err := c.again(i, c.interval(schemes.ID(ops))); err != nil {
				return err
			}
			ops++
		}
	}
	c.end()
	c.timed(ops)
	last := make([]schemes.Tick, c.N)
	for i := range last {
		last[i] = c.interval(id(uint32(i), 0))
	}
	for k, i := range chosen[:ops] {
		last[i] = c.interval(schemes.ID(k))
	}
	return c.expireAt(last, ops, ops)
}

// again stops a timer and starts it with another interval.
func (c *client) again(i uint32, interval schemes.Tick) (err error) {
	t := &c.timers[i]
	if c.restarter != nil {
		t.handle, err = c.restarter.Restart(t.handle, interval)
		return err
	}
	if !c.scheme.Stop(t.handle) {
		return errStop
	}
	t.handle, err = c.scheme.Start(interval, id(i, 0))
	return err
}

// expireAll verifies the stops, and that every timer expires on its tick.
func (c *client) expireAll(stopped, want int) error {
	last := make([]schemes.Tick, c.N)
	for i, t := range c.timers {
		last[i] = c.interval(id(uint32(i), t.lives))
	}
	return c.expireAt(last, stopped, want)
}

func (c *client) expireAt(last []schemes.Tick, stopped, wantStopped int) error {
	if stopped != wantStopped {
		return fmt.Errorf("%d of %d stops succeeded", stopped, wantStopped)
	}
	var want outcome
	for i, tick := range last {
		want.add(tick+c.late, id(uint32(i), c.timers[i].lives))
	}
	for longest := c.intervals[points-1]; c.now < longest+c.late; {
		c.tick(c.count)
	}
	return c.verify(want, 0)
}
