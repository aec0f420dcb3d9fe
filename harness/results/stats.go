package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// The statistics on rounds that several packages need are in this file: medians and their intervals, ratios by round, the
// geometric means, what A/A pairs show of them, the bootstrap over groups, Student's t, and Holm's correction.

// Estimate is a number with its confidence interval; a median, where nothing else is said.
type Estimate struct {
	Median, Lo, Hi float64
	N              int     // samples
	Level          float64 // of the interval, which is above Confidence for few samples; 0: it has none
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
		"samples": e.N, "level": e.Level})
}

// LeastRounds is how many samples a finite interval needs, and with it a verdict on a time.
const LeastRounds = 6

// Bounded reports whether the interval is finite, which needs LeastRounds.
func (e Estimate) Bounded() bool { return !math.IsInf(e.Lo, 0) && !math.IsInf(e.Hi, 0) }

// Excludes reports whether the interval is finite and v is outside it.
func (e Estimate) Excludes(v float64) bool { return e.N > 0 && e.Bounded() && (v < e.Lo || v > e.Hi) }

// Confidence is the least level of an interval.
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
	return inOrder(t.paired(over, under, unit, ratio))
}

func ratio(over, under float64) float64 { return over / under }

// Paired returns the median of f over the values of two cells, paired by round. The
// error is ErrNoSamples if no round has both.
func (t *Table) Paired(a, b Key, unit string, f func(a, b float64) float64) (Estimate, error) {
	return summary(inOrder(t.paired(a, b, unit, f)))
}

// paired returns f of the values of two cells in the rounds that both have, by round.
func (t *Table) paired(a, b Key, unit string, f func(a, b float64) float64) map[int]float64 {
	values, others := map[int]float64{}, t.ByRound(b, unit)
	for round, x := range t.ByRound(a, unit) {
		if y, ok := others[round]; ok {
			values[round] = f(x, y)
		}
	}
	return values
}

// inOrder returns values in the order of rounds; nil if there are none.
func inOrder(byRound map[int]float64) (values []float64) {
	for _, round := range slices.Sorted(maps.Keys(byRound)) {
		values = append(values, byRound[round])
	}
	return values
}

func summary(samples []float64) (Estimate, error) {
	if len(samples) == 0 {
		return Estimate{}, ErrNoSamples
	}
	return Summarize(samples), nil
}

// Summarize returns the median of samples, and its interval from order statistics, which has the least level from
// Confidence on that their number allows; the zero Estimate of none.
func Summarize(samples []float64) Estimate {
	if len(samples) == 0 {
		return Estimate{}
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(samples), &benchmath.DefaultThresholds),
		Confidence)
	e := Estimate{s.Center, s.Lo, s.Hi, len(samples), s.Confidence}
	if !e.Bounded() {
		e.Level = 0
	}
	return e
}

// Pair is two cells of which a ratio is taken.
type Pair struct{ Over, Under Key }

// GeometricMean returns the geometric mean of the ratios of some pairs in each round that has all of them, as the median
// of the rounds. The error is ErrNoSamples if no round has all.
func (t *Table) GeometricMean(pairs []Pair, unit string) (Estimate, error) {
	logs := map[int][]float64{} // by round
	for _, p := range pairs {
		for round, v := range t.paired(p.Over, p.Under, unit, ratio) {
			logs[round] = append(logs[round], math.Log(v))
		}
	}
	var means []float64
	for _, of := range logs {
		if len(of) == len(pairs) {
			means = append(means, math.Exp(stat.Mean(of, nil)))
		}
	}
	return summary(means)
}

// Controls returns the A/A pairs whose second cell include accepts; nil means all.
func (t *Table) Controls(include func(Key) bool) (pairs []Pair) {
	for _, k := range t.Keys {
		if first, ok := k.Control(); ok && t.Measured(first) && (include == nil || include(k)) {
			pairs = append(pairs, Pair{k, first})
		}
	}
	return pairs
}

// Promise is how many intervals of A/A pairs exclude 1. Their level says how many may.
type Promise struct {
	Excluding, Pairs int
	Level            float64 // the least of an interval
}

