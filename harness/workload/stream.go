package workload

import (
	"math"
	"slices"

	"timerlab/schemes"
)

// Every trace is made here. A source draws the lifetimes of timers; a Stream follows each timer from
// one lifetime to the next, through as many ticks as are wanted, and puts the operations in order.

// source is a list of lives to draw from, in proportion to their shares, or a rule. Sums are rounded step by step, by
// conversions, so that no processor fuses a product with a sum: the draws are the same on all.
type source struct {
	lives  []Life
	every  schemes.Tick
	begun  []uint64  // running sums of the shares, in units of 1/shareScale
	during []float64 // running sums of the shares times the turns
	phases Phases    // nil: lives are drawn
}

const shareScale = 1 << 62

func newSource(lives []Life, every schemes.Tick) *source {
	d := &source{lives: lives, every: every, begun: make([]uint64, len(lives)), during: make([]float64, len(lives))}
	all := 0.0
	for _, l := range lives {
		all += l.Share
	}
	begun, during := 0.0, 0.0
	for i, l := range lives {
		share := l.Share / all
		begun += share
		during += float64(share * float64(roundUp(l.Stay, every)/every))
		d.begun[i], d.during[i] = uint64(begun*shareScale), during
	}
	d.begun[len(lives)-1] = shareScale
	return d
}

// fresh draws a life that begins.
func (d *source) fresh(r *random, timer uint32, now schemes.Tick) Life {
	if d.phases != nil {
		interval := d.phases(int(timer), now)
		return Life{Interval: interval, Stay: interval}
	}
	i, _ := slices.BinarySearch(d.begun, r.below(shareScale)+1)
	return d.lives[i]
}

// aged draws a life that is found in the steady state, and returns what is left of it, and its age. It draws in
// proportion to share and turn, at an age that is equally likely each of 0, every, 2·every, … below the stay.
func (d *source) aged(r *random, timer uint32) (l Life, age schemes.Tick) {
	if d.phases != nil {
		return d.fresh(r, timer, 0), 0
	}
	at := float64(r.next()>>11) / (1 << 53) * d.during[len(d.during)-1]
	i, _ := slices.BinarySearch(d.during, at)
	l = d.lives[min(i, len(d.lives)-1)]
	age = schemes.Tick(r.below(uint64(roundUp(l.Stay, d.every)/d.every))) * d.every
	l.Interval, l.Stay = l.Interval-age, l.Stay-age
	return l, age
}

// Stream makes the trace of a mixture piece by piece, without an end, in 40
// bytes for each timer. The pieces make up one trace, whatever their lengths.
type Stream struct {
	spec    Spec
	source  *source
	every   schemes.Tick
	lives   float64  // begun a tick, about; 0: not known
	clients []client // by number
	now     schemes.Tick
	free    *numbers // of timers that have ended, in the open model; else nil
	steps   bool     // the clock passes a step of every ticks at once
}

// client is the present lifetime of a timer.
type client struct {
	random   random
	began    schemes.Tick // before tick 0 it wraps
	ends     schemes.Tick // by expiry, stop or restart
	expires  schemes.Tick // unless it is stopped or restarted first; 0: it has expired, and starts at ends
	restarts bool
}

const never schemes.Tick = 1<<64 - 1 // after every run

// newStream returns a stream at tick 0, on which each timer's first lifetime has begun.
func newStream(spec Spec, from *source) *Stream {
	s := &Stream{spec: spec, source: from, every: max(1, spec.Every), clients: make([]client, spec.N)}
	for timer := range s.clients {
		c := &s.clients[timer]
		c.random = newRandom(spec.Seed, forLives, uint64(timer))
		left, age := from.aged(&c.random, uint32(timer))
		c.set(0, left)
		c.began -= age
	}
	return s
}

// set makes l, which begins now, the present lifetime.
func (c *client) set(now schemes.Tick, l Life) {
	c.began, c.ends, c.expires, c.restarts = now, now+l.Stay, now+l.Interval, l.Restarts
}

// Fill returns the starts of all timers that are outstanding now, with what is left of their
// intervals, in the order in which they were started. They put a scheme at this tick of the stream.
func (s *Stream) Fill() *Trace {
	t := s.piece(0, len(s.clients))
	s.fill(t)
	t.finish()
	oldest := s.now // of the ticks on which timers were started, which wrap
	for _, op := range t.Ops {
		if s.now-s.clients[op.Timer].began > s.now-oldest {
			oldest = s.clients[op.Timer].began
		}
	}
	for i := range t.Ops {
		t.Ops[i].Tick = s.clients[t.Ops[i].Timer].began - oldest
	}
	t.Ops = sortOps(t.Ops, s.now-oldest)
	for i := range t.Ops {
		t.Ops[i].Tick = s.now
	}
	return t
}

