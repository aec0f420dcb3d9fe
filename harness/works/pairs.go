package works

import (
	"fmt"

	"timerlab/schemes"
)

// The works on which the clock stands still. Afterwards it goes on until all
// timers have expired, which shows whether each did on its tick.

const (
	pairs     = 1 << 20 // that are timed
	coldBatch = 4096
	others    = 500 // pairs between the stops and the starts of PairCold
)

func (c *client) pairHot() error {
	if err := c.fill(); err != nil {
		return err
	}
	settle()
	stopped := 0
	c.begin()
	for k := range schemes.ID(pairs) {
		h, err := c.scheme.Start(c.interval(k), k)
		if err != nil {
			return err
		}
		if c.scheme.Stop(h) {
			stopped++
		}
	}
	c.end()
	c.timed(pairs)
	return c.expireAll(stopped, pairs)
}

func (c *client) pairCold() error {
	if err := c.fill(); err != nil {
		return err
	}
	batch := min(coldBatch, (c.N+3)/4)
	taken := make([]bool, c.N)
	chosen := make([]uint32, batch)
	settle()
	stopped, ops := 0, 0
	for round := 0; ops < pairs; round++ {
		c.choose(chosen, taken)
		c.begin()
		for _, i := range chosen {
			if c.scheme.Stop(c.timers[i].handle) {
				stopped++
			}
		}
		c.end()
		if err := c.other(); err != nil {
			return err
		}
		for _, i := range chosen {
			c.timers[i].lives++
		}
		c.begin()
		for _, i := range chosen {
			if err := c.start(i); err != nil {
				return err
			}
		}
		c.end()
		if ops += batch; round == 0 { // storage has grown
			c.took = 0
			stopped, ops = 0, 0
		}
	}
	c.timed(ops)
	return c.expireAll(stopped, ops)
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
			return fmt.Errorf("a stop was refused")
		}
	}
	return nil
}

func (c *client) restart() error {
	if err := c.fill(); err != nil {
		return err
	}
	restarter, _ := c.scheme.(schemes.Restarter)
	chosen := make([]uint32, pairs)
	for k := range chosen {
		chosen[k] = c.draw(c.N)
	}
	settle()
	stopped := 0
	c.begin()
	for k, i := range chosen {
		t := &c.timers[i]
		interval := c.interval(schemes.ID(k))
		if restarter != nil {
			h, err := restarter.Restart(t.handle, interval)
			if err != nil {
				return err
			}
			t.handle = h
			stopped++
			continue
		}
		if c.scheme.Stop(t.handle) {
			stopped++
		}
		h, err := c.scheme.Start(interval, id(i, 0))
		if err != nil {
			return err
		}
		t.handle = h
	}
	c.end()
	c.timed(pairs)
	last := make([]schemes.Tick, c.N)
	for i := range last {
		last[i] = c.interval(id(uint32(i), 0))
	}
	for k, i := range chosen {
		last[i] = c.interval(schemes.ID(k))
	}
	return c.expireAt(last, stopped, pairs)
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
		want.add(tick, id(uint32(i), c.timers[i].lives))
	}
	for longest := c.intervals[points-1]; c.now < longest; {
		c.tick(c.count)
	}
	return c.verify(want, 0)
}
