package results

import (
	"encoding/json"
	"errors"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Estimate is a median and its confidence interval.
type Estimate struct {
	Median, Lo, Hi float64
	N              int // samples
}

// MarshalJSON writes what is not finite as null.
func (e Estimate) MarshalJSON() ([]byte, error) {
	finite := func(v float64) *float64 {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return nil
		}
		return &v
	}
	return json.Marshal(map[string]any{"median": finite(e.Median), "low": finite(e.Lo), "high": finite(e.Hi),
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

// Ratio returns the median of the ratios of two cells, paired by round: the drift of
// a machine cancels out. The error is ErrNoSamples if no round has both.
func (t *Table) Ratio(over, under Key, unit string) (Estimate, error) {
	return t.Paired(over, under, unit, func(over, under float64) float64 { return over / under })
}

// Paired returns the median of f over the values of two cells, paired by round. The
// error is ErrNoSamples if no round has both.
func (t *Table) Paired(a, b Key, unit string, f func(a, b float64) float64) (Estimate, error) {
	var values []float64
	for round, x := range t.samples[a][unit] {
		if y, ok := t.samples[b][unit][round]; ok {
			values = append(values, f(x, y))
		}
	}
	return summary(values)
}

func summary(samples []float64) (Estimate, error) {
	if len(samples) == 0 {
		return Estimate{}, ErrNoSamples
	}
	return Summarize(samples), nil
}

// Summarize returns the median of samples and its interval.
func Summarize(samples []float64) Estimate {
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(samples), &benchmath.DefaultThresholds),
		Confidence)
	return Estimate{s.Center, s.Lo, s.Hi, len(samples)}
}

// NoiseBand returns the band, as a share above and below 1, that the time ratios of A/A pairs keep to in
// 95 of 100 cells, and the number of these cells: a difference that a subject shows against
// itself says nothing. It is infinite if there is no pair. A nil include means all cells.
func (t *Table) NoiseBand(include func(Key) bool) (band float64, cells int) {
	var off []float64
	for _, k := range t.Keys {
		first, ok := k.Twin()
		if !ok || include != nil && !include(k) {
			continue
		}
		if r, err := t.Ratio(k, first, NsPerOp); err == nil {
			off = append(off, math.Abs(math.Log(r.Median)))
		}
	}
	if len(off) == 0 {
		return math.Inf(1), 0
	}
	slices.Sort(off)
	return math.Exp(off[int(math.Ceil(Confidence*float64(len(off))))-1]) - 1, len(off)
}
