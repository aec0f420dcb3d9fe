package claims

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"timerlab/harness/results"
)

// timings reads the times of one claim from raw files. What is missing sticks.
type timings struct {
	*measuredTimes
	evidence
	missing error // why there is no verdict
}

// leastRounds is how many samples a cell must have: with fewer a median has no finite
// interval.
const leastRounds = 6

// Reasons given for the intervals of times.
var (
	intervalOfRatio = fmt.Sprintf("interval: %.0f %%, order statistics of the ratios round by round, widened by the "+
		"end that is farther from 1 of the A/A pair's on the same workload; Holm's correction over all comparisons "+
		"of times", 100*results.Confidence)
	intervalOfMedian = fmt.Sprintf("interval: %.0f %%, order statistics of the rounds; Holm's correction over all "+
		"comparisons of times", 100*results.Confidence)
)

// reading is a time, or a ratio of times, from raw files.
type reading struct {
	Value
	rounds []float64
	why    string // where the interval comes from
	open   string // why it decides nothing; "": it may
}

// shortLaps is why a time of an operation decides nothing: reading the clock is a good part of it.
const shortLaps = "laps below the clock's limit"

// unknown is the value of a cell that is missing: it decides nothing.
var unknown = Value{math.NaN(), math.NaN(), math.NaN()}

func (t *timings) lacks(format string, args ...any) {
	if t.missing == nil {
		t.missing = fmt.Errorf(format+": %w", append(args, ErrNotMeasured)...)
	}
}

// ratio compares the times of two cells, round by round. Against what an A/A pair shows on the
// same workload, which is of the same scheme, a difference must stand out.
func (t *timings) ratio(over, under results.Key, unit string) reading {
	var rounds []float64
	times := t.ByRound(under, unit)
	for _, round := range slices.Sorted(maps.Keys(times)) {
		if x, ok := t.ByRound(over, unit)[round]; ok {
			rounds = append(rounds, x/times[round])
		}
	}
	r := t.read(rounds, unit, over, under)
	r.why = intervalOfRatio
	if noise, ok := t.noise(over, under, unit); ok {
		r.Lo, r.Hi = r.Lo/noise, r.Hi*noise
	} else if r.open == "" {
		r.open = "no A/A pair was measured on this workload"
	}
	return r
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

// median returns the time of a cell, which no A/A pair is needed for.
func (t *timings) median(k results.Key, unit string) reading {
	return t.read(t.Samples(k, unit), unit, k)
}

// read returns what some rounds of cells say: an unknown value if they are too few, and one
// that decides nothing if a lap is below the clock's limit.
func (t *timings) read(rounds []float64, unit string, cells ...results.Key) reading {
	r := reading{Value: unknown, rounds: rounds, why: intervalOfMedian}
	if len(rounds) < leastRounds {
		t.lacks("%v: %d rounds of %s, at least %d needed", cells, len(rounds), unit, leastRounds)
		r.rounds = nil
		return r
	}
	e := results.Summarize(rounds)
	r.Value = valueOf(e)
	for _, k := range cells {
		t.note(k, unit)
		if len(t.Samples(k, results.ShortLap)) > 0 {
			r.open = shortLaps
		}
	}
	return r
}

func valueOf(e results.Estimate) Value { return Value{e.Median, e.Lo, e.Hi} }

// timed compares a time, or a ratio of times.
func (t *timings) timed(r Relation, predicted float64, x reading, format string, args ...any) *Point {
	p := t.add(r, predicted, x.Value, x.why, format, args...)
	p.Open, p.rounds = x.open, x.rounds
	return p
}

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
func (t *timings) sameWorkload(k results.Key, scheme string) (found results.Key, ok bool) {
	for _, o := range t.onWorkload(k) {
		if o.Scheme == scheme && (!ok || o.Slots == k.Slots) {
			found, ok = o, true
		}
	}
	return found, ok
}

// cheapest returns the cell of the scheme of some that takes the least time on the workload of k.
func (t *timings) cheapest(k results.Key, schemes []string) (best results.Key, ok bool) {
	least := math.Inf(1)
	for _, name := range schemes {
		other, has := t.sameWorkload(k, name)
		if m, err := t.Median(other, nsPerOp); has && err == nil && m.Median < least {
			best, least, ok = other, m.Median, true
		}
	}
	return best, ok
}

// note adds a cell that was read to the rows, once, with median and interval.
func (t *timings) note(k results.Key, unit string) {
	if m, err := t.Median(k, unit); err == nil {
		t.rows = addOnce(t.rows, fmt.Sprintf("Benchmark%s %d %.4g %s  # median of %d, %.0f %% interval %.4g to %.4g",
			k, m.N, m.Median, unit, m.N, 100*results.Confidence, m.Lo, m.Hi))
	}
}
