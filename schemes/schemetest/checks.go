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

// checkOrder runs programs twice, the second time looked at.
func checkOrder(s *suite) {
	differ := func(p program) bool {
		return !slices.Equal(s.run(p, true).order, s.run(p, false).order) && !s.outside.late()
	}
	for i, c := range s.few() {
		for _, p := range []program{write(c, crowd), decode(s.info, noise(uint64(i), 400))} {
			if differ(p) {
				p = shrink(p, differ)
				s.made = p.lines()
				if m := s.run(p, false); m.outside != nil {
					s.made = m.outside.Transcript()
				}
				s.require(false, "the order of handing out changes when the program is run again and looked at")
			}
		}
	}
}

// checkSeparate starts timers in another scheme, which was made after the one of the program, and ticks it.
func checkSeparate(s *suite) {
	s.strict = true
	info := *s.info
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		made, err := s.info.New(cfg)
		if err != nil {
			return nil, err
		}
		other, err := s.info.New(cfg)
		for i := schemes.Tick(0); i < 5 && err == nil; i++ {
			other.Start(1+i%2, schemes.ID(i))
			other.PerTick()
		}
		return made, err
	}
	for _, c := range s.few() {
		s.each([]setting{{&info, c.cfg}}, gather)
	}
}

// checkVolume starts enough timers to catch a scheme that loses every hundred-thousandth one, and probably one
// that loses each with that chance. Most of the time there are few, so that schemes of O(n) are quick too.
func checkVolume(s *suite) {
	s.mute = true
	few := narrow(settings(s.info), fewSlots)
	for i, c := range []setting{few[len(few)/2], few[len(few)-1].at(1<<32 - 5)} {
		timers := label(s.scaled(120_000 >> (2 * i)))
		s.each([]setting{c}, func(w *program) {
			longest := w.most(16)
			for i := schemes.Tick(0); w.last < timers; i++ {
				interval := 1 + (i*i>>3)%longest
				w.start(interval)
				w.stop(w.start(interval))
				l := w.start(interval, w.later(interval))
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
	s.each(s.atClocks(s.settings(), 0, 1<<32-3), gather, around(300))
	s.each(s.atClocks(s.settings()[:1], endOfClock-9), toClockEnd)
}

// checkAdvance goes from due tick to due tick by Advance, with max in the way, too short, zero and far
// too long, and with PerTicks in between.
func checkAdvance(s *suite) {
	most := schemes.Tick(1 << 40)
	if s.loose || has[schemes.Bounder](s) { // the oracle goes there tick by tick
		most = 3000
	}
	s.each(s.atClocks(s.settings()), func(w *program) {
		intervals := w.boundaries(most)
		for _, pause := range []schemes.Tick{0, 1, 2, w.lowest(), 1 << 50, 7} {
			for _, interval := range intervals {
				w.start(interval, w.later(interval))
			}
			w.advance(pause)
			w.advance(2) // something may be due already
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
	})
}

// checkAdvanceSteps passes millions of ticks, without a timer and with one. A PerTick for each would
// count as many timers or slots.
func checkAdvanceSteps(s *suite) {
	const far, limit = 1 << 23, 1 << 16
	for _, c := range s.settings() {
		for timers := range schemes.Tick(2) {
			made := s.scheme(c)
			if timers > 0 {
				made.Start(c.most(far), 1)
			}
			for left, passed := schemes.Tick(far), schemes.Tick(1); left > 0 && passed > 0; left -= min(passed, left) {
				passed, _ = made.(schemes.Advancer).Advance(left)
				made.Expire(func(schemes.ID) {})
			}
			got := made.(schemes.Counter).Counts()
			s.require(got.Visits+got.EmptySlots <= limit, "Advance over %d ticks with %d timers counts %+v", far, timers, got)
		}
	}
}
