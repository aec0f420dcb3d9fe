package compare

import (
	"fmt"
	"strings"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

// RankPage returns rankings as a page with a table for each operation.
func RankPage(all []Ranking, unit, made string, sources []results.Source) *report.Page {
	p := &report.Page{
		Title: "Ranking by " + unit, Made: made, Sources: sources,
		Findings: "The geometric mean of the ratios to the best of each cell, over the cells that all subjects " +
			"have. 1 is the best of every cell. Intervals are of other rounds on the same cells: a bootstrap of " +
			"rounds with a fixed seed.",
	}
	for _, r := range all {
		p.Add(report.Section{Title: r.Op, Text: r.text(), Tables: []*report.Table{r.table()}})
	}
	return p
}

func (r Ranking) text() string {
	if r.Cells > 0 {
		return fmt.Sprintf("Cells that all %d subjects have: %d.", len(r.Rows), r.Cells)
	}
	var names []string
	for _, row := range r.Rows {
		names = append(names, row.Subject)
	}
	return fmt.Sprintf("Not ranked: no cell has all of %s. Select subjects that share cells.",
		strings.Join(names, "; "))
}

func (r Ranking) table() *report.Table {
	t := report.NewTable("subject", "vs best", "best in", "cells ranked", "cells measured")
	for i, row := range r.Rows {
		mean := report.None("")
		if r.Cells > 0 {
			mean = report.Interval(row.Mean, results.FormatRatio)
			mean.Best = i == 0 || row.Mean.Bounded() && row.Mean.Lo <= r.Rows[0].Mean.Hi
		}
		t.Add(row.Subject, mean, row.Best, r.Cells, row.Has)
	}
	return t
}

// sourcesOf returns the raw files of several tables.
func sourcesOf(files []File) (all []results.Source) {
	for _, f := range files {
		all = append(all, f.Table.Sources...)
	}
	return all
}
