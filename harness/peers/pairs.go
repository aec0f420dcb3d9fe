package peers

import (
	"timerlab/harness/results/units"
	"timerlab/harness/run"
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

// batches times batches of operations, each after ops others, until there are enough or the budget is spent.
func (c *client) batches(batch func(ops int)) (ops int) {
	c.settle()
	c.begin()
	for ; ops < c.Ops && !c.spent(); ops += pairBatch {
		batch(ops)
	}
	c.end()
	c.timed(ops)
	return ops
}

// pairs starts timers with IDs from first on, and stops each at once.
func (c *client) pairs(first, count schemes.ID) {
	for id := first; id < first+count; id++ {
		h, err := c.scheme.Start(c.interval(id), id)
		if err != nil {
			c.err = err
		}
		c.stop(h)
	}
}

func (c *client) pairCold() error {
	some := c.newSelection()
	c.settle()
	ops := 0
	for round := 0; ops < c.Ops && c.took < budget; round++ {
		c.restartSome(some, func() { c.pairs(0, otherPairs) })
		if ops += len(some.timers); round == 0 { // storage has grown
			c.took, ops = 0, 0
		}
	}
	c.timed(ops)
	return c.drain(c.lastIntervals())
}

// selection is some timers, with their handles and the IDs of their next lifetimes.
type selection struct {
	timers  []uint32
	handles []schemes.Handle
	ids     []schemes.ID
}

func (c *client) newSelection() selection {
	size := min(coldBatch, (c.N+3)/4)
	return selection{make([]uint32, size), make([]schemes.Handle, size), make([]schemes.ID, size)}
}

// restartSome stops random timers, calls between, and starts them again. The stops and the starts are timed,
// without the client's own table: a client has the handle at hand when it wants to stop a timer.
func (c *client) restartSome(some selection, between func()) {
	c.draw(some.timers)
	for k, i := range some.timers {
		t := &c.timers[i]
		t.lives++
		some.handles[k], some.ids[k] = t.handle, lifetimeID(int(i), t.lives)
	}
	c.begin()
	for _, h := range some.handles {
		c.stop(h)
	}
	c.end()
	between()
	c.begin()
	for k, id := range some.ids {
		h, err := c.scheme.Start(c.interval(id), id)
		if some.handles[k] = h; err != nil {
			c.err = err
		}
	}
	c.end()
	for k, i := range some.timers {
		c.timers[i].handle = some.handles[k]
	}
}

func (c *client) restart() error {
	chosen := make([]uint32, (c.Ops+pairBatch-1)/pairBatch*pairBatch)
	for k := range chosen {
		chosen[k] = c.random.Uint32N(uint32(c.N))
	}
	restarter, _ := c.scheme.(schemes.Restarter)
	ops := c.batches(func(ops int) {
		for k, i := range chosen[ops : ops+pairBatch] {
			t, interval := &c.timers[i], c.interval(schemes.ID(ops+k))
			var err error
			if restarter != nil {
				t.handle, err = restarter.Restart(t.handle, interval)
			} else {
				c.stop(t.handle)
				t.handle, err = c.scheme.Start(interval, lifetimeID(int(i), 0))
			}
			if err != nil {
				c.err = err
			}
		}
	})
	last := c.lastIntervals()
	for k, i := range chosen[:ops] {
		last[i] = c.interval(schemes.ID(k))
	}
	return c.drain(last)
}

// memory measures by how much the process grew when n timers started, and at most
// while each restarts twice on average, in random order.
func (c *client) memory() error {
	fresh, err := run.Resident()
	if err != nil {
		return err
	}
	some, most, eighth := c.newSelection(), fresh, c.N/8+1
	for ops := 0; ops < 2*c.N; ops += len(some.timers) {
		c.restartSome(some, func() {})
		if ops/eighth == (ops+len(some.timers))/eighth { // not yet another eighth of all
			continue
		}
		if now, err := run.Resident(); err == nil {
			most = max(most, now)
		}
	}
	c.result.Iters = c.N
	c.result.Add(float64(fresh-c.resident)/float64(c.N), units.BytesPerTimer)
	c.result.Add(float64(most-c.resident)/float64(c.N), "max-B/timer")
	return c.drain(c.lastIntervals())
}

// lastIntervals returns the interval of each timer's present lifetime.
func (c *client) lastIntervals() []schemes.Tick {
	last := make([]schemes.Tick, c.N)
	for i, t := range c.timers {
		last[i] = c.interval(lifetimeID(i, t.lives))
	}
	return last
}

// drain verifies that every timer expires after its interval in last.
func (c *client) drain(last []schemes.Tick) error {
	var want workload.Outcome
	for i, interval := range last {
		expect(&want, interval, lifetimeID(i, c.timers[i].lives))
	}
	count := func(id schemes.ID) { expect(&c.got, c.now, id) }
	for longest := c.intervals[len(c.intervals)-1]; c.now < longest; {
		c.tick(count)
	}
	return c.verify(want, 0)
}
