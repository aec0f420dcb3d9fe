package workload

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

func TestDistNames(t *testing.T) {
	for _, d := range Dists() {
		got, err := Parse[Dist](d.String())
		require.NoError(t, err)
		assert.Equal(t, d, got)
	}
	assert.Equal(t, Const(), Dist{})
	for _, bad := range []string{"gauss", "exp:1s", ""} {
		_, err := ParseShape(bad)
		require.ErrorIs(t, err, ErrDist)
		assert.ErrorContains(t, err, `(use const, uniform, exp, erlang, pareto, bimodal, loguniform)`)
	}
}

func TestQuantilesHaveTheMeanExactly(t *testing.T) {
	means := []schemes.Tick{1, 2, 3, 4, 7, 10, 99, 1000, 12_345, 1_000_000, 999_999_937, MaxMean}
	for _, d := range Dists() {
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
	}
}

func TestQuantilesRefuseMeansOutOfRange(t *testing.T) {
	assert.Nil(t, Exp().Quantiles(0))
	assert.Nil(t, Exp().Quantiles(MaxMean+1))
	assert.Nil(t, must("exp:1s").Quantiles(5))
}

// The quantile functions in closed form, for mean 1, where log is natural.
func TestQuantilesFollowTheFormulas(t *testing.T) {
	const mean = 1_000_000
	a := 0.343653 // the least Pareto interval for which the table's mean is 1
	b := 4 * math.Ln10 / 9999
	for d, quantile := range map[Dist]func(u float64) float64{
		Const():      func(u float64) float64 { return 1 },
		Uniform():    func(u float64) float64 { return 2 * u },
		Exp():        func(u float64) float64 { return -math.Log(1 - u) },
		Pareto():     func(u float64) float64 { return a * math.Pow(1-u, -1/1.5) },
		LogUniform(): func(u float64) float64 { return b * math.Pow(10, 4*u) },
	} {
		for i, got := range d.Quantiles(mean) {
			want := mean * quantile((float64(i)+0.5)/points)
			require.InDelta(t, want, float64(got), 2+2e-4*want, "%v, point %d", d, i)
		}
	}
}

// The share of an ordered list that Start passes from the head is
// E[min(S1,S2)]/E[S]. The paper's model gives 2/3 for uniform, 1/2 for
// exponential, 2(a-1)/(2a-1) = 1/2 for Pareto and 0.2 for bimodal intervals.
func TestQuantilesGiveTheListSearchOfThePaper(t *testing.T) {
	want := map[Dist]float64{Const(): 1, Uniform(): 2.0 / 3, Exp(): 0.5, Pareto(): 0.5, Bimodal(): 0.2, erlang(): 0.7266}
	for d, share := range want {
		minima, sum := 0.0, 0.0
		for i, x := range d.Quantiles(100_000) {
			minima += float64(x) * float64(2*(points-i)-1) / points // least of two draws: this rank
			sum += float64(x)
		}
		// The table cuts 3 % off Pareto's mean, all of it from long intervals.
		assert.InDelta(t, share, minima/sum, 0.02, "%v", d)
	}
}

func TestSmallMeansKeepTheShapeAbove1Tick(t *testing.T) {
	table := Exp().Quantiles(10)
	for i, x := range table {
		want := -math.Log(1 - (float64(i)+0.5)/points)
		require.InDelta(t, max(1, 10*want), float64(x), 1.6, "point %d", i)
	}
}
