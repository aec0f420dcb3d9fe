package schemetest

import (
	"fmt"
	"time"

	"timerlab/schemes"
)

// optional tells the optional methods of info's scheme; the rules about absent
// ones are skipped.
func (s *suite) optional() optional {
	scheme, err := s.info.New(schemes.Config{})
	if err != nil {
		return optional{}
	}
	return optionalOf(scheme)
}

// checkNext asks Next between the operations of a program.
func checkNext(s *suite) error {
	if s.optional().nexter == nil {
		return nil
	}
	for i, cfg := range configs(s.info) {
		programs := []program{gather(s.info, cfg), around(s.info, cfg, 300), around(s.info, at(cfg, 1<<32-3), 300)}
		if i == 0 {
			programs = append(programs, toTheEnd(at(cfg, endOfClock-9), 9, s.info.Range(cfg)))
		}
		for _, p := range programs {
			if err := s.try(asking(p)); err != nil {
				return err
			}
		}
	}
	return nil
}

// asking puts a Next after every operation, and makes single ticks of runs.
func asking(p program) program {
	var ops []op
	for _, o := range p.ops {
		n := schemes.Tick(1)
		if o.verb == perTick {
			n, o.ticks = min(o.ticks, 400), 1
		}
		for range n {
			ops = append(ops, o, op{verb: next})
		}
	}
	return program{p.cfg, ops}
}

func checkAdvance(s *suite) error {
	o := s.optional()
	if o.advancer == nil {
		return nil
	}
	most := schemes.Tick(1 << 40)
	if o.bounder != nil { // the oracle goes there tick by tick
		most = 3000
	}
	for _, cfg := range configs(s.info) {
		for _, now := range clocksOf(s.info, cfg) {
			if err := s.try(advancing(s.info, at(cfg, now), most)); err != nil {
				return err
			}
		}
	}
	return nil
}

// advancing lets timers of intervals up to most go off. It goes from due tick to due tick by Advance, with max in the way, too
// short, zero and far too long, and with PerTicks in between.
func advancing(info *schemes.Info, cfg schemes.Config, most schemes.Tick) program {
	w := write(cfg)
	w.advance(0)
	w.advance(3)
	intervals := boundaries(info, cfg, most)
	for _, pause := range []schemes.Tick{1, 2, lowest(info, cfg), 1 << 50, 7} {
		for _, interval := range intervals {
			w.start(interval, w.later(interval))
		}
		w.advance(pause)
		w.advance(2) // something may be due already
		w.advance(0)
		w.expire()
		w.tick(1)
	}
	for range 6 * len(intervals) {
		w.advance(1 << 50)
		w.expire()
	}
	w.advance(1000)
	return w.program
}

// checkAdvanceFast bounds the time of Advance over millions of ticks, without a
// timer and with one at their end.
func checkAdvanceFast(s *suite) error {
	if s.optional().advancer == nil {
		return nil
	}
	const far, limit = 1 << 23, 10 * time.Millisecond // single PerTicks take longer
	for _, cfg := range configs(s.info) {
		for _, interval := range []schemes.Tick{0, min(far, s.info.Range(cfg))} {
			if took := s.timeAdvance(cfg, interval, far); took > limit {
				return s.violation(s.rule.Name, "it took "+took.String(),
					[]string{describe(cfg), fmt.Sprintf("Start(interval %d)", interval), fmt.Sprintf("Advance(%d)", far)})
			}
		}
	}
	return nil
}

// timeAdvance is the best of several times: the machine may be busy.
func (s *suite) timeAdvance(cfg schemes.Config, interval, far schemes.Tick) time.Duration {
	best := time.Hour
	for range 3 {
		scheme, _ := s.info.New(cfg)
		scheme.Start(interval, 1) // refused if 0
		began := time.Now()
		scheme.(schemes.Advancer).Advance(far)
		best = min(best, time.Since(began))
	}
	return best
}

// checkRestart restarts waiting and due timers, from within actions too, and
// with stale handles and bad intervals.
func checkRestart(s *suite) error {
	if s.optional().restarter == nil {
		return nil
	}
	return s.tryAll(configs(s.info), func(cfg schemes.Config) program {
		w := write(cfg)
		longest := s.info.Range(cfg)
		var ls []label
		for _, interval := range boundaries(s.info, cfg, 300) {
			l := w.start(1 + interval/2)
			o := w.restarting(l, interval)
			w.add(o)
			w.stop(l)
			w.add(w.restarting(l, 1), w.restarting(o.label, 0))
			if longest < endOfClock {
				w.add(w.restarting(o.label, longest+1))
			}
			ls = append(ls, o.label)
		}
		w.tick(1)
		for _, l := range ls {
			w.add(w.restarting(l, min(2, longest)))
		}
		w.add(w.restarting(0, 1))
		w.group(3, 1, func(k int, all []label) []op {
			return []op{w.restarting(all[(k+1)%3], 1), w.restarting(all[k], 1)}
		})
		w.tickExpire(1)
		w.tickExpire(2)
		w.tickExpire(300)
		return w.program
	})
}

// checkHeld stops timers of one list: all of them, all but one, and every other
// one, before and behind some ticks. Whether that is kept for ever is looked at
// everywhere.
func checkHeld(s *suite) error {
	if s.optional().holder == nil {
		return nil
	}
	for _, cfg := range configs(s.info) {
		for _, wait := range []schemes.Tick{0, 1, lowest(s.info, cfg) - 1, lowest(s.info, cfg)} {
			for keep := range 4 {
				if err := s.try(leaving(s.info, cfg, wait, keep)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// leaving stops timers so many ticks after their start, but keeps none, the
// last, every other one or all of them, and passes the longest interval twice.
func leaving(info *schemes.Info, cfg schemes.Config, wait schemes.Tick, keep int) program {
	w := write(cfg)
	intervals := boundaries(info, cfg, 600)
	var ls []label
	for _, interval := range intervals {
		ls = append(ls, w.start(interval))
	}
	if wait > 0 {
		w.tick(wait)
	}
	for i, l := range ls {
		if keep == 0 || keep == 1 && i != len(ls)-1 || keep == 2 && i%2 == 0 {
			w.stop(l)
		}
	}
	w.start(1)
	w.tickExpire(2 * (intervals[len(intervals)-1] + lowest(info, cfg)))
	return w.program
}
