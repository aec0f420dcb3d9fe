package works

import (
	"math/bits"

	"timerlab/schemes"
)

// The works on which the clock goes on.

const (
	mostTicks = 1 << 21 // that are timed
	turn      = 256     // ticks: a time round of the lowest of the default wheels
)

func (c *client) hold() error {
	ticks, err := c.steady()
	if err != nil {
		return err
	}
	before := c.expired
	if err := c.pass(ticks); err != nil {
		return err
	}
	c.timed(int(c.expired - before))
	return c.verify(c.held(), c.N)
}

func (c *client) idle() error {
	ticks, err := c.steady()
	if err != nil {
		return err
	}
	before := c.now
	if err := c.pass(ticks); err != nil {
		return err
	}
	c.timed(int(c.now - before))
	return c.verify(c.held(), c.N)
}

// steady fills, warms up, and returns how many ticks are to be timed: a power of
// two, for about Ops lifetimes, but at least a quarter of a time round of
// the second wheel.
func (c *client) steady() (schemes.Tick, error) {
	if err := c.fill(); err != nil {
		return 0, err
	}
	if err := c.pass(quarter); err != nil {
		return 0, err
	}
	c.took = 0
	settle()
	ticks := uint64(c.Ops) * uint64(c.T) / uint64(c.N)
	return schemes.Tick(min(max(1<<bits.Len64(ticks), quarter), mostTicks)), nil
}

// pass lets time pass; every timer that expires starts again in its action.
func (c *client) pass(ticks schemes.Tick) (err error) {
	again := func(id schemes.ID) {
		c.count(id)
		id += 1 << 32
		if _, e := c.scheme.Start(c.interval(id), id); e != nil {
			err = e
		}
	}
	scheme := c.scheme
	c.begin()
	for done := schemes.Tick(0); done < ticks && !c.spent(); done += turn {
		for range turn {
			c.now++
			if scheme.PerTick() > 0 {
				scheme.Expire(again)
			}
		}
	}
	c.end()
	return err
}

// held is the outcome of hold: each timer's lifetimes follow each other.
func (c *client) held() (want outcome) {
	for i := range uint32(c.N) {
		name := id(i, 0)
		for at := c.interval(name) + c.late; at <= c.now; at += c.interval(name) + c.late {
			want.add(at, name)
			name += 1 << 32
		}
	}
	return want
}

// groups are the restarts of Churn, by tick.
type groups struct {
	ends   []int // of a tick's group in chosen
	chosen []uint32
}

// churnRatio is how many restarts there are for each timer that would expire.
const churnRatio = 99

func (c *client) churn() error {
	if err := c.fill(); err != nil {
		return err
	}
	warm, timed := c.plan(c.Ops/4), c.plan(c.Ops)
	if err := c.churning(&warm); err != nil {
		return err
	}
	c.took = 0
	settle()
	if err := c.churning(&timed); err != nil {
		return err
	}
	c.timed(len(timed.chosen))
	return c.verify(c.churned(warm, timed), c.N)
}

// plan draws the timers that each tick restarts, no two alike on one tick.
func (c *client) plan(ops int) (g groups) {
	taken := make([]uint32, c.N) // the last group that a timer was in
	owed := 0.0
	for group := uint32(1); len(g.chosen) < ops; group++ {
		for owed += churnRatio * float64(c.N) / float64(c.T); owed >= 1; owed-- {
			i := c.draw(c.N)
			if taken[i] != group {
				taken[i] = group
				g.chosen = append(g.chosen, i)
			}
		}
		g.ends = append(g.ends, len(g.chosen))
	}
	return g
}

// churning lets a tick pass, then stops a group of timers, then starts them again,
// and so on. It cuts off the groups for which the budget was too small.
func (c *client) churning(g *groups) (err error) {
	again := func(name schemes.ID) {
		c.count(name)
		i := uint32(name)
		c.timers[i].lives++
		if e := c.start(i); e != nil {
			err = e
		}
	}
	first := 0
	var handles []schemes.Handle
	c.begin()
	for k, end := range g.ends {
		if k%64 == 63 && c.spent() {
			g.ends, g.chosen = g.ends[:k], g.chosen[:first]
			break
		}
		c.tick(again)
		handles = handles[:0]
		for _, i := range g.chosen[first:end] {
			handles = append(handles, c.timers[i].handle)
			c.timers[i].lives++
		}
		for _, h := range handles {
			if !c.scheme.Stop(h) {
				return errStop
			}
		}
		for _, i := range g.chosen[first:end] {
			if e := c.start(i); e != nil {
				return e
			}
		}
		first = end
	}
	c.end()
	return err
}

// churned is the outcome of churning, one timer at a time: between two restarts its
// lifetimes follow each other.
func (c *client) churned(parts ...groups) (want outcome) {
	expiry, lives := make([]schemes.Tick, c.N), make([]uint32, c.N)
	expire := func(i uint32, now schemes.Tick) {
		for expiry[i] <= now {
			want.add(expiry[i], id(i, lives[i]))
			lives[i]++
			expiry[i] += c.interval(id(i, lives[i])) + c.late
		}
	}
	for i := range expiry {
		expiry[i] = c.interval(id(uint32(i), 0)) + c.late
	}
	now := schemes.Tick(0)
	for _, g := range parts {
		first := 0
		for _, end := range g.ends {
			now++
			for _, i := range g.chosen[first:end] {
				expire(i, now)
				lives[i]++
				expiry[i] = now + c.interval(id(i, lives[i])) + c.late
			}
			first = end
		}
	}
	for i := range expiry {
		expire(uint32(i), now)
	}
	return want
}

const (
	sparseTimers = 10
	sparseTicks  = 1_000_000_000
)

// advancer is a scheme that steps over empty ticks.
type advancer interface {
	Advance(most schemes.Tick) (passed schemes.Tick, due int)
}

func (c *client) sparse() error {
	var want outcome
	runs := 1
	for run := 0; run < runs; run++ {
		var err error
		if c.scheme, err = c.build(); err != nil {
			return err
		}
		c.now = 0
		for i := range schemes.ID(sparseTimers) {
			interval := 1 + schemes.Tick(c.draw(sparseTicks-1))
			want.add(interval, i)
			if _, err := c.scheme.Start(interval, i); err != nil {
				return err
			}
		}
		c.begin()
		c.toTheEnd()
		c.end()
		if _, ok := c.scheme.(advancer); ok {
			runs = 1000
		}
	}
	c.timed(runs)
	return c.verify(want, 0)
}

// toTheEnd passes all ticks of Sparse.
func (c *client) toTheEnd() {
	a, ok := c.scheme.(advancer)
	for c.now < sparseTicks {
		if !ok {
			c.tick(c.count)
			continue
		}
		passed, due := a.Advance(sparseTicks - c.now)
		if c.now += passed; due > 0 {
			c.scheme.Expire(c.count)
		}
	}
}
