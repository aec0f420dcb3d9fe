package workload

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"timerlab/schemes"
)

// Arrivals is when timers start.
type Arrivals uint8

const (
	// Hold is the closed model: when a timer ends, by expiry or stop, its number starts again on that tick. Exactly N
	// timers are outstanding after every tick's operations. The k-th lifetime of a number depends on the seed, the
	// number and k alone.
	Hold Arrivals = iota

	// Poisson is the open model: starts are independent of what is outstanding, at the rate that keeps N timers
	// outstanding on average (Little's law). The run begins with exactly N; the variance then grows from 0 to N. The
	// numbers of ended timers are reused.
	Poisson
)

var arrivals = []string{"hold", "poisson"}

// String returns hold or poisson.
func (a Arrivals) String() string { return valueName("Arrivals", uint8(a), arrivals...) }

// Spec describes a workload. N and T must be given; the zero value of every other field is the simplest choice:
// constant intervals, no stops, no restarts, hold, operations on any tick, the prefill alone, seed 0.
//
// A timer that is to be stopped ends at StopAt of its interval, rounded to whole ticks, but after at least 1 tick and
// at least 1 tick before it would expire; so an interval of 1 tick always expires. The same holds for restarts.
// Fractions count to the nearest 2^-20.
//
// With Every above 1, operations happen only on its multiples. A timer that ends in between is followed by the start
// at the next multiple, and a stop or restart that falls in between waits for the next multiple; if the timer expires
// by then, it has expired. Stays become longer that way (NumbersOf the Lives has how long), and the N of Hold and of
// Poisson holds after the operations of the multiples.
type Spec struct {
	N int          // timers outstanding
	T schemes.Tick // mean time a timer stays, in ticks, from its start to its expiry, stop or restart, for Every = 1

	Dist Dist // of the requested intervals; their mean follows from T and the fractions below

	Stop, StopAt       float64 // this fraction of lifetimes is to end by a stop, at this fraction of its interval
	Restart, RestartAt float64 // the same for restarts: a fresh interval, and its fate drawn again

	Arrivals Arrivals
	Every    schemes.Tick // operations are stamped at multiples of it; 0 and 1 mean any tick
	Ticks    schemes.Tick // length of the run
	Seed     uint64
}

// Lasting returns the workload with a run in which approximately this many timers end, rounded up to a
// multiple of some ticks.
func (s Spec) Lasting(lifetimes int, multiple schemes.Tick) Spec {
	ticks := s.T * schemes.Tick(lifetimes) / schemes.Tick(s.N)
	s.Ticks = (max(ticks, 1) + multiple - 1) / multiple * multiple
	return s
}

// Limits of a Spec. A trace takes 24 bytes per operation, twice that while it is made.
const (
	MaxOps                = 100_000_000
	MaxTicks schemes.Tick = 1 << 48
)

// ErrSpec is wrapped by the errors about a Spec, whose texts name the field, its value and what is allowed.
var ErrSpec = errors.New("invalid workload")

// Invalid returns an error that wraps ErrSpec.
func Invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSpec, fmt.Sprintf(format, args...))
}

// Check returns an error wrapping ErrSpec if the workload is invalid. It takes some milliseconds.
func (s Spec) Check() error {
	_, err := s.plan()
	return err
}

// Lives returns the kinds of lifetime that timers of the workload draw from, with shares that sum to 1: the intervals
// of each fate, ascending. It is nil for an invalid Spec.
func (s Spec) Lives() []Life {
	p, _ := s.plan()
	return p.lives
}

// Rate returns the mean number of lifetimes begun per tick, by starts and restarts together: N over the mean stay for
// Every = 1, else less, because an ended timer waits for the next multiple. It is 0 for an invalid Spec.
func (s Spec) Rate() float64 {
	p, err := s.plan()
	if err != nil {
		return 0
	}
	return float64(s.N) / p.turn
}

func (s Spec) check() error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"Stop", s.Stop}, {"StopAt", s.StopAt}, {"Restart", s.Restart}, {"RestartAt", s.RestartAt}} {
		if !(f.value >= 0 && f.value <= 1) {
			return Invalid("%s = %v (use a fraction from 0 to 1)", f.name, f.value)
		}
	}
	switch {
	case s.T < 1 || s.T > MaxMean:
		return Invalid("T = %d ticks (use 1 to %d)", s.T, MaxMean)
	case s.Stop+s.Restart > 1+1e-9:
		return Invalid("Stop + Restart = %v + %v (use at most 1 together)", s.Stop, s.Restart)
	case s.Arrivals > Poisson:
		return Invalid("Arrivals = %v (use Hold or Poisson)", s.Arrivals)
	case s.Every > MaxTicks:
		return Invalid("Every = %d ticks (use at most %d)", s.Every, MaxTicks)
	case s.Ticks > MaxTicks:
		return Invalid("Ticks = %d (use at most %d)", s.Ticks, MaxTicks)
	}
	return checkTimers(s.N)
}

func checkTimers(n int) error {
	if n < 1 || n > MaxOps {
		return Invalid("N = %d timers (use 1 to %d)", n, MaxOps)
	}
	return nil
}

// whole is 1 for the fractions of a plan: they count in units of 2^-20.
const whole = 1 << 20

// fraction returns x, within 0 to 1, in units of 1/whole. Multiplying by a power of two is exact.
func fraction(x float64) uint64 { return uint64(math.Round(x * whole)) }