// Misses returns the share of intervals that may exclude 1.
func (p Promise) Misses() float64 { return 1 - p.Level }

// Promise returns what the intervals of pairs keep of their promise. A pair without a finite interval is not one.
func (t *Table) Promise(pairs []Pair, unit string) (p Promise) {
	for _, pair := range pairs {
		e, err := t.Ratio(pair.Over, pair.Under, unit)
		if err != nil || !e.Bounded() {
			continue
		}
		if p.Pairs++; e.Excludes(1) {
			p.Excluding++
		}
		p.Level = min(cmp.Or(p.Level, 1), e.Level)
	}
	return p
}

// Resolution returns the smallest difference, as a share, that is decided in 80 of 100 cells like the cells of these A/A
// pairs: if one of a pair took so much longer than it did, its interval would exclude 1. It is infinite if intervals are.
func (t *Table) Resolution(pairs []Pair, unit string) float64 {
	var needed []float64
	for _, pair := range pairs {
		if e, err := t.Ratio(pair.Over, pair.Under, unit); err == nil {
			needed = append(needed, 1/e.Lo, e.Hi) // either could be the slower one
		}
	}
	return resolution(needed)
}

func resolution(needed []float64) float64 {
	if len(needed) == 0 {
		return math.Inf(1)
	}
	for i, v := range needed {
		if !(v > 0) { // of an interval that reaches to -Inf
			needed[i] = math.Inf(1)
		}
	}
	slices.Sort(needed)
	return max(0, stat.Quantile(0.8, stat.Empirical, needed, nil)-1)
}

// RoundsFor returns the least number of rounds with which the Resolution of A/A pairs is a share: as if rounds were drawn
// from those of all pairs, each without its median. It is 0 if most rounds, as many as are tried, are too few.
func (t *Table) RoundsFor(pairs []Pair, unit string, share float64, most int) int {
	var pool []float64
	rounds := LeastRounds
	for _, pair := range pairs {
		ratios := t.Ratios(pair.Over, pair.Under, unit)
		n := float64(len(ratios))
		for _, r := range ratios {
			pool = append(pool, math.Exp(math.Log(r/Median(ratios))*math.Sqrt(n/(n-1)))) // as a median is of the same rounds
		}
		if t.Resolution(pairs, unit) > share {
			rounds = max(rounds, len(ratios)+1) // as many as there are were too few
		}
	}
	random := rand.New(rand.NewPCG(1, 0))
	for ; len(pool) > 0 && rounds <= most; rounds++ {
		const draws = 400
		var needed []float64
		for range draws {
			drawn := make([]float64, rounds)
			for i := range drawn {
				drawn[i] = pool[random.IntN(len(pool))]
			}
			e := Summarize(drawn)
			needed = append(needed, 1/e.Lo, e.Hi)
		}
		if resolution(needed) <= share {
			return rounds
		}
	}
	return 0
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

// Bootstrap returns a statistic of some groups with its interval, from a number of draws of as many groups with
// replacement. A group is what is not independent within: the rounds of one process, or the neighbours on a curve.
// The interval is infinite below two groups. The same groups always get the same interval.
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
	e.Level = Confidence
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

// Welch returns the one-sided p-value of Welch's t test on the logarithms of two independent series, two values or more
// of each, by which the geometric mean of now is at most a number of times that of base.
func Welch(now, base []float64, times float64) float64 {
	mean, part, part2 := -math.Log(times), 0.0, 0.0 // of the variance of the mean; and its square by degrees of freedom
	for i, series := range [][]float64{now, base} {
		logs := make([]float64, len(series))
		for j, v := range series {
			logs[j] = math.Log(v)
		}
		m, variance := stat.MeanVariance(logs, nil)
		of := variance / float64(len(logs))
		mean += m * float64(1-2*i)
		part, part2 = part+of, part2+of*of/float64(len(logs)-1)
	}
	if part == 0 { // no value varies
		return map[bool]float64{true: 0, false: 1}[mean > 1e-12] // more than rounding
	}
	return distuv.StudentsT{Sigma: 1, Nu: part * part / part2}.Survival(mean / math.Sqrt(part))
}
