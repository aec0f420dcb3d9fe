package peers

import (
	"math"
	"runtime"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// The scenarios that measure no mean time: what timers take in memory, and the
// longest single operation.

// memory measures by how much the process grows when n timers start, and at most
// while each restarts twice on average, in random order.
func (c *client) memory() error {
	c.timers = make([]clientTimer, c.N)
	for i := range c.timers {
		c.timers[i].lives = 0 // so that its page is resident
	}
	some := c.newSelection()
	before, err := run.Resident()
	if err != nil {
		return err
	}
	if err := c.fill(); err != nil {
		return err
	}
	fresh, err := run.Resident()
	if err != nil {
		return err
	}
	most, eighth := fresh, c.N/8+1
	for ops := 0; ops < 2*c.N; ops += len(some.timers) {
		c.restartSome(&some, func() {})
		if ops/eighth == (ops+len(some.timers))/eighth { // not yet another eighth of all
			continue
		}
		if now, err := run.Resident(); err == nil {
			most = max(most, now)
		}
	}
	c.result.Iters = c.N
	c.result.Add(float64(fresh-before)/float64(c.N), results.BytesPerTimer)
	c.result.Add(float64(most-before)/float64(c.N), "max-B/timer")
	return c.drain(c.lastIntervals())
}

// worst is churn with every operation timed on its own, by the wall clock: it is what
// a client waits for. The prefill counts, since storage grows in it.
func (c *client) worst() error {
	timed := &eachTimed{}
	build := c.build
	c.build = func() (_ schemes.Scheme, err error) {
		timed.Scheme, err = build()
		return timed, err
	}
	if err := c.fill(); err != nil {
		return err
	}
	c.budget = math.MaxInt64
	groups := c.restarts(c.Ops)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	groups, ops := c.churning(groups)
	runtime.ReadMemStats(&after)
	bytes, err := run.Resident()
	if err != nil {
		return err
	}
	c.scheme = timed.Scheme
	c.result.Iters = ops
	c.result.Add(float64(timed.start), "worst-start-ns")
	c.result.Add(float64(timed.stop), "worst-stop-ns")
	c.result.Add(float64(timed.tick), "worst-tick-ns")
	c.result.Add(float64(after.NumGC-before.NumGC), "gc-cycles")
	c.result.Add(float64(bytes)/float64(c.N), results.BytesPerTimer)
	return c.verify(c.expected(groups...), c.N)
}

// eachTimed is a scheme with the longest time of each operation.
type eachTimed struct {
	schemes.Scheme
	start, stop, tick time.Duration
}

func (e *eachTimed) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	began := time.Now()
	h, err := e.Scheme.Start(interval, id)
	e.start = max(e.start, time.Since(began))
	return h, err
}

func (e *eachTimed) Stop(h schemes.Handle) bool {
	began := time.Now()
	ok := e.Scheme.Stop(h)
	e.stop = max(e.stop, time.Since(began))
	return ok
}

func (e *eachTimed) PerTick() int {
	began := time.Now()
	due := e.Scheme.PerTick()
	e.tick = max(e.tick, time.Since(began))
	return due
}