// plan is what the lifetimes of a Spec are drawn from: equally likely intervals and, independently, a
// fate. It is made in integer arithmetic, so that it is the same on every processor.
type plan struct {
	every     schemes.Tick
	intervals []schemes.Tick // points of them, ascending
	share     [fates]uint64  // the probability of each fate; sums to whole
	at        [fates]uint64  // when, as a part of the interval; not for Expired
	lives     []Life         // by the wanted fate, then by interval; their shares are above 0
	turn      float64        // mean time from a lifetime's begin to the next one of its number, in ticks
}

// plan checks the Spec and computes what its timers are drawn from.
func (s Spec) plan() (p plan, err error) {
	if err := s.check(); err != nil {
		return plan{}, err
	}
	p.every = 1
	p.share[Stopped] = fraction(s.Stop)
	p.share[Restarted] = min(fraction(s.Restart), whole-p.share[Stopped])
	p.share[Expired] = whole - p.share[Stopped] - p.share[Restarted]
	p.at[Stopped], p.at[Restarted] = fraction(s.StopAt), fraction(s.RestartAt)

	if !p.fit(s.Dist, s.T) {
		return plan{}, Invalid("T = %d ticks is out of reach with %v intervals, Stop = %v at %v and "+
			"Restart = %v at %v: it would need a mean interval above %d", s.T,
			s.Dist, s.Stop, s.StopAt, s.Restart, s.RestartAt, MaxMean)
	}
	p.every = max(1, s.Every)
	p.turn = float64(p.weight()) / (points * whole) * float64(p.every)
	if operations := float64(s.N) * (1 + float64(s.Ticks)/p.turn*(1+s.Stop)); operations > MaxOps {
		return plan{}, Invalid("N = %d timers that stay T = %d ticks would make more than %d operations in Ticks = %d "+
			"(use fewer timers or ticks)", s.N, s.T, MaxOps, s.Ticks)
	}
	for f, share := range p.share {
		for _, interval := range p.intervals {
			if share > 0 {
				p.lives = append(p.lives, p.life(interval, Fate(f)))
			}
		}
	}
	return p, nil
}

// fit chooses the table of intervals whose mean stay is nearest to t, and reports whether there is one. The mean stay
// grows with the mean interval, which would be T/(1 - p(1-f) - r(1-g)) without rounding, for stops p at f and restarts
// r at g: the search begins there.
func (p *plan) fit(d Dist, t schemes.Tick) bool {
	if p.share[Expired] == whole {
		p.intervals = d.Quantiles(t)
		return true
	}
	target := uint64(t) * points * whole
	try := func(mean schemes.Tick) uint64 {
		p.intervals = d.Quantiles(mean)
		return p.weight()
	}
	part := p.share[Expired] + (p.share[Stopped]*p.at[Stopped]+p.share[Restarted]*p.at[Restarted])/whole
	mean, guess := schemes.Tick(0), min(t*whole/schemes.Tick(max(1, part)), MaxMean+1)
	for width := schemes.Tick(4); mean == 0; width *= 8 {
		// A stay is no longer than its interval, so no mean below t will do.
		low, high := max(t, guess-min(guess, width)), min(guess+width, MaxMean+1)
		found := low + schemes.Tick(sort.Search(int(high-low), func(i int) bool { return try(low+schemes.Tick(i)) >= target }))
		if (found > low || low == t) && (found < high || high > MaxMean) {
			mean = found
		}
	}
	if mean > MaxMean {
		return false
	}
	if over := try(mean) - target; mean > 1 && target-try(mean-1) > over {
		try(mean)
	}
	return true
}

// weight returns points·whole times the mean turn, in units of every: a lifetime's turn is its stay, rounded up to
// the multiple at which its number's next lifetime can begin. The sum is below 2^64, as the mean is at most MaxMean.
func (p *plan) weight() (sum uint64) {
	for f, share := range p.share {
		for _, interval := range p.intervals {
			if share > 0 {
				sum += share * uint64(roundUp(p.life(interval, Fate(f)).Stay, p.every)/p.every)
			}
		}
	}
	return sum
}

// life returns the lifetime of this interval that ends by f, if it can: a stop that
// cannot come before the expiry does not come at all.
func (p *plan) life(interval schemes.Tick, f Fate) Life {
	l := Life{
		Interval: interval, Stay: interval, Restarts: f == Restarted,
		Share: float64(p.share[f]) / (whole * points),
	}
	if f == Expired || interval == 1 {
		return l
	}
	at := schemes.Tick((uint64(interval)*p.at[f] + whole/2) / whole)
	l.Stay = min(interval, roundUp(min(max(at, 1), interval-1), p.every))
	return l
}

// roundUp returns the first multiple of every from t on.
func roundUp(t, every schemes.Tick) schemes.Tick { return (t + every - 1) / every * every }

// Trace makes the workload's trace. It needs 48 bytes per operation while it runs and leaves 24; a million operations
// take about 0.1 s. It returns an error wrapping ErrSpec if the Spec is invalid.
func (s Spec) Trace() (*Trace, error) {
	p, err := s.plan()
	if err != nil {
		return nil, err
	}
	stream := newStream(s, newSource(p.lives, p.every))
	stream.lives = float64(s.N) / p.turn
	return stream.whole(), nil
}
