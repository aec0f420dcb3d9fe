package workload

import (
	"math/bits"
	"slices"
	"sync"

	"timerlab/schemes"
)

// Points is the number of equally likely intervals in a distribution's table.
const Points = 4096

// MaxMean is the largest mean, in ticks, that a table of intervals can have.
const MaxMean schemes.Tick = 1 << 31

// The shapes, by index.
const (
	constShape = iota
	uniformShape
	expShape
	erlangShape
	paretoShape
	bimodalShape
	logUniformShape
)

// shapes are the distributions that their mean determines. The curve has the quantiles
// at (i+½)/Points before scaling, ascending, in fixed point; it is made once and must
// not be changed. Curves and tables are computed from integers alone, where a library
// would use floating point, so that one Spec makes one stream on every processor.
var shapes = [...]struct {
	name  string
	curve func() []uint64
}{
	constShape:      {"const", curve(func(uint64) uint64 { return one })},
	uniformShape:    {"uniform", nil}, // see uniformTable
	expShape:        {"exp", curve(expQuantile)},
	erlangShape:     {"erlang", curve(erlangQuantile)},
	paretoShape:     {"pareto", curve(func(i uint64) uint64 { return exp2(expQuantile(i) * 2 / 3) })}, // tail^(-1/1.5)
	bimodalShape:    {"bimodal", curve(bimodalQuantile)},
	logUniformShape: {"loguniform", curve(logUniformQuantile)},
}

// curve returns a function that returns the curve of the quantiles.
func curve(quantile func(i uint64) uint64) func() []uint64 {
	return sync.OnceValue(func() []uint64 {
		points := make([]uint64, Points)
		for i := range points {
			points[i] = quantile(uint64(i))
		}
		return points
	})
}

// expQuantile returns the quantile in units of ln 2: the binary logarithm, negated, of
// the upper tail's probability, which is (2·Points-1-2i)/(2·Points).
func expQuantile(i uint64) uint64 { return log2(2*Points) - log2(2*Points-1-2*i) }

func logUniformQuantile(i uint64) uint64 { return exp2(log2(10_000) * (2*i + 1) / (2 * Points)) }

func bimodalQuantile(i uint64) uint64 {
	if 10*i < 9*Points {
		return one
	}
	return 81 * one
}

// erlangQuantile returns the x at which the tail of four phases of mean 1, e^-x (1 +
// x + x²/2 + x³/6), falls to its probability, by bisection.
func erlangQuantile(i uint64) uint64 {
	tail := 2*Points - 1 - 2*i
	low, high := uint64(0), uint64(20*one) // the last point is at 16.7
	for high-low > 1 {
		x := low + (high-low)/2
		y := mulDiv(x, 1<<63, ln2>>1) // e^x is 2^y
		square := mulDiv(x, x, one)
		if phases := one + x + square/2 + mulDiv(square, x, one)/6; phases > mulDiv(exp2(y), tail, 2*Points) {
			low = x
		} else {
			high = x
		}
	}
	return high
}

// table is Quantiles for a mean within bounds.
func (d Dist) table(mean schemes.Tick) []schemes.Tick {
	if d.shape == uniformShape {
		return uniformTable(mean)
	}
	return scale(shapes[d.shape].curve(), mean)
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

// scale returns a table of the curve's shape whose sum is exactly Points·mean. The lowest
// c entries are 1 tick, and the rest share the remainder in proportion to the curve, where
// c is the least for which each gets 1 tick or more. Entries are differences of a rounded
// running sum, which keeps the sum exact and each within 1 tick; sorting restores the
// order of neighbours.
func scale(curve []uint64, mean schemes.Tick) []schemes.Tick {
	left, sum := Points*uint64(mean), total(curve)
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

func total(curve []uint64) (sum uint64) {
	for _, x := range curve {
		sum += x
	}
	return sum
}

// less reports whether a·b < c.
func less(a, b, c uint64) bool {
	hi, lo := bits.Mul64(a, b)
	return hi == 0 && lo < c
}
