package workload

import (
	"math"
	"math/bits"
)

// golden is 2^64 divided by the golden ratio, made odd: the step of SplitMix64.
const golden = 0x9e3779b97f4a7c15

// mix is the output step of SplitMix64, a bijection of 64 bits; see Mix for its source.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// The purposes of random numbers; each has streams of its own.
const (
	forLives uint64 = iota
	forArrivals
	forOrder
)

// random is the SplitMix64 generator: a counter, hashed.
type random uint64

// newRandom returns the generator of the index-th stream for one purpose.
func newRandom(seed, purpose, index uint64) random {
	key := mix(mix(seed+golden) + purpose)
	return random(mix(key + index*golden))
}

func (r *random) next() uint64 {
	*r += golden
	return mix(uint64(*r))
}

// below returns a random number in [0, n), n >= 1. A value's probability is off by less than 2^-64.
func (r *random) below(n uint64) uint64 {
	hi, _ := bits.Mul64(r.next(), n)
	return hi
}

// exponential returns an exponential variate of mean 1. It only compares uniform numbers (von Neumann, Various
// Techniques Used in Connection with Random Digits, 1951): a descending run that begins with u has odd length with
// probability e^-u, and each run of even length adds 1 to the result. It takes 4.3 uniform numbers on average.
func (r *random) exponential() float64 {
	for whole := 0.0; ; whole++ {
		first := r.next()
		odd := true
		for last, u := first, r.next(); u < last; last, u = u, r.next() {
			odd = !odd
		}
		if odd {
			return whole + math.Ldexp(float64(first), -64)
		}
	}
}
