package workload

import (
	"cmp"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"timerlab/schemes"
)

// Dist is a distribution of intervals. It is a shape alone, whose mean its user sets in
// ticks (Spec does), or has durations of its own (Class wants them). The zero value is
// Const().
type Dist struct {
	text     string    // as UnmarshalText reads it; "" means const
	quantile *quantile // nil for a shape alone
	mix      *[]part   // nil if it is no mixture
}

type part struct {
	Dist
	share float64
}

// parts returns the parts of a mixture, whose shares sum to 1; else the distribution itself.
func (d Dist) parts() []part {
	if d.mix == nil {
		return []part{{d, 1}}
	}
	return *d.mix
}

// Const makes every interval the mean.
func Const() Dist { return Dist{} }

// Uniform makes intervals of 1 to 2·mean-1 ticks equally likely.
func Uniform() Dist { return Dist{text: "uniform"} }

// Exp is the negative exponential distribution: the median is 0.69 of the mean,
// the longest interval ln(2·points) = 9.0 means.
func Exp() Dist { return Dist{text: "exp"} }

// erlang is the sum of four exponential phases: the standard deviation is half the
// mean, the longest interval 4.2 means.
func erlang() Dist { return Dist{text: "erlang"} }

// Pareto has P(J > x) = (a/x)^1.5, of infinite variance but for the table's end
// at 140 means; a is 0.344 means, since the tail cut off would hold 3 % of the
// mean.
func Pareto() Dist { return Dist{text: "pareto"} }

// Bimodal is 90 % short intervals of mean/9 and 10 % long ones of 9·mean.
func Bimodal() Dist { return Dist{text: "bimodal"} }

// LogUniform spreads the logarithm of the interval evenly over four decades, from
// mean/1085 to 9.2 means: as many intervals from 1 to 10 as from 10 to 100.
func LogUniform() Dist { return Dist{text: "loguniform"} }

// Dists returns all shapes, the simplest first.
func Dists() []Dist {
	return []Dist{Const(), Uniform(), Exp(), erlang(), Pareto(), Bimodal(), LogUniform()}
}

// hasDurations reports whether the distribution has durations of its own. Only then
// does it have quantiles in seconds.
func (d Dist) hasDurations() bool { return d.quantile != nil }

// String returns the distribution as UnmarshalText reads it. A shape's name is used in the
// names of benchmarks, as in dist=exp.
func (d Dist) String() string { return cmp.Or(d.text, "const") }

// at returns the duration, kept within shortest and longest, in seconds, that a share p of all stay below, for p
// above 0 and below 1, of a distribution that has durations.
func (d Dist) at(p float64) float64 { return min(max((*d.quantile)(p), shortest), longest) }

const (
	points               = 4096    // equally likely intervals in a distribution's table
	MaxMean schemes.Tick = 1 << 31 // the largest mean, in ticks, that a table can have
)

// Quantiles returns points equally likely intervals, at least 1 tick each, in
// ascending order, that realise the shape with this mean; nil if the mean is not
// within 1 to MaxMean, or if the distribution has durations.
//
// Before rounding, the i-th is the quantile at (i+½)/points, so a tail ends at
// 1-1/(2·points). Intervals that would be below 1 tick are 1, and the others are
// scaled so that the table's mean is the requested one; each is then rounded up
// or down, such that the mean is exact. Where the mean is so small that most
// intervals are 1 tick, the shape is what suffers.
func (d Dist) Quantiles(mean schemes.Tick) []schemes.Tick {
	switch {
	case mean < 1 || mean > MaxMean || d.hasDurations():
		return nil
	case d == Uniform():
		// Quantiles of the integers 1 to 2·mean-1. (2i+1)·values is odd, hence no multiple of 2·points, so
		// the i-th interval from below and the i-th from above add up to 2·mean.
		table, values := make([]schemes.Tick, points), 2*mean-1
		for i := range table {
			table[i] = 1 + schemes.Tick(2*i+1)*values/(2*points)
		}
		return table
	}
	return scale(d.curve(), mean)
}

