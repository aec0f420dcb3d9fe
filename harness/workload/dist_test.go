package workload

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

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

// The curves are the quantile functions, for mean 1, where log is natural.
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
		erlang:     distuv.Gamma{Alpha: 4, Beta: 4}.Quantile,
	} {
		for i, got := range d.Quantiles(mean) {
			want := mean * quantile((float64(i)+0.5)/points)
			require.InDelta(t, want, float64(got), 2+2e-4*want, "%v, point %d", d, i)
		}
	}
}
