package workload

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"timerlab/schemes"
)

// Arrivals is when timers start.
type Arrivals uint8

const (
	// Hold is the closed model: when a timer ends, by expiry or stop, its number
	// starts again on that tick. Exactly N timers are outstanding after every
	// tick's operations. The k-th lifetime of a number depends on the seed, the
	// number and k alone.
	Hold Arrivals = iota

	// Poisson is the open model: starts are independent of what is outstanding, at
	// the rate that keeps N timers outstanding on average (Little's law). The run
	// begins with exactly N; the variance then grows from 0 to N. The numbers of
	// ended timers are reused.
	Poisson
)

// String returns hold or poisson.
func (a Arrivals) String() string { return valueName("Arrivals", uint8(a), "hold", "poisson") }

// Spec describes a workload. N and T must be given; the zero value of
// every other field is the simplest choice: constant intervals, no stops, no
// restarts, hold, operations on any tick, the prefill alone, seed 0.
//
// A timer that is to be stopped ends at StopAt of its interval, rounded to whole
// ticks, but after at least 1 tick and at least 1 tick before it would expire; so
// an interval of 1 tick always expires. The same holds for restarts. Fractions
// count to the nearest 2^-20.
//
// With Every above 1, operations happen only on its multiples. A timer that ends
// in between is followed by the start at the next multiple, and a stop or restart
// that falls in between waits for the next multiple; if the timer expires by
// then, it has expired. Stays become longer that way (Stay returns how long), and the N
// of Hold and of Poisson holds after the operations of the multiples.
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

// Limits of a Spec. A trace takes 24 bytes per operation, twice that while it is made.
const (
	MaxOps                = 100_000_000
	MaxTicks schemes.Tick = 1 << 48
)

// ErrSpec is wrapped by the errors about a Spec, whose texts name the field, its
// value and what is allowed.
var ErrSpec = errors.New("invalid workload")

// badSpec makes an error that wraps ErrSpec.
func badSpec(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSpec, fmt.Sprintf(format, args...))
}

// Check returns an error wrapping ErrSpec if the workload is invalid. It takes some
// milliseconds.
func (s Spec) Check() error {
	_, err := s.plan()
	return err
}

// Stay returns the mean time that a timer stays, in ticks, with all rounding, and
// with the effect of Every; 0 for an invalid Spec.
func (s Spec) Stay() float64 { return NumbersOf(s.N, s.Lives()).Residence }

// Lives returns the kinds of lifetime from which those of the workload are drawn, with
// shares that sum to 1: the intervals of each fate, ascending. It is nil for an invalid
// Spec.
func (s Spec) Lives() []Life {
	p, err := s.plan()
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(p.lives, func(l Life) bool { return l.Share == 0 })
}

// Rate returns the mean number of lifetimes begun per tick, by starts and
// restarts together: N/Stay() for Every = 1, else less, because an ended timer
// waits for the next multiple. It is 0 for an invalid Spec.
func (s Spec) Rate() float64 {
	p, err := s.plan()
	if err != nil {
		return 0
	}
	return p.rate()
}

// check checks single fields.
func (s Spec) check() error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"Stop", s.Stop}, {"StopAt", s.StopAt}, {"Restart", s.Restart}, {"RestartAt", s.RestartAt}} {
		if !(f.value >= 0 && f.value <= 1) {
			return badSpec("%s = %v (use a fraction from 0 to 1)", f.name, f.value)
		}
	}
	switch {
	case s.T < 1 || s.T > MaxMean:
		return badSpec("T = %d ticks (use 1 to %d)", s.T, MaxMean)
	case s.Dist.HasDurations():
		return badSpec("distribution %v has durations, but T sets the mean (use a shape such as exp)", s.Dist)
	case s.Stop+s.Restart > 1+1e-9:
		return badSpec("Stop + Restart = %v + %v (use at most 1 together)", s.Stop, s.Restart)
	case s.Arrivals > Poisson:
		return badSpec("Arrivals = %v (use Hold or Poisson)", s.Arrivals)
	case s.Every > MaxTicks:
		return badSpec("Every = %d ticks (use at most %d)", s.Every, MaxTicks)
	}
	return checkRun(s.N, s.Ticks)
}

// checkRun checks what all workloads have: the number of timers and the length.
func checkRun(n int, ticks schemes.Tick) error {
	if n < 1 || n > MaxOps {
		return badSpec("N = %d timers (use 1 to %d)", n, MaxOps)
	}
	if ticks > MaxTicks {
		return badSpec("Ticks = %d (use at most %d)", ticks, MaxTicks)
	}
	return nil
}

// plan checks the Spec and computes what its timers are drawn from.
func (s Spec) plan() (*plan, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	p := &plan{every: 1, n: uint64(s.N)}
	p.share[Stopped] = fraction(s.Stop)
	p.share[Restarted] = min(fraction(s.Restart), whole-p.share[Stopped])
	p.share[Expired] = whole - p.share[Stopped] - p.share[Restarted]
	p.at[Stopped], p.at[Restarted] = fraction(s.StopAt), fraction(s.RestartAt)

	if !p.fit(s.Dist, s.T) {
		return nil, badSpec("T = %d ticks is out of reach with %v intervals, Stop = %v at %v and "+
			"Restart = %v at %v: it would need a mean interval above %d", s.T,
			s.Dist, s.Stop, s.StopAt, s.Restart, s.RestartAt, MaxMean)
	}
	p.every = max(1, s.Every)
	p.weigh()
	if p.operations(s.Ticks) > MaxOps {
		return nil, badSpec("N = %d timers that stay T = %d ticks would make more than %d operations in Ticks = %d "+
			"(use fewer timers or ticks)", s.N, s.T, MaxOps, s.Ticks)
	}
	return p, nil
}

// fit chooses, by bisection, the table of intervals whose mean stay is nearest to
// t, and reports whether there is one. The mean stay grows with the mean interval, which
// would be T/(1 - p(1-f) - r(1-g)) without rounding, for stops p at f and restarts r at g.
func (p *plan) fit(d Dist, t schemes.Tick) bool {
	if p.share[Expired] == whole {
		p.intervals = d.Quantiles(t)
		return true
	}
	target := uint64(t) * Points * whole
	try := func(mean schemes.Tick) uint64 {
		p.intervals = d.Quantiles(mean)
		return p.weigh()
	}
	// A stay is no longer than its interval, so no mean below t will do.
	enough := func(i int) bool { return try(t+schemes.Tick(i)) >= target }
	mean := t + schemes.Tick(sort.Search(int(MaxMean+1-t), enough))
	if mean > MaxMean {
		return false
	}
	if over := try(mean) - target; mean > 1 && target-try(mean-1) > over {
		try(mean)
	}
	return true
}

// fraction returns x, within 0 to 1, in units of 1/whole. Multiplying by a power
// of two is exact.
func fraction(x float64) uint64 { return uint64(math.Round(x * whole)) }
