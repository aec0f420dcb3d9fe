package schemetest

import (
	"fmt"

	"timerlab/schemes"
)

// The rules about Bound. They ask the oracle, so what they learn is at hand when
// the model needs it.

// oracle is the oracle about cfg, or nil if its scheme is exact.
func (s *suite) oracle(cfg schemes.Config) *oracle {
	scheme, err := s.info.New(cfg)
	if err != nil {
		return nil
	}
	return s.oracles.about(cfg, scheme)
}

// checkBound asks at many clocks, and long intervals at a few.
func checkBound(s *suite) error {
	for _, cfg := range configs(s.info) {
		if s.oracle(cfg) == nil {
			continue
		}
		for _, now := range []schemes.Tick{0, 5, 1<<32 - 3} {
			if err := s.within(at(cfg, now), 90_000); err != nil {
				return err
			}
		}
		for _, now := range clocksOf(s.info, cfg) {
			if err := s.within(at(cfg, now), 1100); err != nil {
				return err
			}
		}
	}
	return nil
}

// within demands of each interval up to most that it is due within its bound.
func (s *suite) within(cfg schemes.Config, most schemes.Tick) error {
	o := s.oracle(cfg)
	for _, interval := range boundaries(s.info, cfg, min(most, endOfClock-cfg.Now)) {
		if got := s.off(o, cfg, interval); got != "" {
			return s.violation(s.rule.Name, got, []string{describe(cfg), fmt.Sprintf("Start(interval %d)", interval)})
		}
	}
	return nil
}

// off tells how a timer of this interval is due outside its bound, or how the
// bound is none.
func (s *suite) off(o *oracle, cfg schemes.Config, interval schemes.Tick) string {
	early, late := o.bound(interval)
	scheme, _ := s.info.New(cfg)
	if e, l := scheme.(schemes.Bounder).Bound(interval); e != early || l != late {
		return fmt.Sprintf("Bound is %d early, %d late, but %d early, %d late at another clock", e, l, early, late)
	}
	if early >= interval {
		return fmt.Sprintf("Bound is %d early: that is before the next tick", early)
	}
	switch started, once := handedOutAtOnce(scheme, interval); {
	case !started:
		return "" // other rules' matter
	case once:
		return "it was due on the tick of its start"
	}
	latest := o.latest(cfg.Now, interval)
	l := o.wait(cfg.Now, interval, latest)
	switch {
	case !l.due:
		return fmt.Sprintf("it was not due within %d ticks; Bound is %d late, the clock ends in %d", latest, late, endOfClock-cfg.Now)
	case l.ticks < interval-early:
		return fmt.Sprintf("it was due after %d ticks; Bound is %d early", l.ticks, early)
	}
	return ""
}

// handedOutAtOnce starts a timer and tells whether Expire hands it out before
// any PerTick.
func handedOutAtOnce(scheme schemes.Scheme, interval schemes.Tick) (started, once bool) {
	_, err := scheme.Start(interval, 1)
	scheme.Expire(func(schemes.ID) { once = true })
	return err == nil, once
}

// Sizes of what is tried exhaustively: clocks, and intervals.
const (
	maxPeriod = 200
	maxTight  = 400
)

// checkBoundTight tries every interval at every clock of a period: behind a
// product of the radices, the wheels stand as before.
func checkBoundTight(s *suite) error {
	if !usesLevels(s.info) {
		return nil
	}
	cfgs := append(tiny(s.info), schemes.Config{Levels: []int{4, 4, 4}}, schemes.Config{Levels: []int{3, 2, 2, 2}})
	for _, cfg := range cfgs {
		ts := spans(s.info, cfg)
		o, period := s.oracle(cfg), ts[len(ts)-1]
		if o == nil || period > maxPeriod {
			continue
		}
		for interval := schemes.Tick(1); interval <= min(s.info.Range(cfg), maxTight); interval++ {
			if got := o.slack(interval, period); got != "" {
				return s.violation(s.rule.Name, got, []string{describe(cfg)})
			}
		}
	}
	return nil
}

// slack compares the bound of an interval with the worst errors of a period.
func (o *oracle) slack(interval, period schemes.Tick) string {
	var early, late schemes.Tick
	for now := 3 * period; now < 4*period; now++ {
		l := o.wait(now, interval, o.latest(now, interval))
		if !l.due {
			return "" // other rules' matter
		}
		if l.ticks < interval {
			early = max(early, interval-l.ticks)
		} else {
			late = max(late, l.ticks-interval)
		}
	}
	if e, l := o.bound(interval); e != early || l != late {
		return fmt.Sprintf("Bound(%d) is %d early, %d late, but over all clocks the worst is %d early, %d late", interval, e, l, early, late)
	}
	return ""
}
