package schemetest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

func TestCoarsePasses(t *testing.T) { require.NoError(t, VerifyShort(coarseInfo(""))) }

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

// The oracle by hand: units of 1, 10 and 100 ticks.
func TestOracle(t *testing.T) {
	info := coarseInfo("")
	c := setting{info, schemes.Config{Levels: []int{10, 10, 10}}}
	s := newSuite(info, false)
	s.rule = &rules[0]
	o := s.oracleAbout(c, s.scheme(c))
	require.NotNil(t, o)
	assert.Same(t, o, s.oracleAbout(c.at(77), s.scheme(c)))
	for _, a := range []struct{ now, interval, deadline schemes.Tick }{
		{0, 1, 1}, {3, 9, 12}, {3, 10, 10}, {3, 12, 20}, {5, 144, 100}, {5, 145, 200}, {endOfClock - 12, 12, endOfClock},
	} {
		assert.Equal(t, a.deadline, o.deadline(a.now, a.interval, min(a.now, endOfClock-1000)+1000), "%+v", a)
	}
	assert.Equal(t, schemes.Tick(250), o.deadline(0, 200, 149), "out of reach: as late as can be")
	assert.Equal(t, schemes.Tick(250), o.deadline(0, 200, 199))
	assert.Equal(t, schemes.Tick(200), o.deadline(0, 200, 200), "observed")
	exact := newSuite(referenceInfo(7, ""), false)
	assert.Nil(t, exact.oracleAbout(c, exact.scheme(setting{exact.info, c.cfg})), "an exact scheme")
	for now := range schemes.Tick(maxKnown + 10) {
		o.wait(now, 1, 1)
	}
	assert.Len(t, o.known, 17, "the rest is forgotten")
}
