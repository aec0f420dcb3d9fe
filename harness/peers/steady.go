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

// steady times ticks in the steady state: a power of two, for about Ops lifetimes, but at
// least a quarter revolution of the second wheel. The time is per unit of progress.
func (c *client) steady(progress func() int) error {
	again := func(id schemes.ID) {
		expect(&c.got, c.now, id)
		id += nextLifetime
		if _, err := c.scheme.Start(c.interval(id), id); err != nil {
			c.err = err
		}
	}
	pass := func(ticks schemes.Tick) {
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
	pass(quarter)
	c.settle()
	before := progress()
	ticks := uint64(c.Ops) * uint64(c.T) / uint64(c.N)
	pass(schemes.Tick(min(max(1<<bits.Len64(ticks), quarter), maxTicks)))
	c.timed(progress() - before)
	return c.verify(c.expected(nil), c.N)
}

// churnRatio is how many restarts there are for each timer that would expire.
const churnRatio = 99

func (c *client) churn() error {
	warm, timed := c.restarts(c.Ops/4), c.restarts(c.Ops)
	warm, _ = c.churning(warm)
	c.settle()
	timed, ops := c.churning(timed)
	c.timed(ops)
	return c.verify(c.expected(slices.Concat(warm, timed)), c.N)
}

// restarts draws the timers that each tick restarts, no two alike on one tick.
func (c *client) restarts(ops int) (groups [][]uint32) {
	for owed := 0.0; ops > 0; {
		owed += churnRatio * float64(c.N) / float64(c.T)
		group := make([]uint32, min(int(owed), (c.N+1)/2))
		owed -= float64(len(group))
		c.draw(group)
		groups = append(groups, group)
		ops -= len(group)
	}
	return groups
}

// churning alternates between a tick and a group of timers that are stopped and then
// started. It returns the groups, and the restarts in them, for which the budget lasted.
func (c *client) churning(groups [][]uint32) (done [][]uint32, ops int) {
	again := func(id schemes.ID) {
		expect(&c.got, c.now, id)
		i := int(uint32(id))
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
			c.start(int(i))
		}
		ops += len(group)
	}
	c.end()
	return groups, ops
}

// expected returns the outcome up to now, one timer at a time: between two restarts
// its lifetimes follow each other. The k-th of groups restarted on tick k+1.
func (c *client) expected(groups [][]uint32) (want workload.Outcome) {
	deadline, lives := make([]schemes.Tick, c.N), make([]uint32, c.N)
	start := func(i int, now schemes.Tick) {
		deadline[i] = now + c.interval(lifetimeID(i, lives[i]))
	}
	expire := func(i int, now schemes.Tick) {
		for deadline[i] <= now {
			expect(&want, deadline[i], lifetimeID(i, lives[i]))
			lives[i]++
			start(i, deadline[i])
		}
	}
	for i := range deadline {
		start(i, 0)
	}
	for k, group := range groups {
		for _, i := range group {
			expire(int(i), schemes.Tick(k+1))
			lives[i]++
			start(int(i), schemes.Tick(k+1))
		}
	}
	for i := range deadline {
		expire(i, c.now)
	}
	return want
}
