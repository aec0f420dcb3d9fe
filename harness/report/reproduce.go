package report

import (
	"fmt"

	"timerlab/harness/reproduce"
	"timerlab/harness/results/units"
)

// reproducePage is what reproduce.tmpl shows.
type reproducePage struct {
	*reproduce.Reproduction
	Differing int // counts
	Shares    []string
	Rows      *Table
}

// ReproductionPage is the finding and a table with a row for each kind of values. The cells whose intervals are apart
// are a list.
func ReproductionPage(r *reproduce.Reproduction, made string) *Page {
	percent := func(share float64) Cell { return Cell{Text: units.FormatPercent(share), Value: share} }
	ratio := func(v float64) Cell { return Cell{Text: units.FormatRatio(v), Value: v} }
	data := reproducePage{Reproduction: r, Differing: r.Counts - r.Same, Rows: NewTable("value", "cells",
		"second median in first interval", "expected", "second / first", "intervals apart")}
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
