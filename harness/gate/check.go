// Package gate answers two questions about raw files: did a change of the code change the results (Check), and can this
// machine measure a change of 10 % (Diagnose)?
//
//	r, err := gate.Check(base, now, 0.1)
//	if err == nil && !r.OK() {
//		fmt.Println(r.Faults) // 1 changed: 2 links/op in the base, 2.1 now
//	}
//
// Exact counts are the same on every machine, so any difference of counts is a change of the algorithm. Times are
// compared only between runs on one machine, by Student's t: ranks of six rounds could reject nothing among more than
// some twenty cells. Instructions are compared where processor, Go and architecture agree.
package gate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// Fault is one way in which a table fails a gate.
type Fault struct {
	Kind      FaultKind
	Cell      string // "": all of them
	Unit      string // "": all of them
	Base, New results.Estimate
	Why       string
}

// FaultKind is what is wrong.
type FaultKind string

// Kinds of faults.
const (
	Changed    FaultKind = "changed"    // a count, or instructions
	Slower     FaultKind = "slower"     // a time, by more than is allowed
	Absent     FaultKind = "missing"    // a cell or a unit of the base
	Incomplete FaultKind = "incomplete" // a file, of an interrupted run
	NotJudged  FaultKind = "not judged" // what cannot be compared
)

// Result is what a check found.
type Result struct {
	Cells, Counts, Times int // compared
	Faults               []Fault
	Added                []string // cells that the base does not have
	OtherText            int      // lines of the files that were skipped
	Instructions         int      // compared
	OtherProcessor       string   // why no instructions are compared; "": all are
}

// OK reports whether the gate is passed.
func (r *Result) OK() bool { return len(r.Faults) == 0 }

// ErrNothing is the error of a check without anything to compare, which is no pass.
var ErrNothing = errors.New("nothing to check")

// Check compares a table with a base: exact counts in both directions and, unless it is 0, times, which may grow by a
// share. A cell of the base must be there. Cells that were measured on other operations, as with another seed, are not
// compared, and fail. Files of an interrupted run fail too, as do results with wrong outcomes, in the base as well.
func Check(base, now *results.Table, share float64) (*Result, error) {
	base, now = results.Align(base, now)
	c := &checking{base: base, now: now, share: share}
	if why := incomparable(base, now, share); share > 0 && why != "" {
		c.add(Fault{Kind: NotJudged, Unit: units.NsPerOp, Why: why})
		c.share = 0
	}
	for i, t := range []*results.Table{base, now} {
		where := []string{"in the base", "here"}[i]
		for _, why := range t.Incomplete() {
			c.add(Fault{Kind: Incomplete, Why: where + ": " + why})
		}
		for _, m := range t.Missing {
			if m.Fail {
				c.add(Fault{Kind: Absent, Cell: m.Key.String(), Why: "wrong outcome " + where + ": " + m.Why.Text})
			}
		}
		c.OtherText += t.OtherText
	}
	base.CompareCounts(now, func(k results.Key, unit string, was, is float64) { // a line omits counts of 0
		if c.Counts++; was != is {
			c.add(Fault{Changed, k.String(), unit, results.Estimate{Median: was, N: 1}, results.Estimate{Median: is, N: 1},
				"counts are exact"})
		}
	})
	others, cells := base.OtherStreams(now), map[string]int{}
	for _, k := range base.Keys {
		switch {
		case !now.Measured(k):
			why, _ := now.MissingOf(k)
			c.add(Fault{Cell: k.String(), Kind: Absent, Why: cmp.Or(why.Why.Text, "not measured")})
		case others[k.Stream()]: // whose counts differ without any change of the code
			cells[k.Stream()]++
		default:
			c.Cells++
			c.time(k)
			c.instructions(k)
		}
	}
	c.slower()
	for _, workload := range slices.Sorted(maps.Keys(cells)) {
		c.add(Fault{Kind: NotJudged, Cell: workload, Why: fmt.Sprintf("measured on other operations (another seed, "+
			"length or generator); cells not compared: %d", cells[workload])})
	}
	for _, k := range now.Keys {
		if !base.Measured(k) {
			c.Added = append(c.Added, k.String())
		}
	}
	if c.OK() && c.Counts+c.Times+c.Instructions == 0 && c.OtherProcessor == "" {
		return nil, fmt.Errorf("%w: no exact count in both files", ErrNothing)
	}
	return &c.Result, nil
}

type checking struct {
	base, now *results.Table
	share     float64   // by which a time may grow; 0: times are not compared
	timed     []Fault   // cells whose times are compared, as the faults that they are if p is small
	p         []float64 // of them, that they have not grown by more than the share
	Result
}

func (c *checking) add(f Fault) { c.Faults = append(c.Faults, f) }

