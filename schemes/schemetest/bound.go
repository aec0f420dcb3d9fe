package schemetest

import "timerlab/schemes"

// A scheme with a Bound, or one that is checked loosely, errs, but by the interval and the clock at the start alone.
// So the truth about any timer is what a fresh scheme does with it alone. A scheme that lets anything else in, such as
// other timers or its own past, then differs from the model.

// boundOf returns the worst errors that the timers of made, which is the scheme of a setting, may have; nil: they are
// exact. It asks another scheme, whose clock stands.
func (s *suite) boundOf(c setting, made schemes.Scheme) func(interval schemes.Tick) (early, late schemes.Tick) {
	if _, ok := made.(schemes.Bounder); ok {
		if other, err := s.beside().New(c.cfg); err == nil {
			return other.(schemes.Bounder).Bound
		}
	}
	if s.loose {
		return c.loose
	}
	return nil
}

// beside returns the Info of schemes beside the one that is checked: in another program there is one at a time.
func (s *suite) beside() *schemes.Info {
	if s.outside != nil {
		return s.outside.info
	}
	return s.info
}

// alone returns after how many ticks a timer is due that is alone in the scheme of a setting, if that is at most
// `most`. O(M + most).
func (s *suite) alone(c setting, interval, most schemes.Tick) (ticks schemes.Tick, due bool) {
	if o := s.outside; o != nil {
		return o.dueAlone(c, interval, most)
	}
	c.cfg.Capacity = 0
	return dueAlone(s.info, c.cfg, interval, most)
}

func dueAlone(info *schemes.Info, cfg schemes.Config, interval, most schemes.Tick) (ticks schemes.Tick, due bool) {
	made, err := info.New(cfg)
	if err == nil {
		_, err = made.Start(interval, 1)
	}
	for err == nil && ticks < most && !due {
		ticks++
		due = made.PerTick() > 0
	}
	return ticks, due
}

// latest is the most ticks that a timer started now may take: its bound, but within the clock.
func (m *model) latest(interval schemes.Tick) schemes.Tick {
	_, late := m.bound(interval)
	left := endOfClock - m.now
	return interval + min(late, left-min(interval, left))
}

// rounded is the tick on which a timer started now is due, for a program that ends at last. If it is due later than
// that, any later tick will do, and a timer that must be costs no ticking; if it is never due, the last tick allowed
// makes the difference show.
func (m *model) rounded(interval schemes.Tick) schemes.Tick {
	latest := m.latest(interval)
	most := min(latest, m.last-m.now)
	if early, _ := m.bound(interval); early >= interval || interval-early <= most {
		if ticks, due := m.suite.alone(m.at(m.now), interval, most); due {
			return m.now + ticks
		}
	}
	return m.now + latest
}

// requireBound requires of a timer just started that the scheme publishes the same bound as at another clock,
// and that the timer is due within it.
func (m *machine) requireBound(interval, deadline schemes.Tick) {
	now := m.model.now
	early, late := m.model.bound(interval)
	e, l := m.scheme.(schemes.Bounder).Bound(interval)
	switch {
	case e != early || l != late:
		m.breaks("bound", "Bound(%d) is %d early, %d late, but %d early, %d late at another clock", interval, e, l, early, late)
	case early >= interval:
		m.breaks("bound", "Bound(%d) is %d early: that is before the next tick", interval, early)
	case deadline < now+interval-early || deadline > now+m.model.latest(interval):
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
		bound, period := s.boundOf(c, s.scheme(c)), spans[len(spans)-1]
		for interval := schemes.Tick(1); interval <= c.most(maxInterval); interval++ {
			e, l := bound(interval)
			early, late, ok := schemes.Tick(0), schemes.Tick(0), true // the worst; whether it is due is another rule's matter
			for now := 3 * period; ok && now < 4*period; now++ {
				var ticks schemes.Tick
				ticks, ok = s.alone(c.at(now), interval, interval+l)
				early, late = max(early, interval-min(ticks, interval)), max(late, ticks-min(ticks, interval))
			}
			s.require(!ok || e == early && l == late, "Bound(%d) is %d early, %d late, but over all clocks the worst is "+
				"%d early, %d late", interval, e, l, early, late)
		}
	}
}
