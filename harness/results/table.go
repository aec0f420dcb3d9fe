// Package results holds measured rows: it writes and reads raw files in the Go benchmark format, names cells, and
// returns medians, intervals and ratios of what the files hold.
//
// A Result is a line, which Raw writes. Load reads files into a Table, by Key, unit and round,
// and refuses what must not be pooled.
package results

import (
	"fmt"
	"maps"
	"slices"

	"timerlab/harness/results/units"
)

// Table holds the samples of raw files, and the cells that were not measured.
type Table struct {
	Machine   map[string]string // the keys at the heads of the files; differing values joined by "; "
	Sources   []Source          // the files
	Keys      []Key             // in the order of their first sample
	Missing   []Missing
	OtherText int // lines of the files that were skipped
	rows      map[Key]*row
	streams   map[string]string // hash of the operations, by operation and workload
	exact     map[string]bool   // units whose values must not vary
}

// row is what a table has of a cell.
type row struct {
	cell    Cell
	full    Key                        // with Pkg and Procs, which the cell's key may lack
	source  int                        // the index of the latest of Sources that has the cell
	samples map[string]map[int]float64 // by unit and round, which are unique over all files; nil: a run failed
}

func newTable() *Table {
	return &Table{
		Machine: map[string]string{}, rows: map[Key]*row{}, streams: map[string]string{}, exact: map[string]bool{},
	}
}

// named returns a table whose keys have the package and GOMAXPROCS, or not.
func (t *Table) named(pkg, procs bool) *Table {
	n := *t
	n.Keys, n.rows = nil, make(map[Key]*row, len(t.rows))
	for _, k := range t.Keys {
		r := *t.rows[k]
		k = r.full
		if !pkg {
			k.Pkg = ""
		}
		if !procs {
			k.Procs = ""
		}
		r.cell.Key, n.Keys, n.rows[k] = k, append(n.Keys, k), &r
	}
	return &n
}

// origins returns the packages and the numbers of GOMAXPROCS of a table's results; "" is not known.
func (t *Table) origins() (pkgs, procs []string) {
	for _, r := range t.rows {
		pkgs, procs = append(pkgs, r.full.Pkg), append(procs, r.full.Procs)
	}
	slices.Sort(pkgs)
	slices.Sort(procs)
	return slices.Compact(pkgs), slices.Compact(procs)
}

// Align returns two tables in which equal keys are of the same cell. Keys have the package if a table has several, or
// each has one and they differ. Keys have GOMAXPROCS only if a table has several: tables with one each have the same
// cells, since counts are equal on any number of processors; Procs is for times.
func Align(base, now *Table) (*Table, *Table) {
	pkgs, procs := base.origins()
	newPkgs, newProcs := now.origins()
	one := len(pkgs) == 1 && len(newPkgs) == 1
	byPkg := !one || pkgs[0] != newPkgs[0] && pkgs[0] != "" && newPkgs[0] != ""
	byProcs := len(procs) > 1 || len(newProcs) > 1
	return base.named(byPkg, byProcs), now.named(byPkg, byProcs)
}

// Procs returns the GOMAXPROCS of a cell that go test measured; "" of others, whose files have it in their heads.
func (t *Table) Procs(k Key) string {
	if r := t.rows[k]; r != nil {
		return r.full.Procs
	}
	return ""
}

// samples returns the values of a cell by unit and round; nil if there are none.
func (t *Table) samples(k Key) map[string]map[int]float64 {
	if r := t.rows[k]; r != nil {
		return r.samples
	}
	return nil
}

// Source is one raw file, the command that measured it, and the code that it measured.
type Source struct {
	Path    string
	Args    []string // of the command, as of the latest addition; nil: not known
	Command string   // the arguments as one types them
	code    string   // in the format of Code.String; "": not recorded

	rounds, begun int      // that the command makes, 0 if that is not known; that it has begun
	finished      bool     // the command ended in good order
	size          int      // in bytes, of what LoadUnfinished read
	lines         []string // of results
	pairs         map[[2]string]bool
}

