package compare

import (
	"cmp"
	"fmt"
	"strings"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

// Page lists the faults, and the cells that the base does not have.
func (v *Verdict) Page(made string, sources ...results.Source) *report.Page {
	p := &report.Page{Title: "Check", Findings: v.findings(), Made: made, Sources: sources}
	added := report.NewTable("cell")
	for _, cell := range v.Added {
		added.Add(cell)
	}
	p.Add(
		report.Section{Title: "Checked", Tables: []*report.Table{v.checked()}},
		report.Section{Title: "Faults", Tables: []*report.Table{v.table()}},
		report.Section{Title: "Cells that the base does not have", Tables: []*report.Table{added}, Long: true})
	return p
}

func (v *Verdict) findings() string {
	text := "Passed."
	if !v.OK() {
		text = "Failed: " + v.summary() + "."
	}
	if len(v.Added) > 0 {
		text += fmt.Sprintf(" Not checked, as the base does not have them: %d.", len(v.Added))
	}
	return text
}

// summary counts the faults by kind: "1 slower, 2 missing".
func (v *Verdict) summary() string {
	var all []string
	for _, kind := range kinds {
		if n := len(v.Of(kind)); n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, kind))
		}
	}
	return strings.Join(all, ", ")
}

// checked has a row for each kind of value.
func (v *Verdict) checked() *report.Table {
	t := report.NewTable("values", "compared")
	t.Add("cells", v.Cells)
	t.Add("counts", v.Counts)
	t.Add("bytes and allocations", v.Sizes)
	t.Add("times", v.Times)
	return t
}

func (v *Verdict) table() *report.Table {
	t := report.NewTable("fault", "cell", "unit", "base", "new", "reason")
	for _, f := range v.Faults {
		t.Add(string(f.Kind), cmp.Or(f.Cell, "all"), cmp.Or(f.Unit, "all"), f.value(f.Base), f.value(f.New), f.Why)
	}
	return t
}

// value is a cell of a median, in full if it must be equal.
func (f Fault) value(e results.Estimate) report.Cell {
	if e.N == 0 {
		return report.None("")
	}
	return medianCell(e, f.Unit, f.Kind == Changed)
}