// curvesFile has the curve of each shape, in the order of Dists: its quantiles at
// (i+½)/points before scaling, ascending, as 64-bit integers, lowest byte first.
//
// TestCurves computes them from integers alone, and rewrites the file with -update.
// Floating-point logarithms differ in their last bits from processor to processor, but
// one Spec must make one stream on all of them.
//
//go:embed curves.bin
var curvesFile []byte

var curves = sync.OnceValue(func() [][points]uint64 {
	all := make([][points]uint64, len(curvesFile)/8/points)
	for i := range len(curvesFile) / 8 {
		all[i/points][i%points] = binary.LittleEndian.Uint64(curvesFile[8*i:])
	}
	return all
})

// curve returns the curve of a shape, which must not be changed.
func (d Dist) curve() []uint64 { return curves()[slices.Index(Dists(), d)][:] }

// scale returns a table of the curve's shape whose sum is exactly points·mean. The lowest
// c entries are 1 tick, and the rest share the remainder in proportion to the curve, where
// c is the least for which each gets 1 tick or more. Entries are differences of a rounded
// running sum, which keeps the sum exact and each within 1 tick; sorting restores the
// order of neighbours.
func scale(curve []uint64, mean schemes.Tick) []schemes.Tick {
	left, sum := points*uint64(mean), total(curve)
	table := make([]schemes.Tick, points)
	c := 0
	for ; c < points; c++ {
		if hi, lo := bits.Mul64(left, curve[c]); hi > 0 || lo >= sum {
			break
		}
		table[c] = 1
		left--
		sum -= curve[c]
	}
	run, before := uint64(0), uint64(0)
	for i := c; i < points; i++ {
		run += curve[i]
		hi, lo := bits.Mul64(left, run)
		upTo, _ := bits.Div64(hi, lo, sum) // left·run/sum
		table[i] = schemes.Tick(upTo - before)
		before = upTo
	}
	slices.Sort(table)
	return table
}

func total(curve []uint64) (sum uint64) {
	for _, x := range curve {
		sum += x
	}
	return sum
}

// ErrDist is wrapped by the errors of texts that are no distribution.
var ErrDist = errors.New("invalid distribution")

const forms = "30s, uniform:1s,5s, exp:30s (mean), lognormal:20ms,60ms (p50, p75), pareto:1s,1.5 (least, " +
	"exponent), mix:0.9*const:30s+0.1*exp:5m, quantiles:FILE"

// UnmarshalText reads a distribution, a shape alone or one with durations:
//
//	exp                           a shape: const, uniform, exp, erlang, pareto, bimodal, loguniform
//	exp:30s                       the shape exp with a mean of 30 s; likewise const, erlang, bimodal, loguniform
//	30s, every:30s                the same as const:30s
//	uniform:1s,5s                 from 1 s to 5 s
//	lognormal:20ms,60ms           half are below 20 ms, three quarters below 60 ms
//	pareto:1s,1.5                 P(J > x) = (1s/x)^1.5
//	mix:0.9*const:30s+0.1*exp:5m  a tenth of another one; shares such as 1/3 are exact
//	quantiles:FILE                lines of a percentage and a duration, as in "99 2.5s"
//
// The error wraps ErrDist.
func (d *Dist) UnmarshalText(text []byte) (err error) {
	if *d, err = ParseShape(string(text)); err == nil {
		return nil
	}
	if args, ok := strings.CutPrefix(string(text), "mix:"); ok {
		*d, err = parseMix(args)
	} else {
		*d, err = parseSimple(string(text))
	}
	if err != nil {
		*d = Dist{}
		return fmt.Errorf("%w %q: %w", ErrDist, text, err)
	}
	d.text = string(text)
	return nil
}

// parseSimple reads a distribution with durations that is no mixture.
func parseSimple(text string) (Dist, error) {
	q, err := parseQuantile(text)
	return Dist{text: text, quantile: &q}, err
}

// MarshalText returns String.
func (d Dist) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// ParseShape reads a shape, whose mean its user sets. The error wraps ErrDist.
func ParseShape(text string) (Dist, error) {
	var names []string
	for _, d := range Dists() {
		if names = append(names, d.String()); d.String() == text {
			return d, nil
		}
	}
	return Dist{}, fmt.Errorf("%w %q (use %s)", ErrDist, text, strings.Join(names, ", "))
}