// alpha is the chance that any time of two files of equal code is called slower.
const alpha = 0.05

// machineKeys are the keys of a file's head without which times are not comparable.
var machineKeys = []string{"goos", "goarch", "cpu", "cpuid", "cores", "gomaxprocs", "caches", "governor", "thp", "go"}

// emulatedKeys are the keys of a file's head without which instructions are not comparable.
var emulatedKeys = []string{"goarch", "cpu", "go"}

// differ returns the first of the keys that differs, in words, or "".
func differ(base, now *results.Table, keys []string) string {
	for _, key := range keys {
		if was, is := base.Machine[key], now.Machine[key]; was != is {
			const unknown = "not recorded"
			return fmt.Sprintf("%s is %s in the base and %s here", key, cmp.Or(was, unknown), cmp.Or(is, unknown))
		}
	}
	return ""
}

// incomparable returns why no time of two tables can be compared, or "": another machine, or one at another speed. In
// the fixed loop no scheme takes part, so if it took longer, so did everything else, A/A pairs alike.
func incomparable(base, now *results.Table, share float64) string {
	if why := differ(base, now, machineKeys); why != "" {
		return why
	}
	for _, k := range base.Keys {
		if was, is := base.Procs(k), now.Procs(k); was != "" && is != "" && was != is {
			return fmt.Sprintf("GOMAXPROCS is %s in the base and %s here", was, is)
		}
		if k.Op != units.SpinName {
			continue
		}
		was, errWas := base.Median(k, units.NsPerOp)
		is, errIs := now.Median(k, units.NsPerOp)
		if errWas == nil && errIs == nil && max(was.Median/is.Median, is.Median/was.Median) > 1+share {
			return fmt.Sprintf("the machine was not as fast: an iteration of a fixed loop took %s in the base and %s here",
				units.FormatNanos(was.Median), units.FormatNanos(is.Median))
		}
	}
	return ""
}

// isControl reports whether a cell is of the machine, or of a subject that is measured only for comparison.
func isControl(k results.Key) bool {
	name := k.Scheme + k.Service
	_, control := k.Control()
	return k.Op == units.SpinName || control || name == drive.Null.Name || name == units.Lean
}

// time compares the time of a cell that is of a subject. What cannot be judged is a fault.
func (c *checking) time(k results.Key) {
	was, is := c.base.Samples(k, units.NsPerOp), c.now.Samples(k, units.NsPerOp)
	if c.share == 0 || len(was) == 0 || isControl(k) {
		return
	}
	f := Fault{Cell: k.String(), Unit: units.NsPerOp, Base: results.Summarize(was), New: results.Summarize(is)}
	switch {
	case len(is) == 0:
		f.Kind, f.Why = Absent, "not measured"
	case min(len(was), len(is)) < results.LeastRounds:
		f.Kind, f.Why = NotJudged, fmt.Sprintf("%d and %d rounds (a time needs %d)", len(was), len(is), results.LeastRounds)
	default:
		c.Times++
		growth := stat.GeometricMean(is, nil)/stat.GeometricMean(was, nil) - 1 // the one that Welch judges
		f.Kind, f.Why = Slower, "the geometric mean grew by "+units.FormatPercent(growth)
		c.timed, c.p = append(c.timed, f), append(c.p, results.Welch(is, was, 1+c.share))
		return
	}
	c.add(f)
}

// instructions compares the instructions of a cell, in both directions.
func (c *checking) instructions(k results.Key) {
	// Runs of one code differ by less than 0.05 %, and a single instruction more is 1 % or more of most operations.
	const allowed = 0.005
	was, err := c.base.Median(k, units.InstrPerOp)
	if err != nil {
		return
	}
	if c.OtherProcessor = differ(c.base, c.now, emulatedKeys); c.OtherProcessor != "" {
		return
	}
	is, err := c.now.Median(k, units.InstrPerOp)
	f := Fault{Absent, k.String(), units.InstrPerOp, was, is, "not counted"}
	switch share := is.Median/was.Median - 1; {
	case err != nil:
		c.add(f)
	case math.Abs(share) > allowed:
		f.Kind, f.Why = Changed, fmt.Sprintf("by %+.2f %%; equal code differs by less than %v %%", 100*share, 100*allowed)
		c.add(f)
		fallthrough
	default:
		c.Instructions++
	}
}

// slower adds the times that have grown by more than the share, with Holm's correction for their number.
func (c *checking) slower() {
	for i, p := range results.Holm(c.p) {
		if f := c.timed[i]; p < alpha {
			f.Why += fmt.Sprintf("; %s are allowed, p = %.2g of %s", units.FormatPercent(c.share), p, units.Plural(c.Times, "time"))
			c.add(f)
		}
	}
}
