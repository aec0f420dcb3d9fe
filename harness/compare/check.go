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
	c := checking{base: base, now: now, grid: g, timed: gate.timing(base, now), Verdict: &Verdict{}}
	c.basis()
	for _, k := range base.Keys {
		if units, selected := c.units(k); selected {
			c.cell(k, units)
		}
	}
	for _, k := range now.Keys {
		if _, selected := c.units(k); selected && !slices.Contains(base.Keys, k) {
			c.Added = append(c.Added, k.String())
		}
	}
	if c.Cells+len(c.Faults) == 0 {
		return nil, &QueryError{"filter", gate.Filter, "no cell of the base matches"}
	}
	return c.Verdict, nil
}

// checking is a check under way.
type checking struct {
	base, now *results.Table
	grid      *grid
	timed     timing
	*Verdict
}

// basis adds what keeps the tables as a whole from being compared.
func (c *checking) basis() {
	for _, workload := range c.base.OtherStreams(c.now) {
		c.Faults = append(c.Faults, Fault{Cell: workload, Kind: Unreliable,
			Why: "measured on other operations: by another seed, of another length, or made by other code"})
	}
	if c.timed.why != "" {
		c.Faults = append(c.Faults, Fault{Unit: results.NsPerOp, Kind: Unreliable, Why: c.timed.why})
	}
	c.wrong(c.base, "in the base")
	c.wrong(c.now, "here")
}

// wrong adds the runs with a wrong outcome. Whatever a filter selects, results with such
// runs are no base and pass no gate.
func (c *checking) wrong(t *results.Table, where string) {
	for _, m := range t.Missing {
		if m.Fail {
			c.Faults = append(c.Faults, Fault{Cell: m.Key.String(), Kind: Missing,
				Why: "wrong outcome " + where + ": " + m.Why})
		}
	}
}

// units reports whether the filter selects a cell, and which of its units in either table.
// A cell may have none that is a result.
func (c *checking) units(k results.Key) (all []string, selected bool) {
	for _, t := range []*results.Table{c.base, c.now} {
		r := lineOf(File{Table: t}, k)
		if ok, _ := c.grid.filter.Apply(r); ok {
			selected = true
			for _, v := range asWritten(r) {
				all = appendNew(all, v)
			}
		}
	}
	return all, selected
}

// cell compares a cell of the base.
func (c *checking) cell(k results.Key, units []string) {
	if !slices.Contains(c.now.Keys, k) {
		why, _ := c.now.MissingOf(k)
		c.Faults = append(c.Faults, Fault{Cell: k.String(), Kind: Missing, Why: cmp.Or(why.Why, "not measured")})
		return
	}
	c.Cells++
	for _, unit := range units {
		switch {
		case c.base.Exact(unit) || c.now.Exact(unit):
			c.count(c.base, c.now, k, unit)
		case isSize(unit):
			c.size(c.base, c.now, k, unit)
		case unit == results.NsPerOp:
			c.time(c.timed, k)
		}
	}
}

// count compares what is exact. A line omits counts of 0.
func (v *Verdict) count(base, now *results.Table, k results.Key, unit string) {
	v.Counts++
	was, _ := base.Count(k, unit)
	is, _ := now.Count(k, unit)
	if was != is {
		v.Faults = append(v.Faults, Fault{k.String(), unit, exactly(was), exactly(is), Changed, "counts are exact"})
	}
}

func exactly(v float64) results.Estimate { return results.Estimate{Median: v, Lo: v, Hi: v, N: 1} }

// size compares medians of bytes or allocations, where the base has them.
func (v *Verdict) size(base, now *results.Table, k results.Key, unit string) {
	was, err := base.Median(k, unit)
	if err != nil {
		return
	}
	v.Sizes++
	is, err := now.Median(k, unit)
	f := Fault{k.String(), unit, was, is, Changed, ""}
	switch {
	case err != nil:
		f.Kind, f.Why = Missing, "not measured"
	case sizeChanged(base.Samples(k, unit), was.Median, is.Median, slackOf(k, unit)):
		f.Why = fmt.Sprintf("more than %s, and outside the base's rounds", results.FormatPercent(sizeTolerance))
	default:
		return
	}
	v.Faults = append(v.Faults, f)
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
