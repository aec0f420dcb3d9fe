package schemetest

import "timerlab/schemes"

// oracle tells when a timer of a scheme with a Bound is due. Such a scheme errs,
// but by the interval and the clock at the start alone, so the truth about any
// timer is what a fresh scheme does with it alone. A scheme that lets anything
// else in, such as other timers or its own past, then differs from the model.
type oracle struct {
	info  *schemes.Info
	cfg   schemes.Config // Now is that of the question
	bound func(interval schemes.Tick) (early, late schemes.Tick)
	known map[moment]lesson
}

// maxKnown bounds what an oracle keeps; a long run asks everything once.
const maxKnown = 1 << 15

// moment is the start of a timer.
type moment struct{ now, interval schemes.Tick }

// lesson is what ticking taught: the timer was due after so many ticks, or not
// yet after so many.
type lesson struct {
	ticks schemes.Tick
	due   bool
}

// oracles are one suite's, by configuration without clock and capacity.
type oracles struct {
	info *schemes.Info
	of   map[string]*oracle
}

func newOracles(info *schemes.Info) *oracles { return &oracles{info, map[string]*oracle{}} }

// about returns the oracle about cfg, or nil: without a Bound nothing needs one.
func (o *oracles) about(cfg schemes.Config, s schemes.Scheme) *oracle {
	bounder, ok := s.(schemes.Bounder)
	if o == nil || !ok {
		return nil
	}
	cfg.Now, cfg.Capacity = 0, 0
	key := describe(cfg)
	if o.of[key] == nil {
		o.of[key] = &oracle{o.info, cfg, bounder.Bound, map[moment]lesson{}}
	}
	return o.of[key]
}

// latest is the most ticks from now that a timer may take: its bound, but within
// the clock.
func (o *oracle) latest(now, interval schemes.Tick) schemes.Tick {
	_, late := o.bound(interval)
	left := endOfClock - now
	if late > left-interval {
		return left
	}
	return interval + late
}

// deadline is the tick on which a timer started now is due, for a program that
// passes at most reach ticks. If none of those is it, any tick behind them will
// do; if it is never due, the last tick allowed makes the difference show.
func (o *oracle) deadline(now, interval, reach schemes.Tick) schemes.Tick {
	latest := o.latest(now, interval)
	if l := o.wait(now, interval, min(latest, reach)); l.due {
		return now + l.ticks
	}
	return now + latest
}

// wait asks when the timer is due, in at most so many ticks. A timer that cannot
// be due by then if the bound is kept costs no ticking.
func (o *oracle) wait(now, interval, most schemes.Tick) lesson {
	if early, _ := o.bound(interval); early < interval && interval-early > most {
		return lesson{most, false}
	}
	m := moment{now, interval}
	l, ok := o.known[m]
	if !ok || !l.due && l.ticks < most {
		if len(o.known) == maxKnown {
			clear(o.known)
		}
		l = o.learn(m, most)
		o.known[m] = l
	}
	return l
}

// learn ticks a fresh scheme with this timer alone until it is due. O(M + most).
func (o *oracle) learn(m moment, most schemes.Tick) lesson {
	s, err := o.info.New(at(o.cfg, m.now))
	if err != nil {
		return lesson{most, false}
	}
	if _, err := s.Start(m.interval, 1); err != nil {
		return lesson{most, false}
	}
	for n := schemes.Tick(1); n <= most; n++ {
		if s.PerTick() > 0 {
			return lesson{n, true}
		}
	}
	return lesson{most, false}
}

// reach is the ticks that a program may pass: beyond them no deadline matters,
// unless the program asks Next.
func (p *program) reach() (ticks schemes.Tick) {
	for i := range p.ops {
		switch o := &p.ops[i]; o.verb {
		case perTick, advance:
			ticks += min(o.ticks, endOfClock-ticks)
		case next:
			return endOfClock
		}
	}
	return ticks
}
