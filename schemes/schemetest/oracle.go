package schemetest

import "timerlab/schemes"

// oracle answers when a timer of a scheme with a Bound is due. Such a scheme errs,
// but by the interval and the clock at the start alone, so the truth about any
// timer is what a fresh scheme does with it alone. A scheme that lets anything else
// in, such as other timers or its own past, then differs from the model.
type oracle struct {
	setting // its clock is that of the question
	bound   func(interval schemes.Tick) (early, late schemes.Tick)
	known   map[moment]schemes.Tick // the ticks after which the timer was due
}

// maxKnown bounds what an oracle keeps; a long run asks everything once.
const maxKnown = 1 << 15

// moment is the start of a timer.
type moment struct{ now, interval schemes.Tick }

// oracles are those of one suite, by configuration without clock and capacity.
type oracles struct {
	info *schemes.Info
	of   map[string]*oracle
}

func newOracles(info *schemes.Info) *oracles { return &oracles{info, map[string]*oracle{}} }

// about returns the oracle about a setting of s, or nil: without a Bound nothing
// needs one.
func (o *oracles) about(c setting, s schemes.Scheme) *oracle {
	bounder, ok := s.(schemes.Bounder)
	if o == nil || !ok {
		return nil
	}
	c.info, c.cfg.Now, c.cfg.Capacity = o.info, 0, 0
	key := c.String()
	if o.of[key] == nil {
		o.of[key] = &oracle{c, bounder.Bound, map[moment]schemes.Tick{}}
	}
	return o.of[key]
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

// deadline is the tick on which a timer started now is due, for a program that ends
// at last. If it is later than that, any later tick will do; if it is never due, the
// last tick allowed makes the difference show.
func (o *oracle) deadline(now, interval, last schemes.Tick) schemes.Tick {
	latest := o.latest(now, interval)
	if ticks, due := o.wait(now, interval, min(latest, last-now)); due {
		return now + ticks
	}
	return now + latest
}

// wait observes when the timer is due, for at most that many ticks. A timer that
// cannot be due by then if the bound is kept costs no ticking.
func (o *oracle) wait(now, interval, most schemes.Tick) (ticks schemes.Tick, due bool) {
	if early, _ := o.bound(interval); early < interval && interval-early > most {
		return 0, false
	}
	m := moment{now, interval}
	if ticks, due = o.known[m]; due {
		return ticks, ticks <= most
	}
	ticks, due = o.observe(m, most)
	if len(o.known) == maxKnown {
		clear(o.known)
	}
	if due {
		o.known[m] = ticks
	}
	return ticks, due
}

// observe ticks a fresh scheme with this timer alone until it is due. O(M + most).
func (o *oracle) observe(m moment, most schemes.Tick) (ticks schemes.Tick, due bool) {
	c := o.at(m.now)
	s, err := c.info.New(c.cfg)
	if err != nil {
		return 0, false
	}
	if _, err := s.Start(m.interval, 1); err != nil {
		return 0, false
	}
	for ticks < most && !due {
		ticks++
		due = s.PerTick() > 0
	}
	return ticks, due
}

// lastTick is the last one that a program may reach: no later deadline matters.
func (p *program) lastTick() schemes.Tick {
	now := p.cfg.Now
	for i := range p.ops {
		if o := &p.ops[i]; o.verb == opPerTick || o.verb == opAdvance {
			now += min(o.ticks, endOfClock-now)
		}
	}
	return now
}