// Cell returns a key of the table with its values parsed. For names of ours they are valid; of other
// benchmarks, values that do not parse are zero.
func (t *Table) Cell(k Key) Cell {
	if r := t.rows[k]; r != nil {
		return r.cell
	}
	c, _ := k.Cell()
	return c
}

// Measured reports whether a cell has a sample.
func (t *Table) Measured(k Key) bool { return t.samples(k) != nil }

// Missing is a cell without a time. Its key names its own operation or, if one run times several operations, the run
// (units.RunOf).
type Missing struct {
	Key  Key
	Why  Reason
	Fail bool // a run with a wrong outcome, not a cell skipped
}

// Reason says why a cell has no time.
type Reason struct {
	Kind ReasonKind // of a cell that was skipped; "" of a wrong outcome
	Text string     // for people, with the numbers of the cell
}

// ReasonKind is a word by which pages group skipped cells.
type ReasonKind string

// Reasons for skipping a cell.
const (
	OutOfRange  ReasonKind = "range"   // intervals are beyond the range of the scheme
	TooSlow     ReasonKind = "slow"    // a run takes longer than its limit
	TooLarge    ReasonKind = "large"   // the scheme or the workload takes more memory than its limit
	NothingEnds ReasonKind = "nothing" // no timer ends within the run
	BadConfig   ReasonKind = "config"  // the scheme refuses its sizes
)

// MissingOf returns why a cell has no time, if so: in any round, a wrong outcome rather than a skipped run.
func (t *Table) MissingOf(k Key) (why Missing, ok bool) {
	run := k
	run.Op = units.RunOf(k.Op)
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

// Samples returns the values of a cell in one unit, as written, in the order of rounds; nil if there are none.
func (t *Table) Samples(k Key, unit string) []float64 { return inOrder(t.samples(k)[unit]) }

// ByRound returns the values of a cell in one unit, keyed by round, which the caller must
// not change. Rounds are unique over all files.
func (t *Table) ByRound(k Key, unit string) map[int]float64 { return t.samples(k)[unit] }

// Count returns a count per operation of a cell, which is the same in every round, or 0 if the cell was measured but
// counted none. The error is ErrNoSamples if the cell was not measured.
func (t *Table) Count(k Key, unit string) (float64, error) {
	if !t.Measured(k) {
		return 0, ErrNoSamples
	}
	for _, count := range t.samples(k)[unit] {
		return count, nil
	}
	return 0, nil
}

// Exact reports whether values of a unit do not vary between runs of the same code.
func (t *Table) Exact(unit string) bool {
	return t.exact[unit] || slices.Contains(units.ExactUnits, unit)
}

// Units returns the units in which a cell has samples, in alphabetical order.
func (t *Table) Units(k Key) []string { return slices.Sorted(maps.Keys(t.samples(k))) }

// OtherStreams returns the workloads of which two tables were measured on other
// operations: by another seed, of another length, or made by other code.
func (t *Table) OtherStreams(o *Table) map[string]bool {
	workloads := map[string]bool{}
	for workload, hash := range t.streams {
		if other, ok := o.streams[workload]; ok && other != hash {
			workloads[workload] = true
		}
	}
	return workloads
}

// OtherStream reports whether the table has a workload's operations, and with another hash.
func (t *Table) OtherStream(workload string, hash uint64) bool {
	known, ok := t.streams[workload]
	return ok && known != fmt.Sprintf("%016x", hash)
}

// CompareCounts calls each with every exact count of the cells that two tables have on the same operations. With one
// code such counts are equal, whatever the machine.
func (t *Table) CompareCounts(o *Table, each func(k Key, unit string, of, other float64)) {
	others := t.OtherStreams(o)
	for _, k := range t.Keys {
		if !o.Measured(k) || others[k.Stream()] {
			continue
		}
		for _, unit := range slices.Compact(slices.Sorted(slices.Values(append(t.Units(k), o.Units(k)...)))) {
			if t.Exact(unit) || o.Exact(unit) {
				of, _ := t.Count(k, unit)
				other, _ := o.Count(k, unit)
				each(k, unit, of, other)
			}
		}
	}
}
