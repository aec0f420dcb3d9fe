package results

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
)

func TestMedian(t *testing.T) {
	for want, values := range map[float64][]float64{3: {5, 1, 3}, 2: {1, 3}, 7: {7}, 1.5: {9, 1, 0, 2}} {
		assert.Equal(t, want, Median(values))
	}
}

func TestStatisticsOfEdges(t *testing.T) {
	assert.True(t, math.IsNaN(Median(nil)))
	assert.Equal(t, 1.0, StudentT([]float64{0, 0}))
	assert.Zero(t, StudentT([]float64{-1, -1}))
	assert.InDelta(t, 0.05, StudentT([]float64{-2.68585, -1.68585, -0.68585}), 1e-5, "t = -2.920 of 2 degrees")
}

func TestHolm(t *testing.T) {
	for _, test := range []struct{ p, want []float64 }{
		{nil, []float64{}},
		{[]float64{0.01}, []float64{0.01}},
		{[]float64{0.04, 0.01, 0.03}, []float64{0.06, 0.03, 0.06}},
		{[]float64{0.5, 0.9, 0.001}, []float64{1, 1, 0.003}},
	} {
		assert.InDeltaSlice(t, test.want, Holm(test.p), 1e-15)
	}
}

func TestBootstrap(t *testing.T) {
	mean := func(groups []float64) float64 { return stat.Mean(groups, nil) }
	assert.False(t, Bootstrap([]float64{3}, 100, mean).Bounded(), "an interval needs two groups")
	assert.Equal(t, Estimate{Median: 3, Lo: 3, Hi: 3, N: 2, Level: Confidence}, Bootstrap([]float64{3, 3}, 100, mean))
	random := rand.New(rand.NewPCG(1, 2))
	covered := 0
	const samples = 200
	for range samples {
		groups := make([]float64, 30)
		for i := range groups {
			groups[i] = random.NormFloat64()
		}
		e := Bootstrap(groups, 400, mean)
		assert.Equal(t, e, Bootstrap(groups, 400, mean))
		if e.Lo <= 0 && 0 <= e.Hi {
			covered++
		}
	}
	assert.InDelta(t, Confidence, float64(covered)/samples, 0.06)
}

func TestSummarizeKnownSeries(t *testing.T) {
	in := []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 10}
	got := Summarize(in)
	assert.Equal(t, 5.5, got.Median)
	assert.Equal(t, 10, got.N)
	assert.Equal(t, 2.0, got.Lo, "the second and ninth of 10 hold 97.9 percent")
	assert.Equal(t, 9.0, got.Hi)
	assert.Equal(t, []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 10}, in, "the order of the rounds is kept")

	assert.Equal(t, Estimate{3, 3, 3, 6, 1 - 1.0/32}, Summarize([]float64{3, 3, 3, 3, 3, 3}))
	for n, level := range []float64{0, 0, 0, 0, 0, 0, 0.969, 0.984, 0.961, 0.961, 0.979} { // as harness/README has them
		e := Summarize(in[:n])
		assert.Equal(t, n >= LeastRounds, n > 0 && e.Bounded(), "%d samples", n)
		assert.InDelta(t, level, e.Level, 0.0005, "%d samples", n)
	}
}

// Runs of one round are paired by the round, not by how many came before, and where rounds are not
// named by their order.
func TestRatio(t *testing.T) {
	a, b := ParseKey("Start/scheme=a"), ParseKey("Start/scheme=b")
	for _, named := range []bool{true, false} {
		table := loaded(t, write(t, nil, func(r *Raw) {
			for round := range 10 {
				speed := math.Pow(2, float64(round))
				if named {
					require.NoError(t, r.Round(round))
				}
				if !named || round > 0 { // the first has none: a failed run would drop them all
					require.NoError(t, r.Result(result("Start/scheme=a", 3*speed, 0)))
				}
				require.NoError(t, r.Result(result("Start/scheme=b", speed, 0)))
			}
		}))
		got, err := table.Ratio(a, b, "ns/op")
		require.NoError(t, err)
		n := map[bool]int{true: 9, false: 10}[named] // a round that has one of the two does not count
		assert.Equal(t, Estimate{3, 3, 3, n, got.Level}, got, "a takes three times as long in every round")
		median, err := table.Median(b, "ns/op")
		require.NoError(t, err)
		assert.Equal(t, 24.0, median.Median)
		_, err = table.Ratio(a, b, "sec/op")
		assert.ErrorIs(t, err, ErrNoSamples)
		_, err = table.Ratio(a, Key{}, "ns/op")
		assert.ErrorIs(t, err, ErrNoSamples)
		_, err = table.Median(Key{}, "ns/op")
		assert.ErrorIs(t, err, ErrNoSamples)
	}
}
