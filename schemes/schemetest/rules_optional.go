package schemetest

import (
	"slices"
	"time"

	"timerlab/schemes"
)

// The rules about optional methods; they are skipped for schemes without them.

// checkNext looks at Next after every tick: see machine.look.
func checkNext(s *suite) {
	s.each(s.atClocks(s.settings(), 0, 1<<32-3), gather, around(300), again)
	s.each(s.atClocks(s.settings()[:1], endOfClock-9), toClockEnd)
}

// again starts a timer in the record of one that was stopped, twice, so that the second is due on
// the tick for which the stopped one was, and stops it, the last.
func again(w *writer) {
	half := min(w.longest()/2, 50)
	if half == 0 {
		return
	}
	w.stop(w.start(2 * half))
	w.start(half)
	w.tickExpire(half)
	last := w.start(half)
	w.tick(1)
	w.stop(last)
	w.tickExpire(2 * half)
}

func checkAdvance(s *suite) {
	most := schemes.Tick(1 << 40)
	if has[schemes.Bounder](s) { // the oracle goes there tick by tick
		most = 3000
	}
	s.each(s.atClocks(s.settings()), func(w *writer) { w.advancing(most) })
}

// advancing goes from due tick to due tick by Advance, for timers of intervals up
// to most, with max in the way, too short, zero and far too long, and with PerTicks
// in between.
func (w *writer) advancing(most schemes.Tick) {
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
}

// sweep makes a scheme with that many timers, due at equal distances up to far, and
// passes them by Advance. It returns the time that this took.
func (s *suite) sweep(c setting, timers int, far schemes.Tick) (made schemes.Scheme, took time.Duration) {
	made = s.scheme(c)
	n := schemes.Tick(timers)
	for k := range n {
		made.Start(max(c.most(far)/n*(k+1), 1), 1)
	}
	began := time.Now()
	for passed := schemes.Tick(1); far > 0 && passed > 0; far -= min(passed, far) {
		passed, _ = made.(schemes.Advancer).Advance(far)
		made.Expire(func(schemes.ID) {})
	}
	return made, time.Since(began)
}

// checkAdvanceFast bounds the time of Advance over millions of ticks, without a
// timer and with one. Single PerTicks take longer than the limit. The best of some
// tries counts, as the machine may be busy.
func checkAdvanceFast(s *suite) {
	const far, limit, tries = 1 << 23, 10 * time.Millisecond, 3
	for _, c := range s.settings() {
		for timers := range 2 {
			best := time.Hour
			for range tries {
				_, took := s.sweep(c, timers, far)
				best = min(best, took)
			}
			if best > limit {
				s.fail("Advance over %d ticks with %d timers took %v", far, timers, best)
			}
		}
	}
}

// checkAdvanceVisits passes a thousand million ticks, or the range if that is less,
// and bounds the timers looked at: what a step costs must not grow with its ticks.
func checkAdvanceVisits(s *suite) {
	const timers = 10
	for _, c := range s.settings() {
		far := c.most(1_000_000_000)
		made, _ := s.sweep(c, timers, far)
		limit := uint64(timers * (3*timers + 2*len(c.wheels()))) // three looks at each, or a migration a level
		if got := made.(schemes.Counter).Counts().Visits; got > limit {
			s.fail("Visits is %d for %d timers in %d ticks (at most %d)", got, timers, far, limit)
		}
	}
}

// restarting restarts waiting and due timers, from within actions too, and with
// stale handles and bad intervals.
func restarting(w *writer) {
	longest := w.longest()
	var all []label
	for _, interval := range w.boundaries(300) {
		l := w.start(1 + interval/2)
		o := w.restarting(l, interval)
		w.add(o)
		w.stop(l)
		w.add(w.restarting(l, 1), w.restarting(o.label, 0))
		if longest < endOfClock {
			w.add(w.restarting(o.label, longest+1))
		}
		all = append(all, o.label)
	}
	w.tick(1)
	for _, l := range all {
		w.add(w.restarting(l, min(2, longest)))
	}
	w.add(w.restarting(0, 1))
	w.group(3, 1, func(k int, all []label) []op {
		return []op{w.restarting(all[(k+1)%3], 1), w.restarting(all[k], 1)}
	})
	w.tickExpire(1)
	w.tickExpire(2)
	w.tickExpire(300)
}

// checkHeld stops timers of one list, before and after some ticks. Whether they are
// kept for ever is checked everywhere.
func checkHeld(s *suite) {
	for _, c := range s.settings() {
		for _, wait := range []schemes.Tick{0, 1, c.lowest() - 1, c.lowest()} {
			for _, every := range []int{1, 2, 0, 1 << 30} {
				s.each([]setting{c}, func(w *writer) { w.leaving(wait, every) })
			}
		}
	}
}

// leaving stops timers that many ticks after their start, but keeps each every-th one,
// or the last for 0, and passes the longest interval twice.
func (w *writer) leaving(wait schemes.Tick, every int) {
	intervals := w.boundaries(600)
	all := w.startAll(intervals...)
	if every == 0 {
		every = len(all)
	}
	w.tick(wait)
	for i, l := range all {
		if (i+1)%every != 0 {
			w.stop(l)
		}
	}
	w.start(1)
	w.tickExpire(2 * (slices.Max(intervals) + w.lowest()))
}
