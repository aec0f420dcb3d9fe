package schemetest

import "timerlab/schemes"

// oracle answers when a timer of a scheme with a Bound, or of one that is checked loosely, is due. Such a scheme
// errs, but by the interval and the clock at the start alone, so the truth about any timer is what a fresh scheme
// does with it alone. A scheme that lets anything else in, such as other timers or its own past, then differs from
// the model.
type oracle struct {
	setting // its clock is that of the question
	bound   func(interval schemes.Tick) (early, late schemes.Tick)
	known   map[[2]schemes.Tick]schemes.Tick // the ticks after which a timer was due, by the clock and its interval
}

// oracleAbout returns the oracle about a setting of made, or nil: without a bound nothing needs one. A
// suite has one for each configuration without clock and capacity.
func (s *suite) oracleAbout(c setting, made schemes.Scheme) *oracle {
	bound := c.loose
	if b, ok := made.(schemes.Bounder); ok {
		bound = b.Bound
	} else if !s.loose {
		return nil
	}
	c.info, c.cfg.Now, c.cfg.Capacity = s.info, 0, 0
	key := c.String()
	if s.oracles[key] == nil {
		s.oracles[key] = &oracle{c, bound, map[[2]schemes.Tick]schemes.Tick{}}
	}
	return s.oracles[key]
}

// latest is the most ticks that a timer may take: its bound, but within the clock.
func (o *oracle) latest(now, interval schemes.Tick) schemes.Tick {
	_, late := o.bound(interval)
	left := endOfClock - now
	return interval + min(late, left-min(interval, left))
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
	question := [2]schemes.Tick{now, interval}
	if ticks, due = o.known[question]; due {
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
	if due {
		o.known[question] = ticks
	}
	return ticks, due
}

// requireBound requires of a timer just started that the scheme publishes the same bound as at other clocks,
// and that the timer is due within it.
func (m *machine) requireBound(interval, deadline schemes.Tick) {
	now := m.model.now
	early, late := m.model.oracle.bound(interval)
	e, l := m.scheme.(schemes.Bounder).Bound(interval)
	switch latest := now + m.model.oracle.latest(now, interval); {
	case e != early || l != late:
		m.breaks("bound", "Bound(%d) is %d early, %d late, but %d early, %d late at another clock", interval, e, l, early, late)
	case early >= interval:
		m.breaks("bound", "Bound(%d) is %d early: that is before the next tick", interval, early)
	case deadline < now+interval-early || deadline > latest:
		m.breaks("bound", "the timer is due after %d ticks; Bound is %d early, %d late", deadline-now, early, late)
	}
}

// checkBound passes timers one at a time, each in a fresh scheme: see requireBound.
func checkBound(s *suite) {
	for _, c := range append(s.atClocks(s.settings(), 0, 5, 1<<32-3), s.atClocks(s.settings())...) {
		for _, interval := range c.boundaries(min(1100, endOfClock-c.cfg.Now)) {
			s.each([]setting{c}, func(w *program) {
				w.start(interval)
				w.expire()
				w.tickExpire(2 * interval)
			})
		}
	}
}

// checkBoundTight tries every interval at every clock of a period: after a product
// of the radices, the wheels stand as before.
func checkBoundTight(s *suite) {
	const maxPeriod, maxInterval = 200, 400
	for _, c := range append(s.few(), withLevels(s.info, []int{4, 4, 4}, []int{3, 2, 2, 2})...) {
		spans := c.spans()
		if len(spans) == 0 || spans[len(spans)-1] > maxPeriod {
			continue
		}
		o, period := s.oracleAbout(c, s.scheme(c)), spans[len(spans)-1]
		for interval := schemes.Tick(1); interval <= c.most(maxInterval); interval++ {
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
