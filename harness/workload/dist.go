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
	text     string    // as ParseDist reads it; "" means const
	quantile *quantile // nil for a shape alone
	mix      *[]part   // nil if it is no mixture
}

// part is a distribution in a mixture, with its share.
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
// the longest interval ln(2·Points) = 9.0 means.
func Exp() Dist { return Dist{text: "exp"} }

// Erlang is the sum of four exponential phases: the standard deviation is half the
// mean, the longest interval 4.2 means.
func Erlang() Dist { return Dist{text: "erlang"} }

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
	return []Dist{Const(), Uniform(), Exp(), Erlang(), Pareto(), Bimodal(), LogUniform()}
}

// HasDurations reports whether the distribution has durations of its own. Only then
// does it have quantiles in seconds.
func (d Dist) HasDurations() bool { return d.quantile != nil }

// String returns the distribution as ParseDist reads it. A shape's name is used in the
// names of benchmarks, as in dist=exp.
func (d Dist) String() string { return cmp.Or(d.text, "const") }

// Quantile returns the duration, in seconds, that a share p of all stay below, for p
// above 0 and below 1, of a distribution that has durations.
func (d Dist) Quantile(p float64) float64 { return d.quantile.within(p) }

const (
	Points               = 4096    // equally likely intervals in a distribution's table
	MaxMean schemes.Tick = 1 << 31 // the largest mean, in ticks, that a table can have
)

// Quantiles returns Points equally likely intervals, at least 1 tick each, in
// ascending order, that realise the shape with this mean; nil if the mean is not
// within 1 to MaxMean, or if the distribution has durations.
//
// Before rounding, the i-th is the quantile at (i+½)/Points, so a tail ends at
// 1-1/(2·Points). Intervals that would be below 1 tick are 1, and the others are
// scaled so that the table's mean is the requested one; each is then rounded up
// or down, such that the mean is exact. Where the mean is so small that most
// intervals are 1 tick, the shape is what suffers.
func (d Dist) Quantiles(mean schemes.Tick) []schemes.Tick {
	switch {
	case mean < 1 || mean > MaxMean || d.HasDurations():
		return nil
	case d == Uniform():
		return uniformTable(mean)
	}
	return scale(d.curve(), mean)
}

// curvesFile has the curve of each shape, in the order of Dists: its quantiles at
// (i+½)/Points before scaling, ascending, as 64-bit integers, lowest byte first.
//
// TestCurves computes them from integers alone, and rewrites the file with -update.
// Floating-point logarithms differ in their last bits from processor to processor, but
// one Spec must make one stream on all of them.
//
//go:embed curves.bin
var curvesFile []byte

var curves = sync.OnceValue(func() [][Points]uint64 {
	all := make([][Points]uint64, len(curvesFile)/8/Points)
	for i := range len(curvesFile) / 8 {
		all[i/Points][i%Points] = binary.LittleEndian.Uint64(curvesFile[8*i:])
	}
	return all
})

// curve returns the curve of a shape, which must not be changed.
func (d Dist) curve() []uint64 { return curves()[slices.Index(Dists(), d)][:] }

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

// scale returns a table of the curve's shape whose sum is exactly Points·mean. The lowest
// c entries are 1 tick, and the rest share the remainder in proportion to the curve, where
// c is the least for which each gets 1 tick or more. Entries are differences of a rounded
// running sum, which keeps the sum exact and each within 1 tick; sorting restores the
// order of neighbours.
func scale(curve []uint64, mean schemes.Tick) []schemes.Tick {
	left, sum := Points*uint64(mean), total(curve)
	table := make([]schemes.Tick, Points)
	c := 0
	for ; c < Points; c++ {
		if hi, lo := bits.Mul64(left, curve[c]); hi > 0 || lo >= sum {
			break
		}
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

func total(curve []uint64) (sum uint64) {
	for _, x := range curve {
		sum += x
	}
	return sum
}

// mulDiv returns a·b/c rounded down, through 128 bits. It is for a·b/c < 2^64.
func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi, lo, c)
	return q
}

// ErrDist is wrapped by ParseDist's error.
var ErrDist = errors.New("invalid distribution")

// Forms says how a distribution with durations is written.
const Forms = "30s, uniform:1s,5s, exp:30s (mean), lognormal:20ms,60ms (p50, p75), pareto:1s,1.5 (least, " +
	"exponent), mix:0.9*const:30s+0.1*exp:5m, quantiles:FILE"

// ParseDist reads a distribution, a shape alone or one with durations:
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
func ParseDist(text string) (Dist, error) {
	if d, err := ParseShape(text); err == nil {
		return d, nil
	}
	var d Dist
	var err error
	if args, ok := strings.CutPrefix(text, "mix:"); ok {
		d, err = parseMix(args)
	} else {
		d, err = parseSimple(text)
	}
	if err != nil {
		return Dist{}, fmt.Errorf("%w %q: %w", ErrDist, text, err)
	}
	d.text = text
	return d, nil
}

// parseSimple reads a distribution with durations that is no mixture.
func parseSimple(text string) (Dist, error) {
	q, err := parseQuantile(text)
	return Dist{text: text, quantile: &q}, err
}

// MarshalText returns String.
func (d Dist) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what ParseDist reads.
func (d *Dist) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDist(string(text))
	return err
}

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
