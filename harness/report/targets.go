package report

import (
	"cmp"
	"slices"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// Target is a bound that was set before anything was measured. The median decides.
type Target struct {
	What     string
	Bound    float64
	Least    bool   // the bound is the least, not the most
	Asked    string // the bound in words; "" means the relation and Show(Bound)
	Show     func(float64) string
	Value    func(*results.Table) (results.Estimate, error)
	Measured results.Estimate // by Judge
}

// Targets are targets that were judged.
type Targets []Target

// Judge returns the targets whose values were measured.
func Judge(t *results.Table, targets []Target) (judged Targets) {
	for _, one := range targets {
		if e, err := one.Value(t); err == nil {
			one.Measured = e
			judged = append(judged, one)
		}
	}
	return judged
}

// Met reports whether what was measured is within the bound.
func (t Target) Met() bool {
	return t.Measured.Median == t.Bound || t.Least == (t.Measured.Median > t.Bound)
}

// Table returns a row for each target.
func (all Targets) Table() *Table {
	out := NewTable("target", "bound", "measured", "verdict")
	for _, t := range all {
		relation, verdict := map[bool]string{true: "≥ ", false: "≤ "}[t.Least], Cell{Text: "met"}
		if !t.Met() {
			verdict = Cell{Text: "missed", Best: true} // bold
		}
		out.Add(t.What, cmp.Or(t.Asked, relation+t.Show(t.Bound)), Interval(t.Measured, t.Show), verdict)
	}
	return out
}

// CellList lists the values of the cells that are included, and those cells that have none. A nil include means all. How a
// sample was made is no value.
func CellList(name string, t *results.Table, include func(results.Key) bool) List {
	table := NewTable("operation", "subject", "n", "M", "T", "further", "unit", "rounds", "value", "why")
	row := func(k results.Key, more ...any) {
		further := k
		further.Op, further.Service, further.Scheme, further.N, further.Slots, further.T = "", "", "", "", "", ""
		table.Add(append([]any{k.Op, cmp.Or(k.Service, k.Scheme), k.N, k.Slots, k.T, further.String()}, more...)...)
	}
	keys := slices.SortedFunc(slices.Values(t.Keys), func(a, b results.Key) int { return cmp.Compare(a.String(), b.String()) })
	for _, k := range keys {
		for _, unit := range t.Units(k) {
			about := slices.Contains([]string{units.Passes, units.Within, units.WallOverCPU}, unit)
			if e, err := t.Median(k, unit); err == nil && !about && (include == nil || include(k)) {
				row(k, unit, e.N, Cell{Text: units.FormatNumber(e.Median), Value: e}, "")
			}
		}
	}
	for _, m := range t.Missing {
		why := m.Why.Text
		if m.Fail {
			why = "ERROR: " + why
		}
		row(m.Key, "", 0, None(""), why)
	}
	return List{name, phrase("about values", nil), table}
}

// MissingGroup is the cells without a value for one reason.
type MissingGroup struct {
	State, Why, First string
	Cells             int
}

// MissingCells returns why cells have no value: skipped cells by the kind of the reason, wrong cells by its text.
func MissingCells(t *results.Table) (all []MissingGroup) {
	for _, m := range t.Missing {
		one := MissingGroup{State: "skipped", Why: inShort(m.Why), First: m.Key.String(), Cells: 1}
		if m.Fail {
			one.State = "ERROR"
		}
		same := func(o MissingGroup) bool { return o.State == one.State && o.Why == one.Why }
		if i := slices.IndexFunc(all, same); i >= 0 {
			all[i].Cells++
		} else {
			all = append(all, one)
		}
	}
	return all
}
