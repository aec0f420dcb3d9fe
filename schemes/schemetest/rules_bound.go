package schemetest

import (
	"fmt"

	"timerlab/schemes"
)

// The rules about Bound. They ask the oracle, so what it observes is at hand when
// the model needs it.

// oracle is the oracle about c, or nil if its scheme is exact.
func (s *suite) oracle(c setting) *oracle { return s.oracles.about(c, s.scheme(c)) }

// checkBound asks at many clocks, and long intervals at a few.
func checkBound(s *suite) {
	for _, c := range s.settings() {
		o := s.oracle(c)
		if o == nil {
			continue
		}
		for _, c := range s.atClocks([]setting{c}, 0, 5, 1<<32-3) {
			s.within(o, c, 90_000)
		}
		for _, c := range s.atClocks([]setting{c}) {
			s.within(o, c, 1100)
		}
	}
}

// within requires of each interval up to most that it is due within its bound.
// Whether it can be started at all is another rule's matter.
func (s *suite) within(o *oracle, c setting, most schemes.Tick) {
	now := c.cfg.Now
	for _, interval := range c.boundaries(min(most, endOfClock-now)) {
		fresh, atOnce := s.scheme(c), false
		require := func(ok bool, format string, args ...any) {
			if s.steps.Add(1); !ok {
				s.failAfter([]string{c.String(), fmt.Sprintf("Start(interval %d)", interval)}, format, args...)
			}
		}
		early, late := o.bound(interval)
		e, l := fresh.(schemes.Bounder).Bound(interval)
		require(e == early && l == late,
			"Bound is %d early, %d late, but %d early, %d late at another clock", e, l, early, late)
		require(early < interval, "Bound is %d early: that is before the next tick", early)
		if _, err := fresh.Start(interval, 1); err != nil {
			continue
		}
		fresh.Expire(func(schemes.ID) { atOnce = true })
		require(!atOnce, "it was due on the tick of its start")
		latest := o.latest(now, interval)
		ticks, due := o.wait(now, interval, latest)
		require(due,
			"it was not due within %d ticks; Bound is %d late, the clock ends in %d", latest, late, endOfClock-now)
		require(ticks >= interval-early, "it was due after %d ticks; Bound is %d early", ticks, early)
	}
}

// Sizes of what is tried exhaustively: clocks, and intervals.
const (
	maxPeriod = 200
	maxTight  = 400
)

// checkBoundTight tries every interval at every clock of a period: after a product
// of the radices, the wheels stand as before.
func checkBoundTight(s *suite) {
	if !usesLevels(s.info) {
		return
	}
	for _, c := range append(s.few(), withLevels(s.info, []int{4, 4, 4}, []int{3, 2, 2, 2})...) {
		spans := c.spans()
		o, period := s.oracle(c), spans[len(spans)-1]
		if o == nil || period > maxPeriod {
			continue
		}
		for interval := schemes.Tick(1); interval <= c.most(maxTight); interval++ {
			e, l := o.bound(interval)
			early, late, ok := o.worst(interval, period)
			if s.steps.Add(1); ok && (e != early || l != late) {
				s.fail("Bound(%d) is %d early, %d late, but over all clocks the worst is %d early, %d late",
					interval, e, l, early, late)
			}
		}
	}
}

// worst returns the worst errors of an interval over the clocks of a period; not ok
// if it is not due, which is another rule's matter.
func (o *oracle) worst(interval, period schemes.Tick) (early, late schemes.Tick, ok bool) {
	for now := 3 * period; now < 4*period; now++ {
		ticks, due := o.wait(now, interval, o.latest(now, interval))
		if !due {
			return 0, 0, false
		}
		early = max(early, interval-min(ticks, interval))
		late = max(late, ticks-min(ticks, interval))
	}
	return early, late, true
}
