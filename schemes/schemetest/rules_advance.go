package schemetest

import (
	"fmt"

	"timerlab/schemes"
)

// checkAdvanceVisits lets ten timers go off over a thousand million ticks, or over
// the range if that is less, and bounds the timers looked at: what a step costs
// must not grow with the ticks in it.
func checkAdvanceVisits(s *suite) error {
	o := s.optional()
	if o.advancer == nil || o.counter == nil {
		return nil
	}
	const timers, span = 10, 1_000_000_000
	for _, cfg := range configs(s.info) {
		scheme, err := s.info.New(cfg)
		if err != nil {
			return s.broken("New failed: %v", err)
		}
		far := min(span, s.info.Range(cfg))
		for k := range schemes.Tick(timers) {
			scheme.Start(max(far/timers*(k+1), 1), 1)
		}
		for left := far; left > 0; {
			passed, _ := scheme.(schemes.Advancer).Advance(left)
			scheme.Expire(func(schemes.ID) {})
			left -= min(passed, left)
			if passed == 0 {
				break
			}
		}
		limit := uint64(timers * (3*timers + 2*len(wheels(s.info, cfg)))) // three looks at each, or a migration a level
		if got := scheme.(schemes.Counter).Counts().Visits; got > limit {
			return s.violation(s.rule.Name, fmt.Sprintf("Visits is %d for %d timers in %d ticks (at most %d)", got, timers, far, limit),
				[]string{describe(cfg)})
		}
	}
	return nil
}
