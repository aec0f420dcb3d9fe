package peers

import (
	"math/bits"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// The scenarios in which the clock advances.

const (
	maxTicks   = 1 << 21 // that are timed
	revolution = 256     // ticks: of the lowest of the default wheels
)

func (c *client) hold() error { return c.steady(func() int { return int(c.got.Expired) }) }

func (c *client) idle() error { return c.steady(func() int { return int(c.now) }) }

// steady times ticks in the steady state: a power of two, for about Ops lifetimes, but at
// least a quarter revolution of the second wheel. The time is per unit of progress.
func (c *client) steady(progress func() int) error {
	c.pass(quarter)
	c.settle()
	before := progress()
	ticks := uint64(c.Ops) * uint64(c.T) / uint64(c.N)
	c.pass(schemes.Tick(min(max(1<<bits.Len64(ticks), quarter), maxTicks)))
	c.timed(progress() - before)
	return c.verify(c.expected(), c.N)
}

// pass advances the clock. Every timer that expires starts again in its action.
func (c *client) pass(ticks schemes.Tick) {
	again := func(id schemes.ID) {
		c.count(id)
		id += nextLifetime
		if _, err := c.scheme.Start(c.interval(id), id); err != nil {
			c.err = err
		}
	}
	scheme := c.scheme
	c.begin()
	for done := schemes.Tick(0); done < ticks && !c.spent(); done += revolution {
		for range revolution {
			c.now++
			if scheme.PerTick() > 0 {
				scheme.Expire(again)
			}
		}
	}
	c.end()
}

// churnRatio is how many restarts there are for each timer that would expire.
const churnRatio = 99

func (c *client) churn() error {
	warm, timed := c.restarts(c.Ops/4), c.restarts(c.Ops)
	warm, _ = c.churning(warm)
	c.settle()
	timed, ops := c.churning(timed)
	c.timed(ops)
	return c.verify(c.expected(slices.Concat(warm, timed)...), c.N)
}

// restarts draws the timers that each tick restarts, no two alike on one tick.
func (c *client) restarts(ops int) (groups [][]uint32) {
	taken := make([]uint32, c.N) // the last tick that restarts a timer
	owed := 0.0
	for tick := uint32(1); ops > 0; tick++ {
		var group []uint32
		for owed += churnRatio * float64(c.N) / float64(c.T); owed >= 1; owed-- {
			i := c.draw(c.N)
			if taken[i] != tick {
				taken[i] = tick
				group = append(group, i)
			}
		}
		groups = append(groups, group)
		ops -= len(group)
	}
	return groups
}

// churning alternates between a tick and a group of timers that are stopped and then
// started. It returns the groups, and the restarts in them, for which the budget lasted.
func (c *client) churning(groups [][]uint32) (done [][]uint32, ops int) {
	again := func(id schemes.ID) {
		c.count(id)
		i := uint32(id)
		c.timers[i].lives++
		c.start(i)
	}
	var handles []schemes.Handle
	c.begin()
	for k, group := range groups {
		if k%64 == 63 && c.spent() {
			groups = groups[:k]
			break
		}
		c.tick(again)
		handles = handles[:0]
		for _, i := range group {
			handles = append(handles, c.timers[i].handle)
			c.timers[i].lives++
		}
		for _, h := range handles {
			c.stop(h)
		}
		for _, i := range group {
			c.start(i)
		}
		ops += len(group)
	}
	c.end()
	return groups, ops
}

// expected returns the outcome up to now, one timer at a time: between two restarts
// its lifetimes follow each other. The k-th of groups restarted on tick k+1.
func (c *client) expected(groups ...[]uint32) (want workload.Outcome) {
	deadline, lives := make([]schemes.Tick, c.N), make([]uint32, c.N)
	start := func(i uint32, now schemes.Tick) {
		deadline[i] = now + c.interval(lifetimeID(i, lives[i])) + c.Late
	}
	expire := func(i uint32, now schemes.Tick) {
		for deadline[i] <= now {
			expect(&want, deadline[i], lifetimeID(i, lives[i]))
			lives[i]++
			start(i, deadline[i])
		}
	}
	for i := range deadline {
		start(uint32(i), 0)
	}
	for k, group := range groups {
		now := schemes.Tick(k + 1)
		for _, i := range group {
			expire(i, now)
			lives[i]++
			start(i, now)
		}
	}
	for i := range deadline {
		expire(uint32(i), c.now)
	}
	return want
}

const (
	sparseTimers = 10
	sparseTicks  = 1_000_000_000
	sparseRuns   = 1000 // of a scheme that steps over empty ticks
)

func (c *client) sparse() error {
	var want workload.Outcome
	runs := 1
	for run := 0; run < runs; run++ {
		var err error
		if c.scheme, err = c.build(); err != nil {
			return err
		}
		c.now = 0
		for id := range schemes.ID(sparseTimers) {
			interval := 1 + schemes.Tick(c.draw(sparseTicks-1))
			expect(&want, interval, id)
			if _, err := c.scheme.Start(interval, id); err != nil {
				return err
			}
		}
		c.begin()
		if c.passSparse() {
			runs = sparseRuns
		}
		c.end()
	}
	c.timed(runs)
	return c.verify(want, 0)
}

// passSparse passes all ticks of Sparse, and reports whether the scheme can step over
// empty ones.
func (c *client) passSparse() (steps bool) {
	count := c.count // made once, so that no tick allocates
	a, steps := c.scheme.(schemes.Advancer)
	for c.now < sparseTicks {
		if !steps {
			c.tick(count)
			continue
		}
		passed, due := a.Advance(sparseTicks - c.now)
		if c.now += passed; due > 0 {
			c.scheme.Expire(count)
		}
	}
	return steps
}
