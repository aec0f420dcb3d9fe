package report

import (
	"cmp"
	"fmt"

	"timerlab/harness/gate"
	"timerlab/harness/reproduce"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// CheckPage says what was compared and lists the faults, and the cells that the base does not have.
func CheckPage(r *gate.Result, made string, sources ...results.Source) *Page {
	rows, kinds := NewTable("fault", "cell", "unit", "base", "new", "reason"), map[gate.FaultKind]int{}
	for _, f := range r.Faults {
		kinds[f.Kind]++
		rows.Add(string(f.Kind), cmp.Or(f.Cell, "all"), cmp.Or(f.Unit, "all"), faultCell(f, f.Base), faultCell(f, f.New), f.Why)
	}
	data := map[string]any{"Result": r, "Kinds": kinds, "Rows": rows}
	return NewPage("Check", fileTemplate("check.tmpl"), data, made, sources...)
}

// faultCell is the cell of a fault's median: in full if it must be equal.
func faultCell(f gate.Fault, e results.Estimate) Cell {
	switch {
	case e.N == 0:
		return None("")
	case f.Kind == gate.Changed:
		return Cell{Text: fmt.Sprint(e.Median), Value: e.Median}
	case f.Unit == units.NsPerOp:
		return Interval(e, units.FormatNanos)
	}
	return Interval(e, units.FormatNumber)
}

// DoctorPage lists what a machine was judged by. The governor of the frequency, and the share of time that a hypervisor
// gave to others, fail no machine: what they do shows in the runs.
func DoctorPage(d gate.Diagnosis, governor, steal, made string) *Page {
	data := map[string]any{"On": gate.VerdictOn, "Most": gate.MostRounds, "Diagnosis": d, "Governor": governor, "Steal": steal}
	return NewPage("Doctor", fileTemplate("doctor.tmpl"), data, made)
}

// ReproductionPage is the finding and a table with a row for each kind of values. The cells whose intervals are apart
// are a list.
func ReproductionPage(r *reproduce.Reproduction, made string) *Page {
	differ := NewTable("value", "cell", "first", "second", "second over first")
	for _, a := range r.Agreements {
		for _, p := range a.Apart {
			differ.Add(a.Value, p.Cell, Interval(p.First, units.FormatNumber),
				Interval(p.Second, units.FormatNumber), showing(units.FormatRatio)(p.Ratio()))
		}
	}
	p := NewPage("A second run", fileTemplate("reproduce.tmpl"), r, made, r.Sources...)
	p.Warnings = incomplete(r.Incomplete)
	p.Lists = []List{{"differ", phrase("about differ", nil), differ}}
	return p
}
