package schemetest

import (
	"slices"

	"timerlab/schemes"
)

// The checks of operations that are more than programs.

func checkExact(s *suite) {
	for i, c := range s.settings() {
		most := schemes.Tick(3000)
		if (usesLevels(s.info) || i%4 == 1) && !s.short {
			most = 90_000
		}
		s.each([]setting{c}, around(600), around(most))
	}
}

func checkRangeEnds(s *suite) {
	cs := s.withDefault()
	if usesLevels(s.info) {
		cs = append(cs, withLevels(s.info, wide)...)
	}
	s.each(cs, wholeRange)
	cs = slices.DeleteFunc(cs, func(c setting) bool { return c.longest() > shortRange })
	s.each(s.atClocks(cs), wholeRange)
}

// sameOrder makes the check that programs hand out in the same order when they are run again, or run
// again and looked at.
func sameOrder(how string, look bool) func(*suite) {
	return func(s *suite) {
		order := func(p program, mute bool) []schemes.ID {
			m := s.machine(p)
			m.mute = mute
			m.execute()
			return m.order
		}
		differ := func(p program) bool { return !slices.Equal(order(p, true), order(p, !look)) }
		for i, c := range s.few() {
			for _, p := range []program{write(c, crowd), decode(s.info, noise(uint64(i), 400))} {
				if differ(p) {
					p = shrink(p, differ)
					s.made = p.lines()
					s.require(false, "the order of handing out changes when the program is %s", how)
				}
			}
		}
	}
}

// checkSeparate runs a program while another scheme, made after the first operation, starts timers and ticks.
func checkSeparate(s *suite) {
	s.strict = true
	for _, c := range s.few() {
		var running *machine
		var other schemes.Scheme
		i := schemes.Tick(0)
		s.between = func() {
			if m := s.running.Load(); m != running { // the program begins, perhaps in a shorter form
				running, i = m, 0
				other, _ = c.info.New(c.at(77).cfg)
			}
			i++
			other.Start(1+i*7%c.most(40), schemes.ID(i))
			other.PerTick()
			if i%11 == 0 {
				other.Expire(func(schemes.ID) {})
			}
		}
		s.each([]setting{c}, crowd)
	}
}

// checkVolume starts enough timers to catch a scheme that loses every hundred-thousandth one, and probably one
// that loses each with that chance. Most of the time there are few, so that schemes of O(n) are quick too.
func checkVolume(s *suite) {
	const timers = 120_000
	s.mute = true
	times := 1
	if has[schemes.Bounder](s) {
		times = 10
	}
	few := narrow(settings(s.info), fewSlots)
	for i, c := range []setting{few[len(few)/2], few[len(few)-1].at(1<<32 - 5)} {
		n := schemes.Tick(s.scaled(timers >> (2 * i)))
		s.each([]setting{c}, func(w *writer) {
			longest := w.most(16)
			for i := schemes.Tick(0); schemes.Tick(w.last) < n; i++ {
				interval := 1 + (i*i>>3)%longest
				var l label
				for range times { // of one interval: an oracle costs a scheme for each
					w.start(interval)
					w.stop(w.start(interval))
					l = w.start(interval, w.later(interval))
					w.start(interval)
				}
				w.tick(1)
				if i%8 == 7 {
					w.stop(l) // it may be due
				}
				w.expire()
			}
		})
	}
}

// checkNext looks at Next after every tick: see machine.look.
func checkNext(s *suite) {
	s.each(s.atClocks(s.settings(), 0, 1<<32-3), gather, around(300), again)
	s.each(s.atClocks(s.settings()[:1], endOfClock-9), toClockEnd)
}

// checkAdvance goes from due tick to due tick by Advance, with max in the way, too short, zero and far
// too long, and with PerTicks in between.
func checkAdvance(s *suite) {
	most := schemes.Tick(1 << 40)
	if has[schemes.Bounder](s) { // the oracle goes there tick by tick
		most = 3000
	}
	s.each(s.atClocks(s.settings()), func(w *writer) {
		w.advance(0)
		w.advance(3)
		intervals := w.boundaries(most)
		for _, pause := range []schemes.Tick{1, 2, w.lowest(), 1 << 50, 7} {
			for _, interval := range intervals {
				w.start(interval, w.later(interval))
			}
			w.advance(pause)
			w.advance(2) // something may be due already
			w.advance(0)
			w.tickExpire(1)
		}
		for range 6 * len(intervals) {
			w.advance(1 << 50)
			w.expire()
		}
		for _, interval := range intervals { // each alone
			w.start(interval)
			w.advance(1 << 50)
			w.expire()
		}
		w.advance(1000)
	})
}

// sweep makes a scheme with that many timers, due at equal distances up to far, passes them by Advance,
// and returns what that counted.
func (s *suite) sweep(c setting, timers int, far schemes.Tick) schemes.Counts {
	made := s.scheme(c)
	n := schemes.Tick(timers)
	for k := range n {
		made.Start(max(c.most(far)/n*(k+1), 1), 1)
	}
	for passed := schemes.Tick(1); far > 0 && passed > 0; far -= min(passed, far) {
		passed, _ = made.(schemes.Advancer).Advance(far)
		made.Expire(func(schemes.ID) {})
	}
	return made.(schemes.Counter).Counts()
}

// checkAdvanceSteps passes millions of ticks, without a timer and with one. A PerTick for each would
// count as many timers or slots.
func checkAdvanceSteps(s *suite) {
	const far, limit = 1 << 23, 1 << 16
	for _, c := range s.settings() {
		for timers := range 2 {
			got := s.sweep(c, timers, far)
			s.require(got.Visits+got.EmptySlots <= limit, "Advance over %d ticks with %d timers counts %+v", far, timers, got)
		}
	}
}

// checkAdvanceVisits passes a thousand million ticks, or the range if that is less,
// and bounds the timers looked at: what a step costs must not grow with its ticks.
func checkAdvanceVisits(s *suite) {
	const timers = 10
	for _, c := range s.settings() {
		far := c.most(1_000_000_000)
		limit := uint64(timers * (3*timers + 2*len(c.wheels()))) // three looks at each, or a migration a level
		got := s.sweep(c, timers, far).Visits
		s.require(got <= limit, "Visits is %d for %d timers in %d ticks (at most %d)", got, timers, far, limit)
	}
}
