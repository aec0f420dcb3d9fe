package compare

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/aclements/go-moremath/stats"
	"gonum.org/v1/gonum/stat"

	"timerlab/harness/results"
)

const (
	resamples     = 1000
	bootstrapSeed = 1
)

// bootstrap returns the 95 % interval of each subject's geometric mean. It draws rounds
// with replacement, the same ones for all cells and subjects: what disturbs a round
// disturbs many cells of it. The cells are not drawn: they are a grid somebody chose, and
// no sample of others. Below six rounds the interval is infinite.
func (o *operation) bootstrap(cells []results.Key) ([]results.Estimate, error) {
	rounds := o.rounds(cells)
	intervals := make([]results.Estimate, len(o.subjects))
	if len(rounds) < results.LeastRounds {
		for i := range intervals {
			intervals[i] = results.Estimate{Lo: math.Inf(-1), Hi: math.Inf(1), N: len(rounds)}
		}
		return intervals, nil
	}
	random := rand.New(rand.NewPCG(bootstrapSeed, 0))
	drawn := make([]int, len(rounds))
	byRound := map[entry]map[int]float64{}
	for e, k := range o.keys {
		byRound[e] = o.table.ByRound(k, o.unit)
	}
	median := func(e entry) float64 { return medianOf(byRound[e], drawn) }
	means := make([][]float64, len(o.subjects))
	for range resamples {
		for i := range drawn {
			drawn[i] = rounds[random.IntN(len(rounds))]
		}
		once, _, err := o.means(cells, median)
		if err != nil {
			return nil, err
		}
		for i, mean := range once {
			means[i] = append(means[i], mean)
		}
	}
	const tail = (1 - results.Confidence) / 2
	for i, m := range means {
		slices.Sort(m)
		intervals[i] = results.Estimate{
			Lo: stat.Quantile(tail, stat.Empirical, m, nil), Hi: stat.Quantile(1-tail, stat.Empirical, m, nil),
			N: len(rounds),
		}
	}
	return intervals, nil
}

// rounds returns the rounds that any of the cells has, in order.
func (o *operation) rounds(cells []results.Key) []int {
	all := map[int]bool{}
	for _, cell := range cells {
		for _, s := range o.subjects {
			for round := range o.table.ByRound(o.keys[entry{s, cell}], o.unit) {
				all[round] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// medianOf returns the median of the drawn rounds' values or, if a cell has none of
// them, of all its values.
func medianOf(byRound map[int]float64, drawn []int) float64 {
	var values []float64
	for _, round := range drawn {
		if v, ok := byRound[round]; ok {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		values = slices.Collect(maps.Values(byRound))
	}
	slices.Sort(values)
	return stats.Sample{Xs: values, Sorted: true}.Quantile(0.5)
}
