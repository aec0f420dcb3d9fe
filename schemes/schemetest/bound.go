package schemetest

import (
	"fmt"

	"timerlab/schemes"
)

// oracle answers when a timer of a scheme with a Bound is due. Such a scheme errs, but by the interval and the
// clock at the start alone, so the truth about any timer is what a fresh scheme does with it alone. A scheme
// that lets anything else in, such as other timers or its own past, then differs from the model.
type oracle struct {
	setting // its clock is that of the question
	bound   func(interval schemes.Tick) (early, late schemes.Tick)
	known   map[moment]schemes.Tick // the ticks after which the timer was due
}

// maxKnown bounds what an oracle keeps; a long run asks everything once.
const maxKnown = 1 << 15

type moment struct{ now, interval schemes.Tick }

// oracleAbout returns the oracle about a setting of made, or nil: without a Bound nothing needs one. A
// suite has one for each configuration without clock and capacity.
func (s *suite) oracleAbout(c setting, made schemes.Scheme) *oracle {
	bounder, ok := made.(schemes.Bounder)
	if !ok {
		return nil
	}
	c.info, c.cfg.Now, c.cfg.Capacity = s.info, 0, 0
	key := c.String()
	if s.oracles[key] == nil {
		s.oracles[key] = &oracle{c, bounder.Bound, map[moment]schemes.Tick{}}
	}
	return s.oracles[key]
}

// latest is the most ticks that a timer may take: its bound, but within the clock.
func (o *oracle) latest(now, interval schemes.Tick) schemes.Tick {
	_, late := o.bound(interval)
	left := endOfClock - now
	if late > left-interval {
		return left
	}
	return interval + late
}

// deadline is the tick on which a timer started now is due, for a program that ends at last. If it is later
// than that, any later tick will do; if it is never due, the last tick allowed makes the difference show.
func (o *oracle) deadline(now, interval, last schemes.Tick) schemes.Tick {
	latest := o.latest(now, interval)
	if ticks, due := o.wait(now, interval, min(latest, last-now)); due {
		return now + ticks
	}
	return now + latest
}

// wait observes when the timer is due, for at most that many ticks, by ticking a fresh scheme with this
// timer alone. A timer that cannot be due by then if the bound is kept costs no ticking. O(M + most).
func (o *oracle) wait(now, interval, most schemes.Tick) (ticks schemes.Tick, due bool) {
	if early, _ := o.bound(interval); early < interval && interval-early > most {
		return 0, false
	}
	m := moment{now, interval}
	if ticks, due = o.known[m]; due {
		return ticks, ticks <= most
	}
	s, err := o.info.New(o.at(now).cfg)
	if err != nil {
		return 0, false
	}
	if _, err := s.Start(interval, 1); err != nil {
		return 0, false
	}
	for ticks < most && !due {
		ticks++
		due = s.PerTick() > 0
	}
	if len(o.known) == maxKnown {
		clear(o.known)
	}
	if due {
		o.known[m] = ticks
	}
	return ticks, due
}

// checkBound asks the oracle, so what it observes is at hand when the model needs it: at many clocks,
// and for long intervals at a few.
func checkBound(s *suite) {
	for _, c := range s.settings() {
		o := s.oracleAbout(c, s.scheme(c))
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
		s.made = append(s.made, fmt.Sprintf("Start(interval %d)", interval))
		early, late := o.bound(interval)
		e, l := fresh.(schemes.Bounder).Bound(interval)
		s.require(e == early && l == late,
			"Bound is %d early, %d late, but %d early, %d late at another clock", e, l, early, late)
		s.require(early < interval, "Bound is %d early: that is before the next tick", early)
		if _, err := fresh.Start(interval, 1); err != nil {
			continue
		}
		fresh.Expire(func(schemes.ID) { atOnce = true })
		s.require(!atOnce, "it was due on the tick of its start")
		latest := o.latest(now, interval)
		ticks, due := o.wait(now, interval, latest)
		s.require(due,
			"it was not due within %d ticks; Bound is %d late, the clock ends in %d", latest, late, endOfClock-now)
		s.require(ticks >= interval-early, "it was due after %d ticks; Bound is %d early", ticks, early)
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
		o, period := s.oracleAbout(c, s.scheme(c)), spans[len(spans)-1]
		if o == nil || period > maxPeriod {
			continue
		}
		for interval := schemes.Tick(1); interval <= c.most(maxTight); interval++ {
			e, l := o.bound(interval)
			early, late, ok := schemes.Tick(0), schemes.Tick(0), true // the worst; whether it is due is another rule's matter
			for now := 3 * period; ok && now < 4*period; now++ {
				var ticks schemes.Tick
				ticks, ok = o.wait(now, interval, o.latest(now, interval))
				early, late = max(early, interval-min(ticks, interval)), max(late, ticks-min(ticks, interval))
			}
			s.require(!ok || e == early && l == late, "Bound(%d) is %d early, %d late, but over all clocks the worst is "+
				"%d early, %d late", interval, e, l, early, late)
		}
	}
}
