package claims

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"timerlab/harness/choice"
	"timerlab/harness/results"
)

// measuredTimes is the times of raw files, and what is known of them once for all claims.
type measuredTimes struct {
	*results.Table // nil: there are none
	study          func() (*choice.Choice, error)
	cutoff         func() (float64, int)
}

func newMeasuredTimes(t *results.Table) *measuredTimes {
	m := &measuredTimes{Table: t}
	m.study = sync.OnceValues(func() (*choice.Choice, error) { return choice.Judge(t) })
	m.cutoff = sync.OnceValues(func() (float64, int) { return holm(m.chances()) })
	return m
}

// timingsOf makes a claim's comparisons of times.
func (m *measuredTimes) timingsOf(c Claim) *timings {
	t := &timings{measuredTimes: m}
	for _, check := range c.timed {
		check(t)
	}
	return t
}

// timings reads the times of one claim from raw files. What is missing sticks.
type timings struct {
	*measuredTimes
	evidence
	missing error // why there is no verdict
}

// Reasons given for the intervals of times.
var (
	intervalOfRatio = fmt.Sprintf("interval: %.0f %%, order statistics of the ratios round by round, widened by the "+
		"end that is farther from 1 of the A/A pair's on the same workload; Holm's correction over all comparisons "+
		"of times", 100*results.Confidence)
	intervalOfMedian = fmt.Sprintf("interval: %.0f %%, order statistics of the rounds; Holm's correction over all "+
		"comparisons of times", 100*results.Confidence)
)

// shortLaps is why a time of an operation decides nothing: reading the clock is a good part of it.
const shortLaps = "laps below the clock's limit"

func (t *timings) lacks(format string, args ...any) {
	if t.missing == nil {
		t.missing = fmt.Errorf(format+": %w", append(args, choice.ErrNotMeasured)...)
	}
}

// ratio measures the times of a cell over those of another, round by round. Against what an A/A pair
// shows on the same workload, which is of the same scheme, a difference must stand out.
func (t *timings) ratio(over, under results.Key, unit string) Point {
	var rounds []float64
	times := t.ByRound(under, unit)
	for _, round := range slices.Sorted(maps.Keys(times)) {
		if x, ok := t.ByRound(over, unit)[round]; ok {
			rounds = append(rounds, x/times[round])
		}
	}
	p := t.summarize(rounds, unit, over, under)
	p.Why = intervalOfRatio
	if noise, ok := t.noise(over, under, unit); ok {
		p.Measured.Lo, p.Measured.Hi = p.Measured.Lo/noise, p.Measured.Hi*noise
	} else if p.Open == "" {
		p.Open = "no A/A pair was measured on this workload"
	}
	return p
}

// noise returns how far the ratio of an A/A pair on the workload of one of some cells may be
// from 1, as a factor, and whether there is such a pair.
func (t *timings) noise(over, under results.Key, unit string) (factor float64, ok bool) {
	for _, k := range []results.Key{under, over} {
		for _, again := range t.onWorkload(k) {
			once, is := again.Twin()
			if r, err := t.Ratio(again, once, unit); is && err == nil && r.Bounded() {
				factor, ok = max(factor, r.Hi, 1/r.Lo), true
			}
		}
	}
	return factor, ok
}

// onWorkload returns the cells of all schemes on the workload of k.
func (t *timings) onWorkload(k results.Key) (all []results.Key) {
	for _, o := range t.Keys {
		like := o
		like.Scheme, like.Facility, like.Slots, like.Levels = k.Scheme, k.Facility, k.Slots, k.Levels
		if like == k && (o.Facility == "") == (k.Facility == "") {
			all = append(all, o)
		}
	}
	return all
}

// median measures the time of a cell, which no A/A pair is needed for.
func (t *timings) median(k results.Key, unit string) Point {
	return t.summarize(t.Samples(k, unit), unit, k)
}

// summarize returns what some rounds of cells measure, for a comparison: an unknown value if they are
// too few, and one that decides nothing if a lap is below the clock's limit.
func (t *timings) summarize(rounds []float64, unit string, cells ...results.Key) Point {
	p := Point{Measured: unknown, Why: intervalOfMedian}
	if len(rounds) < results.LeastRounds {
		names := strings.ReplaceAll(strings.Trim(fmt.Sprint(cells), "[]"), " ", " and ")
		t.lacks("%s of %s in %d rounds, at least %d needed", unit, names, len(rounds), results.LeastRounds)
		return p
	}
	p.Measured, p.rounds = valueOf(results.Summarize(rounds)), rounds
	for _, k := range cells {
		t.note(k, unit)
		if len(t.Samples(k, results.ShortLap)) > 0 {
			p.Open = shortLaps
		}
	}
	return p
}

func valueOf(e results.Estimate) Value { return Value{e.Median, e.Lo, e.Hi} }

// cellsOf returns the cells of one operation and scheme that keep accepts, by n.
func cellsOf(t *results.Table, op, scheme string, keep cellSet) []results.Key {
	var keys []results.Key
	for _, k := range t.Keys {
		if k.Op == op && k.Scheme == scheme && keep(k) {
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
func (t *timings) sameWorkload(k results.Key, scheme string) (found results.Key, ok bool) {
	for _, o := range t.onWorkload(k) {
		if o.Scheme == scheme && (!ok || o.Slots == k.Slots) {
			found, ok = o, true
		}
	}
	return found, ok
}

// note adds a cell that was read to the rows, once, with median and interval.
func (t *timings) note(k results.Key, unit string) {
	if m, err := t.Median(k, unit); err == nil {
		t.rows = addOnce(t.rows, fmt.Sprintf("Benchmark%s %d %.4g %s  # median of %d, %.0f %% interval %.4g to %.4g",
			k, m.N, m.Median, unit, m.N, 100*results.Confidence, m.Lo, m.Hi))
	}
}

// addOnce returns list with text in it.
func addOnce(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}
