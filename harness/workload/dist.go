package workload

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"timerlab/schemes"
)

// Points is the number of equally likely intervals in a distribution's table.
const Points = 4096

// MaxMean is the largest mean, in ticks, that a table of intervals can have.
const MaxMean schemes.Tick = 1 << 31

// ErrDist is wrapped by ParseDist's error.
var ErrDist = errors.New("unknown distribution")

// Dist is a distribution of intervals, up to its mean. Its zero value is Const.
type Dist struct{ shape uint8 }

// Const makes every interval the mean.
func Const() Dist { return Dist{0} }

// Uniform makes intervals of 1 to 2·mean-1 ticks equally likely.
func Uniform() Dist { return Dist{1} }

// Exp is the negative exponential distribution: the median is 0.69 of the mean,
// the longest interval ln(2·Points) = 9.0 means.
func Exp() Dist { return Dist{2} }

// Pareto has P(J > x) = (a/x)^1.5, of infinite variance but for the table's end
// at 140 means; a is 0.344 means, since the tail cut off would hold 3 % of the
// mean.
func Pareto() Dist { return Dist{3} }

// Bimodal is 90 % short intervals of mean/9 and 10 % long ones of 9·mean.
func Bimodal() Dist { return Dist{4} }

// LogUniform spreads the logarithm of the interval evenly over four decades, from
// mean/1085 to 9.2 means: as many intervals from 1 to 10 as from 10 to 100.
func LogUniform() Dist { return Dist{5} }

// Erlang is the sum of four exponential phases: the standard deviation is half the
// mean, the longest interval 4.2 means.
func Erlang() Dist { return Dist{6} }

// Dists returns all distributions, the simplest first.
func Dists() []Dist {
	return []Dist{Const(), Uniform(), Exp(), Erlang(), Pareto(), Bimodal(), LogUniform()}
}

var distNames = [...]string{"const", "uniform", "exp", "pareto", "bimodal", "loguniform", "erlang"}

// String returns the name used in the names of benchmarks, as in dist=exp.
func (d Dist) String() string { return distNames[d.shape] }

// ParseDist returns the distribution of this name, or an error that wraps ErrDist
// and lists the names.
func ParseDist(name string) (Dist, error) {
	i := slices.Index(distNames[:], name)
	if i < 0 {
		return Dist{}, fmt.Errorf("workload: %w %q, want one of %s", ErrDist, name, strings.Join(distNames[:], ", "))
	}
	return Dist{uint8(i)}, nil
}

// Quantiles returns Points equally likely intervals, at least 1 tick each, in
// ascending order, that realise the distribution with this mean; nil if the mean
// is not within 1 to MaxMean.
//
// Before rounding, the i-th is the quantile at (i+½)/Points, so a tail ends at
// 1-1/(2·Points). Intervals that would be below 1 tick are 1, and the others are
// scaled so that the table's mean is the requested one; each is then rounded up
// or down, such that the mean is exact. Where the mean is so small that most
// intervals are 1 tick, the shape is what suffers.
func (d Dist) Quantiles(mean schemes.Tick) []schemes.Tick {
	if mean < 1 || mean > MaxMean {
		return nil
	}
	return d.table(d.curve(), mean)
}

// table is Quantiles, given the distribution's curve, which does not depend on
// the mean.
func (d Dist) table(curve []uint64, mean schemes.Tick) []schemes.Tick {
	if d == Uniform() {
		return uniformTable(mean)
	}
	return scale(curve, mean)
}

// uniformTable returns quantiles of the integers 1 to 2·mean-1. (2i+1)·values is
// odd, hence no multiple of 2·Points, so the i-th interval from below and the
// i-th from above add up to 2·mean.
func uniformTable(mean schemes.Tick) []schemes.Tick {
	table := make([]schemes.Tick, Points)
	values := 2*mean - 1
	for i := range table {
		table[i] = 1 + schemes.Tick(2*i+1)*values/(2*Points)
	}
	return table
}

// curve returns the quantiles before scaling, ascending, in fixed point. It is
// made once for each distribution, and not to be changed.
func (d Dist) curve() []uint64 { return curves[d.shape]() }

var curves = func() (all [len(distNames)]func() []uint64) {
	for shape := range all {
		all[shape] = sync.OnceValue(Dist{uint8(shape)}.makeCurve)
	}
	return all
}()

func (d Dist) makeCurve() []uint64 {
	curve := make([]uint64, Points)
	for i := range curve {
		curve[i] = d.quantile(uint64(i))
	}
	return curve
}

// quantile returns the i-th point of the curve. The upper tail's probability
// there is (2·Points-1-2i)/(2·Points); its binary logarithm, negated, is the
// exponential's quantile in units of ln 2.
func (d Dist) quantile(i uint64) uint64 {
	tail := log2(2*Points) - log2(2*Points-1-2*i)
	switch d {
	case Uniform():
		return (2*i + 1) * one
	case Exp():
		return tail
	case Pareto():
		return exp2(tail * 2 / 3) // tail probability^(-1/1.5)
	case Bimodal():
		if 10*i < 9*Points {
			return one
		}
		return 81 * one
	case Erlang():
		return erlangQuantile(2*Points - 1 - 2*i)
	case LogUniform():
		return exp2(log2(10_000) * (2*i + 1) / (2 * Points))
	default:
		return one
	}
}

// erlangQuantile returns the x at which the tail of four phases of mean 1, e^-x (1 +
// x + x²/2 + x³/6), falls to tail/(2·Points), by bisection.
func erlangQuantile(tail uint64) uint64 {
	low, high := uint64(0), uint64(20*one) // the last point is at 16.7
	for high-low > 1 {
		x := low + (high-low)/2
		y := mulDiv(x, 1<<63, ln2>>1) // e^x is 2^y
		if erlangPhases(x) > mulDiv(exp2(y), tail, 2*Points) {
			low = x
		} else {
			high = x
		}
	}
	return high
}

// erlangPhases returns 1 + x + x²/2 + x³/6.
func erlangPhases(x uint64) uint64 {
	square := mulDiv(x, x, one)
	return one + x + square/2 + mulDiv(square, x, one)/6
}

// scale returns a table of the curve's shape whose sum is exactly Points·mean.
// With the lowest c entries at 1 tick, the rest share what is left in proportion
// to the curve, where c is the least for which each gets 1 tick or more. Entries
// are differences of a rounded running sum, which keeps the sum exact and each
// within 1 tick; sorting repairs the order of neighbours.
func scale(curve []uint64, mean schemes.Tick) []schemes.Tick {
	left, sum := Points*uint64(mean), uint64(0)
	for _, x := range curve {
		sum += x
	}
	table := make([]schemes.Tick, Points)
	c := 0
	for ; c < Points && less(left, curve[c], sum); c++ {
		table[c] = 1
		left--
		sum -= curve[c]
	}
	run, before := uint64(0), uint64(0)
	for i := c; i < Points; i++ {
		run += curve[i]
		upTo := mulDiv(left, run, sum)
		table[i] = schemes.Tick(upTo - before)
		before = upTo
	}
	slices.Sort(table)
	return table
}

// less reports whether a·b < c.
func less(a, b, c uint64) bool {
	hi, lo := bits.Mul64(a, b)
	return hi == 0 && lo < c
}
