package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchproc"

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

// kinds lists them all.
var kinds = []Kind{Changed, Slower, Missing, Unreliable}

// Verdict is the result of a gate.
type Verdict struct {
	Cells, Counts, Sizes, Times int // compared
	Faults                      []Fault
	Added                       []string // cells that the base does not have
}

// OK reports whether the gate is passed.
func (v *Verdict) OK() bool { return len(v.Faults) == 0 }

// Of returns the faults of one kind.
func (v *Verdict) Of(kind Kind) []Fault {
	return slices.DeleteFunc(slices.Clone(v.Faults), func(f Fault) bool { return f.Kind != kind })
}

func (v *Verdict) add(f Fault) { v.Faults = append(v.Faults, f) }

// Check compares a table with a base: exact counts, bytes and allocations in both
// directions, and times if the gate says so. A cell that the base has must be there.
func Check(base, now *results.Table, gate Gate) (*Verdict, error) {
	filter, err := NewFilter(gate.Filter)
	if err != nil {
		return nil, err
	}
	c := checking{base: base, now: now, gate: gate}
	c.basis()
	for _, k := range base.Keys {
		if units, selected := c.units(filter, k); selected {
			c.cell(k, units)
		}
	}
	for _, k := range now.Keys {
		if _, selected := c.units(filter, k); selected && !slices.Contains(base.Keys, k) {
			c.Added = append(c.Added, k.String())
		}
	}
	if c.Cells+len(c.Faults) == 0 {
		return nil, &QueryError{"filter", gate.Filter, "no cell of the base matches"}
	}
	return &c.Verdict, nil
}

// checking compares a table with a base, cell by cell.
type checking struct {
	base, now *results.Table
	gate      Gate
	Verdict
}

// basis adds what is wrong with the tables as a whole. If their times cannot be compared, none is.
func (c *checking) basis() {
	for _, workload := range c.base.OtherStreams(c.now) {
		c.add(Fault{Cell: workload, Kind: Unreliable,
			Why: "measured on other operations: by another seed, of another length, or made by other code"})
	}
	if c.gate.Time > 0 {
		if why := c.otherTimes(); why != "" {
			c.add(Fault{Unit: results.NsPerOp, Kind: Unreliable, Why: why})
			c.gate.Time = 0
		}
	}
	c.wrong(c.base, "in the base")
	c.wrong(c.now, "here")
}

// wrong adds the runs with a wrong outcome. Whatever a filter selects, results with such
// runs are no base and pass no gate.
func (c *checking) wrong(t *results.Table, where string) {
	for _, m := range t.Missing {
		if m.Fail {
			c.add(Fault{Cell: m.Key.String(), Kind: Missing, Why: "wrong outcome " + where + ": " + m.Why})
		}
	}
}

// units reports whether a filter selects a cell in either table, and which of its units.
func (c *checking) units(filter *benchproc.Filter, k results.Key) (all []string, selected bool) {
	for _, t := range []*results.Table{c.base, c.now} {
		units, ok := selects(filter, t, k)
		if !ok {
			continue
		}
		selected = true
		for _, unit := range units {
			all = appendNew(all, unit)
		}
	}
	return all, selected
}

// cell compares a cell of the base.
func (c *checking) cell(k results.Key, units []string) {
	if !slices.Contains(c.now.Keys, k) {
		why, _ := c.now.MissingOf(k)
		c.add(Fault{Cell: k.String(), Kind: Missing, Why: cmp.Or(why.Why, "not measured")})
		return
	}
	c.Cells++
	for _, unit := range units {
		switch {
		case c.exact(unit):
			c.count(k, unit)
		case isSize(unit):
			c.size(k, unit)
		case unit == results.NsPerOp:
			c.time(k)
		}
	}
}

func (c *checking) exact(unit string) bool { return c.base.Exact(unit) || c.now.Exact(unit) }

// counts compares the exact counts of a cell that both tables have.
func (c *checking) counts(k results.Key) {
	units := append(c.base.Units(k), c.now.Units(k)...)
	slices.Sort(units)
	for _, unit := range slices.Compact(units) {
		if c.exact(unit) {
			c.count(k, unit)
		}
	}
}

// count compares what is exact. A line omits counts of 0.
func (c *checking) count(k results.Key, unit string) {
	c.Counts++
	was, _ := c.base.Count(k, unit)
	is, _ := c.now.Count(k, unit)
	if was != is {
		c.add(Fault{k.String(), unit, exactly(was), exactly(is), Changed, "counts are exact"})
	}
}

func exactly(v float64) results.Estimate { return results.Estimate{Median: v, Lo: v, Hi: v, N: 1} }

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

// size compares medians of bytes or allocations, where the base has them.
func (c *checking) size(k results.Key, unit string) {
	was, err := c.base.Median(k, unit)
	if err != nil {
		return
	}
	c.Sizes++
	is, err := c.now.Median(k, unit)
	switch {
	case err != nil:
		c.add(Fault{k.String(), unit, was, is, Missing, "not measured"})
	case sizeChanged(c.base.Samples(k, unit), was.Median, is.Median, slackOf(k, unit)):
		c.add(Fault{k.String(), unit, was, is, Changed, fmt.Sprintf("more than %s, and outside the base's rounds",
			results.FormatPercent(sizeTolerance))})
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