// piece returns the trace of the following ticks without operations, but with room for them, with a
// margin for chance, and for some more.
func (s *Stream) piece(ticks schemes.Tick, room int) *Trace {
	operations := s.lives * float64(ticks) * (1 + s.spec.Stop)
	room += int(operations+8*math.Sqrt(operations)) + 64
	return &Trace{Spec: s.spec, Ops: make([]Op, 0, room), Timers: len(s.clients), From: s.now, Ticks: s.now + ticks, Steps: s.steps}
}

func (s *Stream) fill(t *Trace) {
	for timer, c := range s.clients {
		if c.expires > 0 {
			t.begin(Op{s.now, c.expires - s.now, uint32(timer), Start})
		}
	}
	t.Prefill = len(t.Ops)
}

// Steady returns what Fill returned now, for schemes that restart lazily, which leave an entry where the timer was first. Timers
// that are to be restarted start with a part of their interval, which makes the ticks on which such entries come up as
// even as they are after a long time, and are restarted at once with all of it.
func (s *Stream) Steady(fill *Trace) *Trace {
	t := new(*fill)
	t.Ops = append(make([]Op, 0, 2*len(fill.Ops)), fill.Ops...)
	for i, op := range t.Ops {
		if s.clients[op.Timer].restarts {
			t.Ops[i].Interval = 1 + schemes.Tick(Mix(s.now, schemes.ID(op.Timer)))%op.Interval
			t.Ops = append(t.Ops, Op{s.now, op.Interval, op.Timer, Restart})
		}
	}
	return t
}

// Next returns the operations of the following ticks, and continues after them. Its outcome
// counts the timers that are outstanding before as started.
func (s *Stream) Next(ticks schemes.Tick) *Trace {
	t := s.piece(ticks, 0)
	for _, c := range s.clients {
		if c.expires > 0 {
			t.Want.Started++
		}
	}
	s.advance(t)
	return t.finish()
}

// whole returns the trace of the spec's run from tick 0, the prefill included.
func (s *Stream) whole() *Trace {
	t := s.piece(s.spec.Ticks, len(s.clients))
	s.fill(t)
	if s.spec.Arrivals == Poisson {
		s.arrive(t)
	} else {
		s.advance(t)
	}
	t.Timers = len(s.clients)
	t.finish()
	t.Hash = hash(t.Ops, t.Ticks)
	return t
}

// advance adds the operations up to the trace's last tick, timer by timer.
func (s *Stream) advance(t *Trace) {
	for timer := range uint32(len(s.clients)) {
		s.follow(t, timer)
	}
	s.now = t.Ticks
}

// follow adds a timer's operations up to the trace's last tick. On the tick on which a lifetime ends
// the next begins; after an expiry it waits for a multiple of every. In the open model only a restart
// begins one: else the number is free.
func (s *Stream) follow(t *Trace, timer uint32) {
	c := &s.clients[timer]
	for c.ends <= t.Ticks {
		now, next := c.ends, Start
		switch {
		case c.expires == 0: // it has waited
		case c.ends == c.expires:
			t.Want.Expired++
			t.Want.Checksum += Mix(now, schemes.ID(timer))
			c.ends, c.expires = roundUp(now, s.every), 0
		case c.restarts:
			t.Want.Stopped++
			next = Restart
		default:
			t.Want.Stopped++
			t.Ops = append(t.Ops, Op{Tick: now, Timer: timer, Kind: Stop})
		}
		switch {
		case s.free != nil && next == Start:
			s.free.release(timer, c.ends)
			c.ends = never
		case now == c.ends:
			l := s.source.fresh(&c.random, timer, now)
			t.begin(Op{now, l.Interval, timer, next})
			c.set(now, l)
		}
	}
}

