package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/results"
)

// Gate is what a new table must keep to.
type Gate struct {
	Filter string  // as in Query
	Time   float64 // the share by which a time may grow; 0: times are not checked
}

// Fault is one way in which a table fails a gate.
type Fault struct {
	Cell      string // "": all of them
	Unit      string // "": all of them
	Base, New results.Estimate
	Kind      Kind
	Why       string
}

// Kind is what is wrong.
type Kind string

// Kinds.
const (
	Changed    Kind = "changed"    // a count, or bytes or allocations
	Slower     Kind = "slower"     // a time, by more than noise
	Missing    Kind = "missing"    // a cell of the base
	Unreliable Kind = "not judged" // what cannot be compared
)

// Verdict is the result of a gate.
type Verdict struct {
	Cells, Counts, Sizes, Times int // compared
	Faults                      []Fault
	Added                       []string // cells that the base does not have
}

// kinds lists them all.
var kinds = []Kind{Changed, Slower, Missing, Unreliable}

// How much bytes and allocations may differ.
const (
	sizeTolerance = 0.01 // as a share
	sizeSlack     = 0.01 // rounding: one allocation in a hundred operations
	heapSlack     = 512  // bytes: what the runtime allocates meanwhile
)

// isSize reports whether a unit is of bytes or allocations.
func isSize(unit string) bool {
	return strings.HasPrefix(unit, "B/") || strings.HasPrefix(unit, "allocs/") || strings.HasSuffix(unit, "-B/timer")
}

// Check compares a table with a base: exact counts, bytes and allocations in both
// directions, and times if the gate says so. A cell that the base has must be there.
func Check(base, now *results.Table, gate Gate) (*Verdict, error) {
	g, err := newGrid(Query{Filter: gate.Filter})
	if err != nil {
		return nil, err
	}
	selects := func(t *results.Table, k results.Key) bool {
		ok, _ := g.filter.Match(line(File{Table: t}, k))
		return ok.Any()
	}
	v := &Verdict{}
	for _, workload := range base.OtherStreams(now) {
		v.Faults = append(v.Faults, Fault{Cell: workload, Kind: Unreliable,
			Why: "measured on other operations: by another seed, of another length, or made by other code"})
	}
	timed := gate.timing(base, now)
	if timed.why != "" {
		v.Faults = append(v.Faults, Fault{Unit: results.NsPerOp, Kind: Unreliable, Why: timed.why})
	}
	for _, k := range base.Keys {
		switch {
		case !selects(base, k):
		case !slices.Contains(now.Keys, k):
			why, _ := now.MissingOf(k)
			v.Faults = append(v.Faults, Fault{Cell: k.String(), Kind: Missing, Why: cmp.Or(why.Why, "not measured")})
		default:
			v.Cells++
			v.counts(base, now, k)
			v.sizes(base, now, k)
			v.time(timed, k)
		}
	}
	v.wrong(base, "in the base")
	v.wrong(now, "here")
	for _, k := range now.Keys {
		if selects(now, k) && !slices.Contains(base.Keys, k) {
			v.Added = append(v.Added, k.String())
		}
	}
	if v.Cells+len(v.Faults) == 0 {
		return nil, &QueryError{"filter", gate.Filter, "no cell of the base matches"}
	}
	return v, nil
}

// wrong adds the runs with a wrong outcome that no fault names yet: whatever a filter
// selects, results with such runs are no base and pass no gate.
func (v *Verdict) wrong(t *results.Table, where string) {
	for _, m := range t.Missing {
		named := slices.ContainsFunc(v.Faults, func(f Fault) bool { return f.Kind == Missing && f.Why == m.Why })
		if m.Fail && !named {
			v.Faults = append(v.Faults, Fault{Cell: m.Key.String(), Kind: Missing,
				Why: "wrong outcome " + where + ": " + m.Why})
		}
	}
}

// units returns the units in which either table has samples of a cell.
func units(base, now *results.Table, k results.Key) []string {
	all := append(base.Units(k), now.Units(k)...)
	slices.Sort(all)
	return slices.Compact(all)
}

// counts compares what is exact. A line omits counts of 0.
func (v *Verdict) counts(base, now *results.Table, k results.Key) {
	for _, unit := range units(base, now, k) {
		if !base.Exact(unit) && !now.Exact(unit) {
			continue
		}
		v.Counts++
		was, _ := base.Count(k, unit)
		is, _ := now.Count(k, unit)
		if was != is {
			v.Faults = append(v.Faults, Fault{k.String(), unit, exactly(was), exactly(is), Changed, "counts are exact"})
		}
	}
}

func exactly(v float64) results.Estimate { return results.Estimate{Median: v, Lo: v, Hi: v, N: 1} }

// sizes compares medians of bytes and allocations.
func (v *Verdict) sizes(base, now *results.Table, k results.Key) {
	for _, unit := range units(base, now, k) {
		if !isSize(unit) {
			continue
		}
		v.Sizes++
		was, errWas := base.Median(k, unit)
		is, errIs := now.Median(k, unit)
		f := Fault{k.String(), unit, was, is, Changed, ""}
		switch {
		case errWas != nil:
			v.Sizes-- // the base has none to compare with
			continue
		case errIs != nil:
			f.Kind, f.Why = Missing, "not measured"
		case sizeChanged(base.Samples(k, unit), was.Median, is.Median, slackOf(k, unit)):
			f.Why = fmt.Sprintf("more than %s, and outside the base's rounds", results.FormatPercent(sizeTolerance))
		default:
			continue
		}
		v.Faults = append(v.Faults, f)
	}
}

// sizeChanged reports whether a median differs from the base's by more than the tolerance
// and the slack, and is outside the range of the base's rounds.
func sizeChanged(base []float64, was, is, slack float64) bool {
	return math.Abs(is-was) > max(sizeTolerance*math.Abs(was), slack) &&
		(is < slices.Min(base) || is > slices.Max(base))
}

// slackOf returns by how much a size may differ however small it is.
func slackOf(k results.Key, unit string) float64 {
	n, err := results.ParseCount(k.N)
	if err == nil && n > 0 && strings.HasSuffix(unit, "B/timer") {
		return heapSlack / float64(n)
	}
	return sizeSlack
}
