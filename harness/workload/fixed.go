package workload

import (
	"math/big"
	"math/bits"
)

// Fixed-point numbers here have 32 binary places: one is 1. Only integers are
// used, because floating-point logarithms, and sums of products that a compiler
// may fuse, differ in their last bits from processor to processor.
const one = 1 << 32

// ln2 is the natural logarithm of 2 in units of 2^-64.
const ln2 = 0xb17217f7d1cf79ab

// log2 returns the binary logarithm of the integer x >= 1, in fixed point,
// rounded down. Squaring the mantissa doubles its logarithm, whose whole part is
// then the next binary digit.
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

// mulDiv returns a·b/c rounded down, through 128 bits. It is for a·b/c < 2^64.
func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi, lo, c)
	return q
}

// wide returns whole + frac/2^64 in units of 2^-64.
func wide(whole, frac uint64) *big.Int {
	x := new(big.Int).SetUint64(whole)
	return x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(frac))
}
