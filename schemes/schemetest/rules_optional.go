package schemetest

import (
	"fmt"
	"time"

	"timerlab/schemes"
)

// The rules about optional methods; they are skipped for schemes without them.

func (s *suite) optional() optional { return optionalOf(s.scheme(setting{info: s.info})) }

// checkNext asks Next between the operations of a program.
func checkNext(s *suite) {
	if s.optional().nexter == nil {
		return
	}
	for _, text := range []func(*writer){gather, func(w *writer) { w.around(300) }} {
		s.each(s.atClocks(s.settings(), 0, 1<<32-3), func(w *writer) {
			text(w)
			w.ops = asking(w.ops)
		})
	}
	s.each(s.atClocks(s.settings()[:1], endOfClock-9), func(w *writer) {
		toClockEnd(w)
		w.ops = asking(w.ops)
	})
}

// asking puts a Next after every operation, and makes single ticks of runs.
func asking(ops []op) (asked []op) {
	for _, o := range ops {
		n := schemes.Tick(1)
		if o.verb == opPerTick {
			n, o.ticks = min(o.ticks, 400), 1
		}
		for range n {
			asked = append(asked, o, op{verb: opNext})
		}
	}
	return asked
}

func checkAdvance(s *suite) {
	o := s.optional()
	if o.advancer == nil {
		return
	}
	most := schemes.Tick(1 << 40)
	if o.bounder != nil { // the oracle goes there tick by tick
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
	w.advance(1000)
}

// checkAdvanceFast bounds the time of Advance over millions of ticks, without a
// timer and with one at their end. Single PerTicks take longer than the limit.
func checkAdvanceFast(s *suite) {
	if s.optional().advancer == nil {
		return
	}
	const far, limit = 1 << 23, 10 * time.Millisecond
	for _, c := range s.settings() {
		for _, interval := range []schemes.Tick{0, c.most(far)} {
			if took := s.timeAdvance(c, interval, far); took > limit {
				lines := []string{c.String(), fmt.Sprintf("Start(interval %d)", interval), fmt.Sprintf("Advance(%d)", far)}
				s.failAfter(lines, "it took %v", took)
			}
		}
	}
}

// timeAdvance is the best of several times: the machine may be busy.
func (s *suite) timeAdvance(c setting, interval, far schemes.Tick) time.Duration {
	best := time.Hour
	for range 3 {
		made := s.scheme(c)
		made.Start(interval, 1) // refused if 0
		began := time.Now()
		made.(schemes.Advancer).Advance(far)
		best = min(best, time.Since(began))
	}
	return best
}

// checkAdvanceVisits passes a thousand million ticks, or the range if that is less,
// with ten timers due on the way, and bounds the timers looked at: what a step costs
// must not grow with the ticks in it.
func checkAdvanceVisits(s *suite) {
	if o := s.optional(); o.advancer == nil || o.counter == nil {
		return
	}
	const timers, span = 10, 1_000_000_000
	for _, c := range s.settings() {
		made := s.scheme(c)
		far := c.most(span)
		for k := range schemes.Tick(timers) {
			made.Start(max(far/timers*(k+1), 1), 1)
		}
		for left, passed := far, schemes.Tick(1); left > 0 && passed > 0; left -= min(passed, left) {
			passed, _ = made.(schemes.Advancer).Advance(left)
			made.Expire(func(schemes.ID) {})
		}
		limit := uint64(timers * (3*timers + 2*len(c.wheels()))) // three looks at each, or a migration a level
		if got := made.(schemes.Counter).Counts().Visits; got > limit {
			s.failAfter([]string{c.String()}, "Visits is %d for %d timers in %d ticks (at most %d)", got, timers, far, limit)
		}
	}
}

// checkRestart restarts waiting and due timers, from within actions too, and with
// stale handles and bad intervals.
func checkRestart(s *suite) {
	if s.optional().restarter != nil {
		s.each(s.settings(), restarting)
	}
}

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

// checkHeld stops timers of one list: all of them, all but one, and every other
// one, before and after some ticks. Whether that is kept for ever is looked at
// everywhere.
func checkHeld(s *suite) {
	if s.optional().holder == nil {
		return
	}
	for _, c := range s.settings() {
		for _, wait := range []schemes.Tick{0, 1, c.lowest() - 1, c.lowest()} {
			for keep := range 4 {
				s.each([]setting{c}, func(w *writer) { w.leaving(wait, keep) })
			}
		}
	}
}

// leaving stops timers that many ticks after their start, but keeps none, the last,
// every other one or all of them, and passes the longest interval twice.
func (w *writer) leaving(wait schemes.Tick, keep int) {
	intervals := w.boundaries(600)
	all := w.startAll(intervals...)
	if wait > 0 {
		w.tick(wait)
	}
	for i, l := range all {
		if keep == 0 || keep == 1 && i != len(all)-1 || keep == 2 && i%2 == 0 {
			w.stop(l)
		}
	}
	w.start(1)
	w.tickExpire(2 * (intervals[len(intervals)-1] + w.lowest()))
}
