package works

import (
	"runtime"
	"time"

	"timerlab/harness/run"

	"timerlab/schemes"
)

// longest is the longest of some operations, by the clock on the wall: it is what a
// client waits for.
type longest struct {
	took  time.Duration
	began time.Time
}

func (l *longest) begin() { l.began = time.Now() }
func (l *longest) end()   { l.took = max(l.took, time.Since(l.began)) }

// worst is churn with a clock around every operation. The prefill counts, because
// storage grows in it.
func (c *client) worst() (err error) {
	var start, stop, tick longest
	timed := func(i uint32) {
		start.begin()
		e := c.start(i)
		start.end()
		if e != nil {
			err = e
		}
	}
	again := func(name schemes.ID) {
		c.count(name)
		i := uint32(name)
		c.timers[i].lives++
		timed(i)
	}
	c.timers = make([]timer, c.N)
	if c.scheme, err = c.build(); err != nil {
		return err
	}
	for i := range c.timers {
		timed(uint32(i))
	}
	groups := c.plan(c.Ops)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	first := 0
	for _, end := range groups.ends {
		c.now++
		tick.begin()
		due := c.scheme.PerTick()
		tick.end()
		if due > 0 {
			c.scheme.Expire(again)
		}
		for _, i := range groups.chosen[first:end] {
			t := &c.timers[i]
			stop.begin()
			ok := c.scheme.Stop(t.handle)
			stop.end()
			if !ok {
				return errStop
			}
			t.lives++
		}
		for _, i := range groups.chosen[first:end] {
			timed(i)
		}
		first = end
	}
	if err != nil {
		return err
	}
	runtime.ReadMemStats(&after)
	bytes, err := run.Resident()
	if err != nil {
		return err
	}
	ns := func(l longest) float64 { return float64(l.took.Nanoseconds()) }
	c.result = Result{Ops: len(groups.chosen), Metrics: []Metric{
		{ns(start), "worst-start-ns"}, {ns(stop), "worst-stop-ns"}, {ns(tick), "worst-tick-ns"},
		{float64(after.NumGC - before.NumGC), "gc-cycles"}, {float64(bytes) / float64(c.N), "B/timer"},
	}}
	return c.verify(c.churned(groups), c.N)
}
