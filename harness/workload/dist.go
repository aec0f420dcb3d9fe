package workload

import (
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

// Dist is a distribution of intervals without their mean, which its user sets.
type Dist uint8

// Distributions, the simplest first.
const (
	Const   Dist = iota // every interval is the mean
	Uniform             // intervals of 1 to 2·mean-1 ticks are equally likely

	// Exp is the negative exponential distribution: the median is 0.69 of the mean,
	// the longest interval ln(2·points) = 9.0 means.
	Exp

	// erlang is the sum of four exponential phases: the standard deviation is half the
	// mean, the longest interval 4.2 means.
	erlang

	// Pareto has P(J > x) = (a/x)^1.5, of infinite variance but for the table's end at 140 means; a is 0.344 means,
	// since the tail cut off would hold 3 % of the mean.
	Pareto

	Bimodal // 90 % are short intervals of mean/9 and 10 % long ones of 9·mean

	// LogUniform spreads the logarithm of the interval evenly over four decades, from
	// mean/1085 to 9.2 means: as many intervals from 1 to 10 as from 10 to 100.
	LogUniform
)

// Dists are all distributions.
var Dists = []Dist{Const, Uniform, Exp, erlang, Pareto, Bimodal, LogUniform}

var dists = []string{"const", "uniform", "exp", "erlang", "pareto", "bimodal", "loguniform"}

// String returns the name, as in dist=exp in the name of a benchmark.
func (d Dist) String() string { return valueName("Dist", uint8(d), dists...) }

const (
	points               = 4096    // equally likely intervals in a distribution's table
	MaxMean schemes.Tick = 1 << 31 // the largest mean, in ticks, that a table can have
)

// Quantiles returns points equally likely intervals, at least 1 tick each, in ascending order, that realise the shape
// with this mean; nil if the mean is not within 1 to MaxMean.
//
// Before rounding, the i-th is the quantile at (i+½)/points, so a tail ends at 1-1/(2·points). Intervals that would
// be below 1 tick are 1, and the others are scaled so that the table's mean is the requested one; each is then
// rounded up or down, such that the mean is exact. Where the mean is so small that most intervals are 1 tick, the
// shape is what suffers.
func (d Dist) Quantiles(mean schemes.Tick) []schemes.Tick {
	switch {
	case mean < 1 || mean > MaxMean:
		return nil
	case d == Uniform:
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

// curvesFile has the curve of each shape, in the order of their constants: its quantiles at
// (i+½)/points before scaling, ascending, as 64-bit integers, lowest byte first.
//
// It is a file since floating-point logarithms differ in their last bits from processor to processor, but one Spec must
// make one stream on all of them. A test compares it with the formulas. The unit of each curve is its own.
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
func (d Dist) curve() []uint64 { return curves()[d][:] }

// Quantile returns the quantile function of the distribution with mean 1: what a share p of all are below.
func (d Dist) Quantile() func(p float64) float64 {
	curve := d.curve()
	unit := float64(total(curve)) / points
	return func(p float64) float64 { return float64(curve[int(p*points)]) / unit }
}

// scale returns a table of the curve's shape whose sum is exactly points·mean. The lowest c entries are 1 tick, and
// the rest share the remainder in proportion to the curve, where c is the least for which each gets 1 tick or more.
// Entries are differences of a rounded running sum, which keeps the sum exact and each within 1 tick; sorting
// restores the order of neighbours.
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

// UnmarshalText reads the name of a distribution. The error wraps ErrDist.
func (d *Dist) UnmarshalText(text []byte) error {
	if parseName(d, "", text, dists) != nil {
		return fmt.Errorf("%w %q (use %s)", ErrDist, text, strings.Join(dists, ", "))
	}
	return nil
}

// MarshalText returns String.
func (d Dist) MarshalText() ([]byte, error) { return []byte(d.String()), nil }