// arrive adds the operations of the timers outstanding at tick 0 and of the timers that a Poisson process
// starts. Its times are continuous; a start is stamped with the next multiple of every.
//
// A timer has one lifetime more than it has restarts. By Wald's identity its mean turn is the mean turn of a
// lifetime, divided by the probability of not restarting; so for n timers there are starts at that
// probability times the rate of lifetimes.
func (s *Stream) arrive(t *Trace) {
	period := max(1, schemes.Tick(1/s.lives)/s.every) * s.every
	s.free = &numbers{period: period, rest: make([]uint32, len(s.clients)), ended: make([]uint32, t.Ticks/period+2)}
	for timer := range uint32(len(s.clients)) {
		s.follow(t, timer)
	}
	final := 1.0
	for _, l := range s.source.lives {
		if l.Fate() == Restarted {
			final -= l.Share
		}
	}
	if final <= 0 { // every timer is restarted for ever
		return
	}
	gap := 1 / (s.lives * final)
	arrivals, now := newRandom(s.spec.Seed, forArrivals, 0), 0.0
	for k := uint64(s.spec.N); ; k++ {
		now += float64(gap * arrivals.exponential())
		if now >= float64(t.Ticks/s.every*s.every) {
			return
		}
		tick := (schemes.Tick(now)/s.every + 1) * s.every
		timer := s.free.take(tick)
		if int(timer) == len(s.clients) {
			s.clients = append(s.clients, client{})
		}
		c := &s.clients[timer]
		c.random = newRandom(s.spec.Seed, forLives, k)
		l := s.source.fresh(&c.random, timer, tick)
		t.begin(Op{tick, l.Interval, timer, Start})
		c.set(tick, l)
		s.follow(t, timer)
	}
}

// numbers hands out the numbers of timers. The number of a timer that has ended is reused from the
// next period on; a period is the mean time between two ends, or every if that is
// longer, so that there are about as many periods as operations.
type numbers struct {
	period schemes.Tick
	rest   []uint32     // by number: the next of its chain, +1
	ended  []uint32     // by period: the head of the chain of numbers to be reused from it on, +1
	now    schemes.Tick // the period whose chain is being used up
	chain  uint32       // what is left of it
}

// take returns a number that is free at this tick. Ticks must not decrease.
func (u *numbers) take(tick schemes.Tick) uint32 {
	for u.chain == 0 && u.now < tick/u.period {
		u.now++
		u.chain = u.ended[u.now]
	}
	if u.chain == 0 {
		u.rest = append(u.rest, 0)
		return uint32(len(u.rest) - 1)
	}
	number := u.chain - 1
	u.chain = u.rest[number]
	return number
}

// release frees the number from this tick on, which must be later than the tick of any call of take so far.
func (u *numbers) release(number uint32, tick schemes.Tick) {
	period := (tick + u.period - 1) / u.period
	if period < schemes.Tick(len(u.ended)) {
		u.rest[number] = u.ended[period]
		u.ended[period] = number + 1
	}
}

// Mixture is a workload of the closed model (Hold) whose lifetimes are given as a list, such as the lifetimes of a
// real program. Each lifetime of the N timers is one of Lives, drawn independently in proportion to their shares.
type Mixture struct {
	N      int
	Lives  []Life // intervals and stays from 1 tick; shares above 0, which sum to 1
	Phases Phases // nil: random
	Seed   uint64

	// Step is the ticks that the clock passes at once, as in a cache that turns its wheel each second. Operations are stamped at
	// multiples of it, as with Spec.Every, so stays that end by a stop or restart must be multiples. Timers expire on any tick.
	Step schemes.Tick // 0 and 1: the clock passes tick by tick
}

// Phases give the intervals of timers, from 1, for the worst cases, which no random draw finds: all timers start on
// tick 0, expire, and start again on the tick of their expiry.
type Phases func(timer int, now schemes.Tick) schemes.Tick

const maxLives = 1 << 20

// Stream makes the mixture's stream. It returns an error wrapping ErrSpec if the mixture is invalid.
func (m Mixture) Stream() (*Stream, error) {
	if err := checkTimers(m.N); err != nil {
		return nil, err
	}
	if len(m.Lives) < 1 || len(m.Lives) > maxLives {
		return nil, Invalid("%d lives (use 1 to %d)", len(m.Lives), maxLives)
	}
	step := max(1, m.Step)
	for i, l := range m.Lives {
		if l.Fate() != Expired && l.Stay%step > 0 {
			return nil, Invalid("life %d stays %d ticks (use a multiple of the step of %d)", i, l.Stay, step)
		}
		if l.Stay < 1 || l.Stay > l.Interval || l.Interval > MaxTicks || !(l.Share > 0) {
			return nil, Invalid("life %d: %+v (use intervals of 1 to %d ticks, stays of at most that, and a share)", i, l, MaxTicks)
		}
	}
	from, n := newSource(m.Lives, step), NumbersOf(m.N, m.Lives)
	from.phases = m.Phases
	s := newStream(Spec{N: m.N, T: schemes.Tick(max(1, math.Round(n.MeanStay))), Seed: m.Seed, Every: step}, from)
	s.lives, s.steps = n.Rate, step > 1
	return s, nil
}
