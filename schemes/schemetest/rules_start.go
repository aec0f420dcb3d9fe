package schemetest

import (
	"slices"

	"timerlab/schemes"
)

// The programs of the rules about Start and PerTick.

// plain does a little of everything.
func plain(w *writer) {
	m := min(w.lowest(), 64)
	a, b, c := w.start(1), w.start(1), w.start(w.most(m))
	w.start(w.longest() + 1)
	w.stop(a)
	w.tickExpire(1)
	w.stop(b)
	w.start(1)
	w.stop(w.start(1))
	w.tick(1)
	w.start(1, stopping(c))
	w.tickExpire(1)
	w.tickExpire(m)
	w.expire()
}

// checkPlain is the check of the rules that hold after every operation.
var checkPlain = each(at((*suite).settings, 0, 250), plain)

// crowded fills and passes a large structure.
func crowded(w *writer) {
	longest := w.most(5000)
	for i := range schemes.Tick(400) {
		w.start(1 + i*37%longest)
	}
	for range 80 {
		w.tick(1)
	}
	w.expire()
}

// around starts timers at every boundary up to most, from several places of the
// wheels, and passes them all.
func around(most schemes.Tick) func(*writer) {
	return func(w *writer) {
		intervals := w.boundaries(most)
		for _, wait := range []schemes.Tick{1, 1, w.lowest() - 1, 2} {
			w.startAll(intervals...)
			w.tick(wait)
		}
		w.tickExpire(slices.Max(intervals) + 1)
	}
}

func checkExact(s *suite) {
	for i, c := range s.settings() {
		most := schemes.Tick(3000)
		if (usesLevels(s.info) || i%4 == 1) && !s.short {
			most = 90_000
		}
		s.each([]setting{c}, around(600), around(most))
	}
}

// long starts timers whose deadlines differ from the clock, or from each other, only in
// high bits.
func long(w *writer) {
	var last label
	for shift := 1; shift < 64; shift++ {
		for _, more := range []schemes.Tick{0, 1, 5} {
			if t := schemes.Tick(1)<<shift + more; t <= w.longest() {
				last = w.start(t)
			}
		}
	}
	w.start(w.most(endOfClock - w.cfg.Now))
	w.tickExpire(40)
	w.stop(last)
	w.tickExpire(300)
}

func zeroIntervals(w *writer) {
	w.startAll(0, 1, 0)
	w.tick(1)
	w.start(0)
	w.expire()
	w.start(1, w.later(0))
	w.tickExpire(1)
}

// Ranges that are passed tick by tick, and those that are passed often.
const (
	passableRange = 1 << 17
	shortRange    = 5000
)

// wholeRange starts timers of exactly the range and longer, and passes the range
// if it is not too long.
func wholeRange(w *writer) {
	longest := w.longest()
	w.start(longest)
	if longest < endOfClock {
		w.startAll(longest+1, longest+2, 2*longest, endOfClock)
	}
	w.tick(1)
	w.startAll(longest, longest+1)
	if longest > passableRange {
		w.tick(300)
		return
	}
	w.tick(longest)
	if longest > shortRange {
		w.expire()
		return
	}
	w.start(longest, w.later(longest), w.later(longest+1))
	w.expire()
	w.tickExpire(longest)
	w.tickExpire(longest)
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

// clockEnds are clocks from which the last tick is reached.
func (s *suite) clockEnds() (all []setting) {
	for _, left := range []schemes.Tick{1, 2, 3, 17, 300} {
		all = append(all, s.atClocks(s.settings(), endOfClock-left)...)
	}
	return all
}

// toClockEnd starts timers around the last tick and goes there.
func toClockEnd(w *writer) {
	longest, left := w.longest(), endOfClock-w.cfg.Now
	w.startAll(w.most(left), left, left+1, left+2, longest, endOfClock, endOfClock-1, 1<<63, 1<<63+left)
	w.start(1, w.later(left), w.later(left-1), w.later(left-2))
	w.tickExpire(1)
	w.startAll(left-1, left)
	w.tickExpire(left)
}

// pastClockEnd passes the end; the last three of five PerTicks change nothing, though
// timers are due.
func pastClockEnd(w *writer) {
	w.startAll(1, 2, 2)
	w.tick(5)
	w.start(1)
	w.tickExpire(3)
	w.tickExpire(1)
}
