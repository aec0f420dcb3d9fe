package workload

import (
	"math/big"
	"math/bits"
	"slices"

	"timerlab/schemes"
)

// whole is 1 for the fractions of a plan: they count in units of 2^-20.
const whole = 1 << 20

// plan is what the lifetimes of a Spec are drawn from: equally likely intervals
// and, independently, a fate.
//
// A lifetime's turn is its stay, rounded up to a multiple of every: the time
// until its client's next lifetime can begin. Weights are sums over intervals and
// fates of the turn in units of every, times the fate's share.
type plan struct {
	n         uint64
	every     schemes.Tick
	intervals []schemes.Tick // Points of them, ascending
	share     [fates]uint64  // the probability of each fate; sums to whole
	at        [fates]uint64  // when, as a part of the interval; not for expires
	reach     []uint64       // running sum of the weights, fate by fate; made by index
}

// life returns the lifetime of this interval that ends by f, if it can: a stop that
// cannot come before the expiry does not come at all.
func (p *plan) life(interval schemes.Tick, f Fate) Life {
	l := Life{Interval: interval, Stay: interval, Restarts: f == Restarted}
	if f == Expired || interval == 1 {
		return l
	}
	at := schemes.Tick((uint64(interval)*p.at[f] + whole/2) / whole)
	l.Stay = min(interval, p.next(min(max(at, 1), interval-1)))
	return l
}

// next returns the first multiple of every from t on.
func (p *plan) next(t schemes.Tick) schemes.Tick {
	if p.every == 1 {
		return t
	}
	return (t + p.every - 1) / p.every * p.every
}

// turn returns the weight of an interval and fate, before its share.
func (p *plan) turn(interval schemes.Tick, f Fate) uint64 {
	return uint64(p.next(p.life(interval, f).Stay) / p.every)
}

// weight returns the sum of all weights: Points·whole times the mean turn, in
// units of every. It is below 2^64, since the mean interval is at most MaxMean.
func (p *plan) weight() uint64 {
	sum := uint64(0)
	for f := Expired; f < fates; f++ {
		if p.share[f] == 0 {
			continue
		}
		for _, interval := range p.intervals {
			sum += p.share[f] * p.turn(interval, f)
		}
	}
	return sum
}

// index makes reach, which aged needs.
func (p *plan) index() {
	p.reach = make([]uint64, 0, int(fates)*Points)
	sum := uint64(0)
	for f := Expired; f < fates; f++ {
		for _, interval := range p.intervals {
			sum += p.share[f] * p.turn(interval, f)
			p.reach = append(p.reach, sum)
		}
	}
}

// fresh returns the lifetime that begins with a start.
func (p *plan) fresh(r *random) Life {
	random := r.next()
	interval := p.intervals[random>>52]  // 12 bits: Points is 2^12
	draw, f := random>>32%whole, Expired // the next 20
	if draw < p.share[Stopped] {
		f = Stopped
	} else if draw < p.share[Stopped]+p.share[Restarted] {
		f = Restarted
	}
	return p.life(interval, f)
}

// aged returns what is left of the lifetime of a timer found outstanding after a
// tick's operations, in the steady state. Intervals and fates are drawn in
// proportion to their weights; the position within the weight says the age, one
// of 0, every, 2·every, ... below the stay.
func (p *plan) aged(r *random) Life {
	draw := r.below(p.reach[len(p.reach)-1])
	i, _ := slices.BinarySearch(p.reach, draw+1)
	if i > 0 {
		draw -= p.reach[i-1]
	}
	wanted := Fate(i / Points)
	l := p.life(p.intervals[i%Points], wanted)
	return l.after(schemes.Tick(draw/p.share[wanted]) * p.every)
}

// lifetimes returns how many lifetimes begin in so many ticks on average, the
// prefilled ones not among them, or more than MaxOps if that many.
func (p *plan) lifetimes(ticks schemes.Tick) uint64 {
	hi, lo := bits.Mul64(uint64(ticks/p.every), p.n*Points*whole)
	if weight := p.weight(); hi < weight {
		q, _ := bits.Div64(hi, lo, weight)
		return q
	}
	return MaxOps + 1
}

// operations bounds how many operations a run of so many ticks has on average.
// It is for lifetimes(ticks) <= MaxOps.
func (p *plan) operations(ticks schemes.Tick) uint64 {
	n := p.lifetimes(ticks)
	return p.n + n + n*p.share[Stopped]/whole
}

// gap returns the mean time between the starts of a Poisson process that keeps n
// timers outstanding, in units of 2^-64·every, and false if it needs no starts, because
// every timer is restarted for ever. One start brings as many lifetimes as its
// timer is restarted, plus 1; by Wald's identity that makes the mean turn
// of a timer that of a lifetime, divided by the probability of not restarting.
func (p *plan) gap() (*big.Int, bool) {
	final := uint64(Points) * whole
	for _, interval := range p.intervals {
		if !p.life(interval, Restarted).Expires() {
			final -= p.share[Restarted]
		}
	}
	if final == 0 {
		return nil, false
	}
	gap := wide(p.weight(), 0)
	return gap.Quo(gap, new(big.Int).SetUint64(p.n*final)), true
}
