package claims

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"timerlab/harness"
	"timerlab/harness/results"
)

// timings reads the times of one claim from raw files. What is missing sticks.
type timings struct {
	*results.Table
	study study
	comparisonList
	rows    []reading // the cells read
	missing error     // why there is no verdict
}

// reading is a cell that was read, in a unit.
type reading struct {
	results.Key
	unit string
}

// leastRounds is how many samples a cell must have: with fewer a median has no finite
// interval.
const leastRounds = 6

// intervalOfMedian is the reason given for the interval of a time.
var intervalOfMedian = fmt.Sprintf("interval: %.0f %%, order statistics of the ratios round by round",
	100*results.Confidence)

// unknown is the value of a cell that is missing: it decides nothing.
var unknown = Value{math.NaN(), math.NaN(), math.NaN()}

func (t *timings) lacks(format string, args ...any) {
	if t.missing == nil {
		t.missing = fmt.Errorf(format+": %w", append(args, ErrNotMeasured)...)
	}
}

// ratio compares the times of two cells, round by round.
func (t *timings) ratio(over, under results.Key, unit string) Value {
	r, err := t.Ratio(over, under, unit)
	return t.read(r, err, unit, over, under)
}

// median returns the time of a cell.
func (t *timings) median(k results.Key, unit string) Value {
	m, err := t.Median(k, unit)
	return t.read(m, err, unit, k)
}

// read returns an estimate from some cells as a value: unknown after an error, or if it is
// from too few rounds.
func (t *timings) read(e results.Estimate, err error, unit string, cells ...results.Key) Value {
	if err == nil && e.N < leastRounds {
		err = fmt.Errorf("%d rounds, at least %d needed", e.N, leastRounds)
	}
	if err != nil {
		t.lacks("%v: %v", cells, err)
		return unknown
	}
	for _, k := range cells {
		t.rows = append(t.rows, reading{k, unit})
	}
	return valueOf(e)
}

func valueOf(e results.Estimate) Value { return Value{e.Median, e.Lo, e.Hi} }

// cells returns the cells of one operation and scheme that keep accepts, by n.
func (t *timings) cells(op, scheme string, keep func(results.Key) bool) []results.Key {
	var keys []results.Key
	for _, k := range t.Keys {
		if k.Op == op && k.Scheme == scheme && (keep == nil || keep(k)) {
			keys = append(keys, k)
		}
	}
	slices.SortStableFunc(keys, func(a, b results.Key) int { return cmp.Compare(timersOf(a), timersOf(b)) })
	return keys
}

// timersOf returns the n of a cell, 0 if it has none.
func timersOf(k results.Key) uint64 {
	n, _ := results.ParseCount(k.N)
	return n
}

// sameWorkload returns the cell of another scheme on the workload of k: the one with
// k's M if there is one, else any. The boolean reports whether there is one.
func (t *timings) sameWorkload(k results.Key, scheme string) (results.Key, bool) {
	found, ok := results.Key{}, false
	for _, o := range t.Keys {
		like := o
		like.Scheme, like.Slots, like.Levels = k.Scheme, k.Slots, k.Levels
		if o.Scheme == scheme && like == k && (!ok || o.Slots == k.Slots) {
			found, ok = o, true
		}
	}
	return found, ok
}

// onlyTimers keeps the cells with n timers.
func onlyTimers(n string) func(results.Key) bool {
	return func(k results.Key) bool { return k.N == n && !Own(k) }
}

// cell is a time, and the null scheme's on the same workload.
type cell struct{ scheme, null results.Key }

// net returns the first cell of one operation and scheme that keep accepts.
func (t *timings) net(op, scheme string, keep func(results.Key) bool) cell {
	for _, k := range t.cells(op, scheme, keep) {
		if null, ok := t.sameWorkload(k, harness.Null.Name); ok {
			return cell{k, null}
		}
	}
	t.lacks("%s of %s and of the null scheme on the same workload", op, scheme)
	return cell{}
}

// gross is net where the null scheme has no such time, as it never has a timer due.
func (t *timings) gross(op, scheme string, keep func(results.Key) bool) cell {
	if cells := t.cells(op, scheme, keep); len(cells) > 0 {
		return cell{scheme: cells[0]}
	}
	t.lacks("%s of %s", op, scheme)
	return cell{}
}

// netEmpty returns the cell of ticks with next to no timers.
func (t *timings) netEmpty(scheme string) cell {
	return t.net("PerTick", scheme, func(k results.Key) bool { return isTicks(k) && k.N == "1" })
}

// netRatio compares two times less the null scheme's, round by round.
func (t *timings) netRatio(over, under cell) Value {
	if t.missing != nil {
		return unknown
	}
	a, b := t.netRounds(over), t.netRounds(under)
	var ratios []float64
	for _, round := range slices.Sorted(maps.Keys(a)) {
		if y, ok := b[round]; ok {
			ratios = append(ratios, a[round]/max(y, 0)) // infinite in a round in which nothing is left of y
		}
	}
	e, err := results.Estimate{}, results.ErrNoSamples
	if len(ratios) > 0 {
		e, err = results.Summarize(ratios), nil
	}
	return t.read(e, err, nsPerOp, over.scheme, over.null, under.scheme, under.null)
}

// netRounds returns a cell's times less the null scheme's, by round.
func (t *timings) netRounds(c cell) map[int]float64 {
	if c.null == (results.Key{}) {
		return t.ByRound(c.scheme, nsPerOp)
	}
	net, null := map[int]float64{}, t.ByRound(c.null, nsPerOp)
	for round, x := range t.ByRound(c.scheme, nsPerOp) {
		if y, ok := null[round]; ok {
			net[round] = x - y
		}
	}
	return net
}

// lines writes the cells read, each once, with median and interval.
func (t *timings) lines() []string {
	var lines []string
	seen := map[reading]bool{}
	for _, r := range t.rows {
		if seen[r] {
			continue
		}
		seen[r] = true
		if m, err := t.Median(r.Key, r.unit); err == nil {
			lines = append(lines, fmt.Sprintf("Benchmark%s %d %.4g %s  # median of %d, %.0f %% interval %.4g to %.4g",
				r.Key, m.N, m.Median, r.unit, m.N, 100*results.Confidence, m.Lo, m.Hi))
		}
	}
	return lines
}
