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
		for _, at := range s.atClocks([]setting{c}, 0, 5, 1<<32-3) {
			s.within(o, at, 90_000)
		}
		for _, at := range s.atClocks([]setting{c}) {
			s.within(o, at, 1100)
		}
	}
}

// within requires of each interval up to most that it is due within its bound.
func (s *suite) within(o *oracle, c setting, most schemes.Tick) {
	for _, interval := range c.boundaries(min(most, endOfClock-c.cfg.Now)) {
		s.steps.Add(1)
		if got := o.off(s.scheme(c), c.cfg.Now, interval); got != "" {
			s.failAfter([]string{c.String(), fmt.Sprintf("Start(interval %d)", interval)}, "%s", got)
		}
	}
}

// off describes how a timer of this interval is due outside its bound, or how the
// bound is none. Whether it can be started at all is another rule's matter.
func (o *oracle) off(fresh schemes.Scheme, now, interval schemes.Tick) string {
	early, late := o.bound(interval)
	if e, l := fresh.(schemes.Bounder).Bound(interval); e != early || l != late {
		return fmt.Sprintf("Bound is %d early, %d late, but %d early, %d late at another clock", e, l, early, late)
	}
	if early >= interval {
		return fmt.Sprintf("Bound is %d early: that is before the next tick", early)
	}
	if _, err := fresh.Start(interval, 1); err != nil {
		return ""
	}
	atOnce := false
	fresh.Expire(func(schemes.ID) { atOnce = true })
	latest := o.latest(now, interval)
	seen := o.wait(now, interval, latest)
	switch {
	case atOnce:
		return "it was due on the tick of its start"
	case !seen.due:
		return fmt.Sprintf("it was not due within %d ticks; Bound is %d late, the clock ends in %d", latest, late, endOfClock-now)
	case seen.ticks < interval-early:
		return fmt.Sprintf("it was due after %d ticks; Bound is %d early", seen.ticks, early)
	}
	return ""
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
	cs := s.few()
	for _, levels := range [][]int{{4, 4, 4}, {3, 2, 2, 2}} {
		cs = append(cs, setting{s.info, schemes.Config{Levels: levels}})
	}
	for _, c := range cs {
		spans := c.spans()
		o, period := s.oracle(c), spans[len(spans)-1]
		if o == nil || period > maxPeriod {
			continue
		}
		for interval := schemes.Tick(1); interval <= c.most(maxTight); interval++ {
			if got := o.slack(interval, period); got != "" {
				s.failAfter([]string{c.String()}, "%s", got)
			}
			s.steps.Add(1)
		}
	}
}

// slack compares the bound of an interval with the worst errors of a period.
func (o *oracle) slack(interval, period schemes.Tick) string {
	var early, late schemes.Tick
	for now := 3 * period; now < 4*period; now++ {
		seen := o.wait(now, interval, o.latest(now, interval))
		if !seen.due {
			return "" // another rule's matter
		}
		if seen.ticks < interval {
			early = max(early, interval-seen.ticks)
		} else {
			late = max(late, seen.ticks-interval)
		}
	}
	if e, l := o.bound(interval); e != early || l != late {
		return fmt.Sprintf("Bound(%d) is %d early, %d late, but over all clocks the worst is %d early, %d late", interval, e, l, early, late)
	}
	return ""
}
