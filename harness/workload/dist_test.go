package workload

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math"
	"math/bits"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

func TestQuantilesHaveTheMeanExactly(t *testing.T) {
	means := []schemes.Tick{1, 2, 3, 4, 7, 10, 99, 1000, 12_345, 1_000_000, 999_999_937, MaxMean}
	for _, d := range Dists {
		for _, mean := range means {
			table := d.Quantiles(mean)
			require.Len(t, table, points)
			assert.True(t, slices.IsSorted(table), "%v, mean %d", d, mean)
			assert.GreaterOrEqual(t, table[0], schemes.Tick(1), "%v, mean %d", d, mean)
			sum := schemes.Tick(0)
			for _, x := range table {
				sum += x
			}
			assert.Equal(t, points*mean, sum, "%v, mean %d", d, mean)
		}
		assert.Nil(t, d.Quantiles(0))
		assert.Nil(t, d.Quantiles(MaxMean+1))
	}
}

// The quantile functions in closed form, for mean 1, where log is natural.
func TestQuantilesFollowTheFormulas(t *testing.T) {
	const mean = 1_000_000
	a := 0.343653 // the least Pareto interval for which the table's mean is 1
	b := 4 * math.Ln10 / 9999
	for d, quantile := range map[Dist]func(u float64) float64{
		Const:   func(u float64) float64 { return 1 },
		Uniform: func(u float64) float64 { return 2 * u },
		Exp:     func(u float64) float64 { return -math.Log(1 - u) },
		Pareto:  func(u float64) float64 { return a * math.Pow(1-u, -1/1.5) },
		Bimodal: func(u float64) float64 { // 3687 of the 4096 points are of the short kind
			if u < 3687./points {
				return 1 / 8.98828125
			}
			return 81 / 8.98828125
		},
		LogUniform: func(u float64) float64 { return b * math.Pow(10, 4*u) },
	} {
		for i, got := range d.Quantiles(mean) {
			want := mean * quantile((float64(i)+0.5)/points)
			require.InDelta(t, want, float64(got), 2+2e-4*want, "%v, point %d", d, i)
		}
	}
}

var update = flag.Bool("update", false, "rewrite curves.bin")

// The curves change on purpose only: with them, every stream changes.
func TestCurves(t *testing.T) {
	var file bytes.Buffer
	for _, d := range Dists {
		quantile := map[Dist]func(i uint64) uint64{
			Const:      func(uint64) uint64 { return one },
			Uniform:    func(i uint64) uint64 { return (2*i + 1) * one / points },
			Exp:        expQuantile,
			erlang:     erlangQuantile,
			Pareto:     func(i uint64) uint64 { return exp2(expQuantile(i) * 2 / 3) }, // tail^(-1/1.5)
			Bimodal:    bimodalQuantile,
			LogUniform: logUniformQuantile,
		}[d]
		for i := range uint64(points) {
			require.NoError(t, binary.Write(&file, binary.LittleEndian, quantile(i)))
		}
	}
	if *update {
		require.NoError(t, os.WriteFile("curves.bin", file.Bytes(), 0o644))
		return
	}
	assert.True(t, bytes.Equal(curvesFile, file.Bytes()), "curves.bin differs from what is computed")
	assert.Len(t, curves(), len(Dists))
}

// expQuantile returns the quantile in units of ln 2: the binary logarithm, negated, of
// the upper tail's probability, which is (2·points-1-2i)/(2·points).
func expQuantile(i uint64) uint64 { return log2(2*points) - log2(2*points-1-2*i) }

func logUniformQuantile(i uint64) uint64 { return exp2(log2(10_000) * (2*i + 1) / (2 * points)) }

func bimodalQuantile(i uint64) uint64 {
	if 10*i < 9*points {
		return one
	}
	return 81 * one
}

// erlangQuantile returns the x at which the tail of four phases of mean 1, e^-x (1 +
// x + x²/2 + x³/6), falls to its probability, by bisection.
func erlangQuantile(i uint64) uint64 {
	tail := 2*points - 1 - 2*i
	low, high := uint64(0), uint64(20*one) // the last point is at 16.7
	for high-low > 1 {
		x := low + (high-low)/2
		y := mulDiv(x, 1<<63, ln2>>1) // e^x is 2^y
		square := mulDiv(x, x, one)
		if phases := one + x + square/2 + mulDiv(square, x, one)/6; phases > mulDiv(exp2(y), tail, 2*points) {
			low = x
		} else {
			high = x
		}
	}
	return high
}

// mulDiv returns a·b/c rounded down, through 128 bits. It is for a·b/c < 2^64.
func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi, lo, c)
	return q
}

// Fixed-point numbers here have 32 binary places: one is 1. Only integers are used, because floating-point logarithms,
// and sums of products that a compiler may fuse, differ in their last bits from processor to processor.
const one = 1 << 32

// ln2 is the natural logarithm of 2 in units of 2^-64.
const ln2 = 0xb17217f7d1cf79ab

// log2 returns the binary logarithm of the integer x >= 1, in fixed point, rounded down. Squaring the mantissa doubles
// its logarithm, whose whole part is then the next binary digit.
func log2(x uint64) uint64 {
	log := uint64(bits.Len64(x) - 1)
	mantissa := x << (63 - log) // [1, 2) in units of 2^-63
	for range 32 {
		square, _ := bits.Mul64(mantissa, mantissa) // [1, 4) in units of 2^-62
		log <<= 1
		if square >= 1<<63 {
			log |= 1
			mantissa = square
		} else {
			mantissa = square << 1
		}
	}
	return log
}

// exp2 returns 2^x, both in fixed point, rounded down, for x below 31. The
// fraction's power is the Taylor series of e^(f·ln 2) in units of 2^-62.
func exp2(x uint64) uint64 {
	y, _ := bits.Mul64(x<<32, ln2)
	sum, term := uint64(1<<62), uint64(1<<62)
	for k := uint64(1); term > 0; k++ {
		term, _ = bits.Mul64(term, y)
		term /= k
		sum += term
	}
	return sum >> (30 - x>>32)
}
