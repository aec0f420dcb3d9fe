package results

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"timerlab/harness/results/units"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// The statistics on rounds that several packages need are in this file: medians and their intervals, ratios by round, the
// bootstrap over groups, Holm's correction, Student's t, and the noise band of A/A pairs.

// Estimate is a number with its confidence interval; a median, where nothing else is said.
type Estimate struct {
	Median, Lo, Hi float64
	N              int // samples
}

// Finite returns nil, which JSON writes as null, for what JSON has no number for.
func Finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}

// MarshalJSON writes what is not finite as null.
func (e Estimate) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"median": Finite(e.Median), "low": Finite(e.Lo), "high": Finite(e.Hi),
		"samples": e.N})
}

// LeastRounds is how many samples a finite interval needs, and with it a verdict on a time.
const LeastRounds = 6

// Bounded reports whether the interval is finite, which needs LeastRounds.
func (e Estimate) Bounded() bool { return !math.IsInf(e.Lo, 0) && !math.IsInf(e.Hi, 0) }

// Confidence is the level of every interval.
const Confidence = 0.95

// ErrNoSamples is the error of cells that were not measured.
var ErrNoSamples = errors.New("no samples")

// Median returns the median of a cell in one unit, with its interval from order
// statistics. The error is ErrNoSamples if the cell was not measured.
func (t *Table) Median(k Key, unit string) (Estimate, error) { return summary(t.Samples(k, unit)) }

// Ratio returns the median of Ratios. The error is ErrNoSamples if there are none.
func (t *Table) Ratio(over, under Key, unit string) (Estimate, error) {
	return summary(t.Ratios(over, under, unit))
}

// Ratios returns one cell's values over another's in the rounds that both have, in the order of rounds: the drift of a
// machine cancels out.
func (t *Table) Ratios(over, under Key, unit string) []float64 {
	return t.byRound(over, under, unit, func(over, under float64) float64 { return over / under })
}

// Paired returns the median of f over the values of two cells, paired by round. The
// error is ErrNoSamples if no round has both.
func (t *Table) Paired(a, b Key, unit string, f func(a, b float64) float64) (Estimate, error) {
	return summary(t.byRound(a, b, unit, f))
}

func (t *Table) byRound(a, b Key, unit string, f func(a, b float64) float64) (values []float64) {
	mine, others := t.ByRound(a, unit), t.ByRound(b, unit)
	for _, round := range slices.Sorted(maps.Keys(mine)) {
		if y, ok := others[round]; ok {
			values = append(values, f(mine[round], y))
		}
	}
	return values
}

func summary(samples []float64) (Estimate, error) {
	if len(samples) == 0 {
		return Estimate{}, ErrNoSamples
	}
	return Summarize(samples), nil
}

// Summarize returns the median of samples, and its interval from order statistics; the zero Estimate of none.
func Summarize(samples []float64) Estimate {
	if len(samples) == 0 {
		return Estimate{}
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(samples), &benchmath.DefaultThresholds),
		Confidence)
	return Estimate{s.Center, s.Lo, s.Hi, len(samples)}
}

// Median returns the median of one value or more; NaN of none.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Bootstrap returns a statistic of some groups with its interval, from a number of draws of as many
// groups with replacement. A group is what is not independent within: the rounds of one process, or
// the neighbours on a curve. The interval is infinite below two groups. The same groups always get
// the same interval.
func Bootstrap[G any](groups []G, draws int, statistic func(groups []G) float64) Estimate {
	e := Estimate{Median: statistic(groups), Lo: math.Inf(-1), Hi: math.Inf(1), N: len(groups)}
	if len(groups) < 2 {
		return e
	}
	const seed = 1
	random := rand.New(rand.NewPCG(seed, 0))
	drawn, values := make([]G, len(groups)), make([]float64, draws)
	for i := range values {
		for j := range drawn {
			drawn[j] = groups[random.IntN(len(groups))]
		}
		values[i] = statistic(drawn)
	}
	slices.Sort(values)
	const tail = (1 - Confidence) / 2
	e.Lo = stat.Quantile(tail, stat.Empirical, values, nil)
	e.Hi = stat.Quantile(1-tail, stat.Empirical, values, nil)
	return e
}

// Holm returns p-values adjusted for their number, in the order given. If those below a level reject,
// the chance that any of them rejects wrongly is at most that level (Holm, A Simple Sequentially
// Rejective Multiple Test Procedure, Scandinavian Journal of Statistics, 1979).
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	floats.Argsort(slices.Clone(p), order)
	adjusted, least := make([]float64, len(p)), 0.0
	for rank, i := range order {
		least = max(least, min(1, p[i]*float64(len(p)-rank)))
		adjusted[i] = least
	}
	return adjusted
}

// NoiseBand returns the band, as a share above and below 1, that the time ratios of A/A pairs keep to in
// 95 of 100 cells, and the number of these cells: a difference that a subject shows against
// itself says nothing. It is infinite if there is no pair. A nil include means all cells.
func (t *Table) NoiseBand(include func(Key) bool) (band float64, cells int) {
	var off []float64
	for _, k := range t.Keys {
		first, ok := k.Control()
		if !ok || include != nil && !include(k) {
			continue
		}
		if r, err := t.Ratio(k, first, units.NsPerOp); err == nil {
			off = append(off, math.Abs(math.Log(r.Median)))
		}
	}
	if len(off) == 0 {
		return math.Inf(1), 0
	}
	slices.Sort(off)
	return math.Exp(off[int(math.Ceil(Confidence*float64(len(off))))-1]) - 1, len(off)
}

// StudentT returns the one-sided p-value of Student's t test, by which the mean of values, two or more, is below 0. Normal
// values need no correction for their number, so that six can reject among a hundred.
func StudentT(values []float64) float64 {
	mean, deviation := stat.MeanStdDev(values, nil)
	t := mean / stat.StdErr(deviation, float64(len(values)))
	if math.IsNaN(t) { // all are 0
		return 1
	}
	return distuv.StudentsT{Sigma: 1, Nu: float64(len(values) - 1)}.CDF(t)
}
