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
	rows := NewTable("property", "found", "limit", "verdict", "advice")
	var fails []string
	for _, p := range d {
		found, limit := units.FormatPercent(p.Share), "≤ "+units.FormatPercent(p.Limit)
		if p.Met() {
			rows.Add(p.Name, found, limit, "met", "")
			continue
		}
		fails = append(fails, fmt.Sprintf("%s: %s (%s)", p.Name, found, limit))
		rows.Add(p.Name, found, limit, Cell{Text: "fails", Best: true}, p.Advice) // bold
	}
	advice := ""
	if governor != "performance" && governor != "unknown" {
		advice = "set it to performance while measuring"
	}
	rows.Add("frequency governor", governor, "-", "-", advice)
	rows.Add("steal time, of all processors", steal, "-", "-", "")
	data := map[string]any{"On": gate.VerdictOn, "Fails": fails, "Rows": rows}
	return NewPage("Doctor", fileTemplate("doctor.tmpl"), data, made)
}

// reproducePage is what reproduce.tmpl shows.
type reproducePage struct {
	*reproduce.Reproduction
	Shares []string
	Rows   *Table
}

// ReproductionPage is the finding and a table with a row for each kind of values. The cells whose intervals are apart
// are a list.
func ReproductionPage(r *reproduce.Reproduction, made string) *Page {
	percent, ratio := showing(units.FormatPercent), showing(units.FormatRatio)
	data := reproducePage{Reproduction: r, Rows: NewTable("value", "cells", "second median in first interval", "expected",
		"second / first", "intervals apart")}
	differ := NewTable("value", "cell", "first", "second", "second over first")
	for _, a := range r.Agreements {
		share := float64(a.Inside) / float64(a.Cells)
		data.Shares = append(data.Shares, fmt.Sprintf("%s of %d %s", units.FormatPercent(share), a.Cells, a.Value))
		data.Rows.Add(a.Value, a.Cells, percent(share), percent(a.Expected), ratio(a.Factor), len(a.Apart))
		for _, p := range a.Apart {
			differ.Add(a.Value, p.Cell, Interval(p.First, units.FormatNumber),
				Interval(p.Second, units.FormatNumber), ratio(p.Ratio()))
		}
	}
	p := NewPage("A second run", fileTemplate("reproduce.tmpl"), data, made, r.Sources...)
	p.Warnings = incomplete(r.Incomplete)
	p.Lists = []List{{Name: "differ", Table: differ, About: "Cells whose 95 % intervals in two runs do not overlap, " +
		"furthest first for each kind of value. first, second: medians, of ns/op or of ratios by round, with the low and " +
		"high ends of their intervals."}}
	return p
}
