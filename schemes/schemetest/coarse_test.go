package schemetest

import (
	"testing"

	"timerlab/schemes"
)

// coarse is the reference as a scheme that trades precision: the longer the interval, the coarser the deadline.
// Its units are the ticks of one slot on each level; the largest that the interval reaches is the one to which
// the absolute deadline is rounded, half a unit up.
type coarse struct {
	*reference
	units []schemes.Tick // ascending, the first is 1
}

func coarseInfo(f fault) *schemes.Info {
	info := wrapped(7, f, func(r *reference, of setting) schemes.Scheme {
		c := &coarse{r, append([]schemes.Tick{1}, of.spans()...)}
		c.units = c.units[:min(len(c.units), len(of.wheels()))] // the last product is the range
		c.rounded = c.round
		return c
	})
	info.Name = "reference-coarse"
	return info
}

func (c *coarse) unit(interval schemes.Tick) (unit schemes.Tick) {
	for _, u := range c.units {
		if u <= interval {
			unit = u
		}
	}
	return unit
}

// round gives the deadline of a timer; the clock's end is the last.
func (c *coarse) round(interval schemes.Tick) schemes.Tick {
	exact, unit := c.now+interval, c.unit(interval)
	switch {
	case unit == 1:
		return exact
	case c.is("a tick later than its bound"):
		exact += min(unit/2, endOfClock-exact)
	case c.is("due on its own tick"):
		return c.now
	case c.is("never due") && interval == 4*unit:
		return endOfClock
	case c.is("rounded by its neighbours") && c.n > 5:
		return exact
	case c.is("rounded by its past") && c.starts%7 == 0:
		return exact
	}
	if exact > endOfClock-unit/2 {
		if c.is("past the clock's end") {
			return exact + unit/2 - (exact+unit/2)%unit
		}
		return endOfClock
	}
	return exact + unit/2 - (exact+unit/2)%unit
}

func (c *coarse) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	h, err := c.reference.Start(interval, id)
	if i := uint32(h); err == nil && c.is("due on its own tick") && c.records[i].deadline == c.now {
		c.unlink(i)
		c.records[i].state = due
		c.link(i, dueHead)
	}
	return h, err
}

func (c *coarse) Bound(interval schemes.Tick) (early, late schemes.Tick) {
	unit := c.unit(interval)
	early, late = unit-1-unit/2, unit/2
	switch {
	case c.is("bound not tight early") && unit > 1:
		early++
	case c.is("bound not tight late"):
		late++
	case c.is("bound of the clock"):
		late += c.now % 2
	case c.is("bound before the start"):
		early = interval
	}
	return early, late
}

func FuzzCoarse(f *testing.F) { Fuzz(f, coarseInfo("")) }

func TestBrokenCoarseIsRejected(t *testing.T) {
	for f, rule := range map[fault]string{
		"a tick later than its bound": "bound",
		"due on its own tick":         "bound",
		"never due":                   "bound",
		"past the clock's end":        "bound",
		"bound of the clock":          "bound",
		"bound before the start":      "bound",
		"bound not tight early":       "bound-tight",
		"bound not tight late":        "bound-tight",
		"rounded by its neighbours":   "exact",
		"rounded by its past":         "exact",

		"due timer not stoppable":           "stop-due",
		"slot walked while it grows":        "expire-start",
		"one in a hundred thousand dropped": "volume",
		"range end refused":                 "interval-range",
		"clock wraps":                       "clock-stops",
		"levels not copied":                 "config-copied",
		"later ticks first":                 "expire",
	} {
		t.Run(string(f), func(t *testing.T) { rejected(t, coarseInfo(f), rule) })
	}
}
