package works

import "timerlab/harness/run"

// memory measures what the process grows by when n timers start, and at most while
// each is stopped and started twice on average, at random.
func (c *client) memory() error {
	c.timers = make([]timer, c.N)
	for i := range c.timers {
		c.timers[i].lives = 0
	}
	chosen := make([]uint32, min(coldBatch, (c.N+3)/4))
	taken := make([]bool, c.N)
	before, err := run.Resident()
	if err != nil {
		return err
	}
	if c.scheme, err = c.build(); err != nil {
		return err
	}
	for i := range c.timers {
		if err := c.start(uint32(i)); err != nil {
			return err
		}
	}
	fresh, err := run.Resident()
	if err != nil {
		return err
	}
	most := fresh
	for ops := 0; ops < 2*c.N; ops += len(chosen) {
		c.choose(chosen, taken)
		for _, i := range chosen {
			c.scheme.Stop(c.timers[i].handle)
			c.timers[i].lives++
		}
		for _, i := range chosen {
			if err := c.start(i); err != nil {
				return err
			}
		}
		if ops/(c.N/8+1) != (ops+len(chosen))/(c.N/8+1) { // eight times a lifetime of all
			if now, err := run.Resident(); err == nil {
				most = max(most, now)
			}
		}
	}
	each := func(bytes int) float64 { return float64(bytes-before) / float64(c.N) }
	c.result = Result{Ops: c.N, Metrics: []Metric{{each(fresh), "B/timer"}, {each(most), "max-B/timer"}}}
	return c.expireAll(0, 0)
}
