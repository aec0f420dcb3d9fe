package workload

import (
	"math"
	"math/big"

	"timerlab/schemes"
)

// Trace makes the workload's trace. It needs 48 bytes per operation while it runs
// and leaves 24; a million operations take about 0.1 s. It returns an error wrapping
// ErrSpec if the Spec is invalid.
func (s Spec) Trace() (*Trace, error) {
	p, err := s.plan()
	if err != nil {
		return nil, err
	}
	g := newGenerator(s, p, p.operations(s.Ticks))
	if s.Arrivals == Hold {
		g.hold()
	} else {
		g.poisson(p)
	}
	g.trace.finish()
	g.trace.Hash = hash(g.trace.Ops, g.trace.Ticks)
	return g.trace, nil
}

// generator makes a trace client by client; the operations are put in order at
// the end.
type generator struct {
	source
	every schemes.Tick // clients act on its multiples
	trace *Trace
}

// source is what lifetimes are drawn from.
type source interface {
	fresh(r *random) Life // one that begins
	aged(r *random) Life  // what is left of one that is found in the steady state
}

// never is a tick after every run.
const never schemes.Tick = 1<<64 - 1

// newGenerator returns a generator with room for the expected number of operations and a
// margin for chance.
func newGenerator(s Spec, from source, operations float64) *generator {
	ops := make([]Op, 0, int(operations+8*math.Sqrt(operations))+64)
	return &generator{from, max(1, s.Every), &Trace{Spec: s, Ops: ops, Prefill: s.N, Ticks: s.Ticks}}
}

// random returns the generator of the lifetimes of a client.
func (g *generator) random(client uint64) random {
	return newRandom(g.trace.Spec.Seed, forLives, client)
}

// hold makes the operations of N numbers, each starting again when its timer has
// ended.
func (g *generator) hold() {
	g.trace.Timers = g.trace.Prefill
	for timer := range uint32(g.trace.Prefill) {
		r := g.random(uint64(timer))
		tick := g.follow(&r, 0, timer, g.aged(&r))
		for tick <= g.trace.Ticks {
			tick = g.follow(&r, tick, timer, g.fresh(&r))
		}
	}
}

// poisson makes the operations of N timers outstanding at tick 0 and of those that a
// Poisson process starts. Its times are continuous; a start is stamped with the next
// multiple of every.
func (g *generator) poisson(p *plan) {
	free := g.numbers(p)
	for timer := range uint32(p.n) {
		r := g.random(uint64(timer))
		free.number(0)
		free.release(timer, g.follow(&r, 0, timer, g.aged(&r)))
	}
	gap, ok := p.gap()
	arrivals := newRandom(g.trace.Spec.Seed, forArrivals, 0)
	now, wait := new(big.Int), new(big.Int) // in units of 2^-64 periods of every ticks
	for client := p.n; ok; client++ {
		wait.Mul(gap, wide(arrivals.exponential()))
		now.Add(now, wait.Rsh(wait, 64))
		period := wait.Rsh(now, 64).Uint64()
		if period >= uint64(g.trace.Ticks/g.every) {
			break
		}
		tick := schemes.Tick(period+1) * g.every
		r := g.random(client)
		timer := free.number(tick)
		free.release(timer, g.follow(&r, tick, timer, g.fresh(&r)))
	}
	g.trace.Timers = len(free.rest)
}

// follow adds the operations of a timer from its start at a tick, through its
// restarts, until it stops, expires or outlives the run, and returns the first
// tick at which its number can start again.
func (g *generator) follow(r *random, tick schemes.Tick, timer uint32, l Life) schemes.Tick {
	want := &g.trace.Want
	g.trace.begin(Op{tick, l.Interval, timer, Start})
	for {
		tick += l.Stay
		if tick > g.trace.Ticks {
			return never
		}
		switch l.Fate() {
		case Expired:
			want.Expired++
			want.Checksum += Mix(tick, schemes.ID(timer))
			return roundUp(tick, g.every)
		case Stopped:
			want.Stopped++
			g.trace.Ops = append(g.trace.Ops, Op{Tick: tick, Timer: timer, Kind: Stop})
			return tick
		}
		want.Stopped++
		l = g.fresh(r)
		g.trace.begin(Op{tick, l.Interval, timer, Restart})
	}
}

// begin adds an operation that begins a lifetime.
func (t *Trace) begin(op Op) {
	t.Want.Started++
	t.Longest = max(t.Longest, op.Interval)
	t.Ops = append(t.Ops, op)
}

// finish puts the operations in order and completes the outcome.
func (t *Trace) finish() {
	t.Want.Outstanding = t.Want.Started - t.Want.Stopped - t.Want.Expired
	t.Ops = order(t.Ops, t.Ticks, t.Spec.Seed)
}

// numbers hands out client numbers. A number whose timer has ended is reused from the
// next period on; a period is the mean time between two ends, or every if that is
// longer, so that there are about as many periods as operations.
type numbers struct {
	period schemes.Tick
	rest   []uint32     // by number: the next of its chain, +1
	ended  []uint32     // by period: the head of the chain of numbers to be reused from it on, +1
	now    schemes.Tick // the period whose chain is being used up
	chain  uint32       // what is left of it
}

// numbers returns the numbers for this run, none of them handed out.
func (g *generator) numbers(p *plan) *numbers {
	period := max(1, schemes.Tick(p.weight/(p.n*Points*whole))) * g.every
	return &numbers{period: period, ended: make([]uint32, g.trace.Ticks/period+2)}
}

// number returns a number that is free at this tick. Ticks must not decrease.
func (u *numbers) number(tick schemes.Tick) uint32 {
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

// release frees the number from this tick on, which must be later than that of any
// call of number so far.
func (u *numbers) release(number uint32, tick schemes.Tick) {
	if tick == never {
		return
	}
	period := (tick + u.period - 1) / u.period
	u.rest[number] = u.ended[period]
	u.ended[period] = number + 1
}
