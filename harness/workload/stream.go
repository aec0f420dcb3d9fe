package workload

import (
	"math"

	"timerlab/schemes"
)

// Stream makes the trace of a mixture or of a script piece by piece, without an end, in 32
// bytes for each timer. The pieces are those of one trace, whatever their lengths.
type Stream struct {
	spec    Spec
	begin   func(r *random, timer uint32, now schemes.Tick) Life // the lifetime that begins with a start
	clients []client
	now     schemes.Tick
}

// client is the present lifetime of a timer.
type client struct {
	random   random
	ends     schemes.Tick // by expiry, stop or restart
	expires  schemes.Tick // unless it is stopped or restarted first
	restarts bool
}

// newStream returns a stream at tick 0, on which each timer's first lifetime has begun.
func newStream(spec Spec, begin, first func(r *random, timer uint32, now schemes.Tick) Life) *Stream {
	s := &Stream{spec: spec, begin: begin, clients: make([]client, spec.N)}
	for timer := range s.clients {
		c := &s.clients[timer]
		c.random = newRandom(spec.Seed, forLives, uint64(timer))
		c.set(0, first(&c.random, uint32(timer), 0))
	}
	return s
}

// set makes l, which begins now, the present lifetime.
func (c *client) set(now schemes.Tick, l Life) {
	c.ends, c.expires, c.restarts = now+l.Stay, now+l.Interval, l.Restarts
}

// Now returns the tick up to which pieces were made.
func (s *Stream) Now() schemes.Tick { return s.now }

// Fill returns the starts of all timers that are outstanding now, with what is left of their
// intervals. They put a scheme at this tick of the stream.
func (s *Stream) Fill() *Trace {
	n := len(s.clients)
	t := &Trace{Spec: s.spec, Ops: make([]Op, 0, n), Prefill: n, Timers: n, From: s.now, Ticks: s.now}
	for timer := range s.clients {
		t.begin(Op{s.now, s.clients[timer].expires - s.now, uint32(timer), Start})
	}
	t.finish()
	return t
}

// Steady returns Fill for schemes that restart lazily, which leave an entry where the timer was
// first. Timers that are to be restarted start with a part of their interval, which makes the
// ticks on which such entries come up as even as they are after a long time, and are restarted at
// once with all of it.
func (s *Stream) Steady() *Trace {
	t := s.Fill()
	for i := range t.Ops {
		op := &t.Ops[i]
		if s.clients[op.Timer].restarts {
			t.Ops = append(t.Ops, Op{s.now, op.Interval, op.Timer, Restart})
			op = &t.Ops[i] // which append may have moved
			op.Interval = 1 + schemes.Tick(Mix(s.now, schemes.ID(op.Timer)))%op.Interval
		}
	}
	return t
}

// Next returns the operations of the following ticks, and continues after them. Its outcome
// counts the timers that are outstanding before as started.
func (s *Stream) Next(ticks schemes.Tick) *Trace {
	n := len(s.clients)
	t := &Trace{Spec: s.spec, Timers: n, From: s.now, Ticks: s.now + ticks}
	t.Want.Started = uint64(n)
	for timer := range uint32(n) {
		for c := &s.clients[timer]; c.ends <= t.Ticks; {
			s.end(t, timer, c)
		}
	}
	s.now = t.Ticks
	t.finish()
	return t
}

// end ends the present lifetime of a timer and begins the next, on the same tick.
func (s *Stream) end(t *Trace, timer uint32, c *client) {
	now, next := c.ends, Start
	switch {
	case c.ends == c.expires:
		t.Want.Expired++
		t.Want.Checksum += Mix(now, schemes.ID(timer))
	case c.restarts:
		t.Want.Stopped++
		next = Restart
	default:
		t.Want.Stopped++
		t.Ops = append(t.Ops, Op{Tick: now, Timer: timer, Kind: Stop})
	}
	l := s.begin(&c.random, timer, now)
	t.begin(Op{now, l.Interval, timer, next})
	c.set(now, l)
}

// whole returns the trace of a run from tick 0, the prefill included.
func (s *Stream) whole(ticks schemes.Tick) *Trace {
	t, rest := s.Fill(), s.Next(ticks)
	rest.Ops, rest.Prefill = append(t.Ops, rest.Ops...), t.Prefill
	rest.Longest, rest.Hash = max(t.Longest, rest.Longest), hash(rest.Ops, ticks)
	return rest
}

// Stream makes the mixture's stream; it ignores Ticks. It returns an error wrapping ErrSpec if
// the mixture is invalid.
func (m Mixture) Stream() (*Stream, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	spec := Spec{N: m.N, T: schemes.Tick(max(1, math.Round(m.Stay()))), Ticks: m.Ticks, Seed: m.Seed}
	d := newDrawn(m.Lives)
	return newStream(spec,
		func(r *random, _ uint32, _ schemes.Tick) Life { return d.fresh(r) },
		func(r *random, _ uint32, _ schemes.Tick) Life { return d.aged(r) }), nil
}

// Stream makes the script's stream; it ignores Ticks. An error wraps ErrSpec.
func (s Script) Stream() (*Stream, error) {
	if err := checkRun(s.N, s.Ticks); err != nil {
		return nil, err
	}
	begin := func(_ *random, timer uint32, now schemes.Tick) Life {
		interval := s.Interval(int(timer), now)
		return Life{Interval: interval, Stay: interval}
	}
	return newStream(Spec{N: s.N, Ticks: s.Ticks, Seed: s.Seed}, begin, begin), nil
}
