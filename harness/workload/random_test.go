package workload

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The first outputs of SplitMix64 for the seed 1234567, as its reference
// implementation has them.
func TestRandomIsSplitMix64(t *testing.T) {
	r := random(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		assert.Equal(t, want, r.next())
	}
}

// The distance of the empirical distribution from 1-e^-x, after Kolmogorov:
// above 1.95/sqrt(draws) with probability 0.001.
func TestExponentialIsExponential(t *testing.T) {
	const draws = 100_000
	r := newRandom(2, forArrivals, 0)
	sample := make([]float64, draws)
	for i := range sample {
		sample[i] = r.exponential()
	}
	slices.Sort(sample)
	distance := 0.0
	for i, x := range sample {
		f := 1 - math.Exp(-x)
		distance = max(distance, f-float64(i)/draws, float64(i+1)/draws-f)
	}
	assert.Less(t, distance, 1.95/math.Sqrt(draws))
}
