package results

import (
	"errors"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Table holds the samples of raw files and what was not measured.
type Table struct {
	Machine map[string]string // the keys at the heads of the files; values that differ with "; " between
	Sources []Source          // the files
	Keys    []Key             // in the order of their first sample
	Missing []Missing
	samples map[Key]map[string][]sample
	streams map[string]string // hash of the operations, by operation and workload
	exact   map[string]bool   // units whose values must not vary
}

// Source is one raw file.
type Source struct{ Path, Command string }

// sample is one value and its round, which is unique over all files.
type sample struct {
	round int
	value float64
}

// Missing is a cell without a time. The operation of its key is its own or that of a
// whole run: RunOf the operations that it would have timed.
type Missing struct {
	Key  Key
	Why  string
	Fail bool // a run with a wrong outcome, not a cell skipped
}

// RunOf returns what a run is called that measures an operation, where it was
// skipped or failed: the operations timed apart are of one run.
func RunOf(op string) string {
	switch op {
	case LifetimeOp, LatencyOp, SpinName:
		return op
	}
	return OperationsOp
}

// Failed reports whether a run of the cell had a wrong outcome, in any round. It
// has no samples then: what a scheme that is wrong once takes is of no interest.
func (t *Table) Failed(k Key) bool {
	run := k
	run.Op = RunOf(k.Op)
	return slices.ContainsFunc(t.Missing, func(m Missing) bool { return m.Fail && (m.Key == k || m.Key == run) })
}

// dropFailed removes the samples of failed cells.
func (t *Table) dropFailed() {
	t.Keys = slices.DeleteFunc(t.Keys, func(k Key) bool {
		if !t.Failed(k) {
			return false
		}
		delete(t.samples, k)
		return true
	})
}

// Samples returns the values of a cell in one unit, as written, by rounds; nil
// if there are none.
func (t *Table) Samples(k Key, unit string) []float64 {
	var values []float64
	for _, s := range t.samples[k][unit] {
		values = append(values, s.value)
	}
	return values
}

// ByRound returns the values of a cell in one unit by their rounds, which are
// unique over all files.
func (t *Table) ByRound(k Key, unit string) map[int]float64 {
	values := map[int]float64{}
	for _, s := range t.samples[k][unit] {
		values[s.round] = s.value
	}
	return values
}

// Count returns a count of a cell by operation, which is the same in every round,
// and 0 if the cell was measured but counted none.
func (t *Table) Count(k Key, unit string) (float64, error) {
	switch samples := t.samples[k][unit]; {
	case t.samples[k] == nil:
		return 0, ErrNoSamples
	case len(samples) == 0:
		return 0, nil
	default:
		return samples[0].value, nil
	}
}

// Estimate is a median and its confidence interval.
type Estimate struct {
	Median, Lo, Hi float64
	N              int // samples
}

// Confidence is that of every interval. A finite one needs 6 samples.
const Confidence = 0.95

// ErrNoSamples says that a cell was not measured.
var ErrNoSamples = errors.New("no samples")

// Median returns the median of a cell in one unit, with the interval that order
// statistics give it.
func (t *Table) Median(k Key, unit string) (Estimate, error) {
	samples := t.Samples(k, unit)
	if len(samples) == 0 {
		return Estimate{}, ErrNoSamples
	}
	return Summarize(samples), nil
}

// Summarize returns the median of samples and its interval.
func Summarize(samples []float64) Estimate {
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(samples), &benchmath.DefaultThresholds), Confidence)
	return Estimate{s.Center, s.Lo, s.Hi, len(samples)}
}

// Ratio returns the median of the ratios of two cells in the rounds that both
// have, which a machine's drift does not touch.
func (t *Table) Ratio(over, under Key, unit string) (Estimate, error) {
	byRound := t.ByRound(under, unit)
	var ratios []float64
	for _, s := range t.samples[over][unit] {
		if value, ok := byRound[s.round]; ok {
			ratios = append(ratios, s.value/value)
		}
	}
	if len(ratios) == 0 {
		return Estimate{}, ErrNoSamples
	}
	return Summarize(ratios), nil
}

// Has reports whether a file that is the table's only one needs no sample of the cell
// with this name in a round: it has one, or the cell has failed in some round, after
// which none of it counts.
func (t *Table) Has(name string, round int) bool {
	k := ParseKey(name)
	if t.Failed(k) {
		return true
	}
	for _, samples := range t.samples[k] {
		for _, s := range samples {
			if s.round == round {
				return true
			}
		}
	}
	return false
}
