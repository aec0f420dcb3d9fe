package workload

import (
	"math/big"
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
	at        [fates]uint64  // when, as a part of the interval; not for Expired
	lives     []Life         // by the wanted fate, then by interval
	reach     []uint64       // running sum of their weights
	weight    uint64         // the sum: Points·whole times the mean turn; below 2^64, as the mean is at most MaxMean
}

// life returns the lifetime of this interval that ends by f, if it can: a stop that
// cannot come before the expiry does not come at all.
func (p *plan) life(interval schemes.Tick, f Fate) Life {
	l := Life{Interval: interval, Stay: interval, Restarts: f == Restarted}
	if f == Expired || interval == 1 {
		return l
	}
	at := schemes.Tick((uint64(interval)*p.at[f] + whole/2) / whole)
	l.Stay = min(interval, roundUp(min(max(at, 1), interval-1), p.every))
	return l
}

// roundUp returns the first multiple of every from t on.
func roundUp(t, every schemes.Tick) schemes.Tick { return (t + every - 1) / every * every }

// weigh computes lives, reach and weight, and returns weight.
func (p *plan) weigh() uint64 {
	p.lives, p.reach, p.weight = p.lives[:0], p.reach[:0], 0
	for f := Expired; f < fates; f++ {
		for _, interval := range p.intervals {
			l := p.life(interval, f)
			l.Share = float64(p.share[f]) / (whole * Points)
			p.weight += p.share[f] * uint64(roundUp(l.Stay, p.every)/p.every)
			p.lives, p.reach = append(p.lives, l), append(p.reach, p.weight)
		}
	}
	return p.weight
}

// fresh returns the lifetime that begins with a start.
func (p *plan) fresh(r *random) Life {
	random := r.next()
	interval := int(random >> 52)        // 12 bits: Points is 2^12
	draw, f := random>>32%whole, Expired // the next 20
	if draw < p.share[Stopped] {
		f = Stopped
	} else if draw < p.share[Stopped]+p.share[Restarted] {
		f = Restarted
	}
	return p.lives[int(f)*Points+interval]
}

// aged returns what is left of the lifetime of a timer found outstanding after a
// tick's operations, in the steady state. Intervals and fates are drawn in
// proportion to their weights; the position within the weight is the age, one
// of 0, every, 2·every, ... below the stay.
func (p *plan) aged(r *random) Life {
	draw := r.below(p.weight)
	i, _ := slices.BinarySearch(p.reach, draw+1)
	if i > 0 {
		draw -= p.reach[i-1]
	}
	return p.lives[i].after(schemes.Tick(draw/p.share[i/Points]) * p.every)
}

// rate returns the mean number of lifetimes begun per tick.
func (p *plan) rate() float64 {
	return float64(p.n) * Points * whole / float64(p.weight) / float64(p.every)
}

// operations returns the mean number of operations of a run: n starts, then 1 for every
// lifetime begun and 1 for every stop.
func (p *plan) operations(ticks schemes.Tick) float64 {
	stops := float64(p.share[Stopped]) / whole
	return float64(p.n) + p.rate()*float64(ticks)*(1+stops)
}

// gap returns the mean time between the starts of a Poisson process that keeps n
// timers outstanding, in units of 2^-64·every, and false if it needs no starts, because
// every timer is restarted forever. A timer has one lifetime more than it has restarts;
// by Wald's identity its mean turn is that of a lifetime, divided by the probability of
// not restarting.
func (p *plan) gap() (*big.Int, bool) {
	final := uint64(Points) * whole
	for _, l := range p.lives[int(Restarted)*Points:] {
		if !l.Expires() {
			final -= p.share[Restarted]
		}
	}
	if final == 0 {
		return nil, false
	}
	gap := wide(p.weight, 0)
	return gap.Quo(gap, new(big.Int).SetUint64(p.n*final)), true
}

// wide returns whole + frac/2^64 in units of 2^-64.
func wide(whole, frac uint64) *big.Int {
	x := new(big.Int).SetUint64(whole)
	return x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(frac))
}
