package results

import (
	"encoding/json"
	"errors"
	"hash"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
)

// Table holds the samples of raw files, and the cells that were not measured.
type Table struct {
	Machine map[string]string // the keys at the heads of the files; differing values joined by "; "
	Sources []Source          // the files' pieces
	Keys    []Key             // in the order of their first sample
	Missing []Missing
	Reruns  Reruns
	samples map[Key]map[string]map[int]float64 // by unit and round; rounds are unique over all files
	streams map[string]string                  // hash of the operations, by operation and workload
	exact   map[string]bool                    // units whose values must not vary
	origins map[Key]origin
}

func newTable() *Table {
	return &Table{
		Machine: map[string]string{},
		samples: map[Key]map[string]map[int]float64{},
		streams: map[string]string{},
		exact:   map[string]bool{},
		origins: map[Key]origin{},
	}
}

// Source is one piece of a raw file, the command that measured it, and the code that it
// measured.
type Source struct {
	Path, Command string
	Code          Code
	Shard         Shard // zero: it is not one
	sum           hash.Hash
}

// Missing is a cell without a time. The operation of its key is its own or, for
// operations timed within one run, that of the run (RunOf).
type Missing struct {
	Key  Key
	Why  string
	Fail bool // a run with a wrong outcome, not a cell skipped
}

// RunOf returns the name under which a run that measures the operation is skipped or
// fails: one run times several operations.
func RunOf(op string) string {
	switch {
	case slices.Contains([]string{LifetimeOp, LatencyOp, SpinName}, op):
		return op
	case strings.HasPrefix(op, InstructionsOp):
		return InstructionsOp
	}
	return OperationsOp
}

// MissingOf returns why a cell has no time, if so: in any round, a wrong outcome rather
// than a skipped run.
func (t *Table) MissingOf(k Key) (why Missing, ok bool) {
	run := k
	run.Op = RunOf(k.Op)
	for _, m := range t.Missing {
		if (m.Key == k || m.Key == run) && (m.Fail || !ok) {
			why, ok = m, true
		}
	}
	return why, ok
}

// Failed reports whether a run of the cell had a wrong outcome in any round. The cell
// then has no samples: the time of a scheme that is wrong once means nothing.
func (t *Table) Failed(k Key) bool {
	why, _ := t.MissingOf(k)
	return why.Fail
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

// Samples returns the values of a cell in one unit, as written, in the order of
// rounds; nil if there are none.
func (t *Table) Samples(k Key, unit string) (values []float64) {
	byRound := t.samples[k][unit]
	for _, round := range slices.Sorted(maps.Keys(byRound)) {
		values = append(values, byRound[round])
	}
	return values
}

// ByRound returns the values of a cell in one unit, keyed by round, which the caller must
// not change. Rounds are unique over all files.
func (t *Table) ByRound(k Key, unit string) map[int]float64 { return t.samples[k][unit] }

// Count returns a count per operation of a cell, which is the same in every round,
// or 0 if the cell was measured but counted none. The error is ErrNoSamples if the
// cell was not measured.
func (t *Table) Count(k Key, unit string) (float64, error) {
	if t.samples[k] == nil {
		return 0, ErrNoSamples
	}
	for _, count := range t.samples[k][unit] {
		return count, nil
	}
	return 0, nil
}

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

// Bounded reports whether the interval is finite, which needs 6 samples.
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

// Skipped reports whether the named cell was skipped.
func (t *Table) Skipped(name string) bool {
	k := ParseKey(name)
	return slices.ContainsFunc(t.Missing, func(m Missing) bool { return m.Key == k && !m.Fail })
}

// Has reports whether the named cell already has a sample for this round, or has
// failed, after which none of its samples count. It is for tables of a single piece.
func (t *Table) Has(name string, round int) bool {
	k := ParseKey(name)
	timed := k
	switch k.Op {
	case OperationsOp:
		timed.Op = TickOp
	case InstructionsOp:
		timed.Op += TickOp
	}
	for _, byRound := range t.samples[timed] {
		if _, ok := byRound[round]; ok {
			return true
		}
	}
	return t.Failed(k)
}
