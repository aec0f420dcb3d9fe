package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"timerlab/harness/claims"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

// Ranking orders the subjects of one operation by the geometric mean of their ratios to
// the best of each cell, over the cells that all of them have.
type Ranking struct {
	Op    string
	Cells int // that all subjects have; 0: there is no ranking
	Rows  []Ranked
}

// Ranked is one subject of a ranking.
type Ranked struct {
	Subject string
	Mean    results.Estimate // the geometric mean; its interval is of other rounds on the same cells
	Best    int              // cells in which it is the best
	Has     int              // cells that it has, of those that any subject has
}

// operation holds what was measured of one operation: the samples of each subject in each cell.
type operation struct {
	op       string
	table    *results.Table
	unit     string
	subjects []string
	cells    []results.Key
	keys     map[entry]results.Key
}

type entry struct {
	subject string
	cell    results.Key // without what names the subject
}

// Rank ranks the subjects of each operation that a filter selects, by one unit of which
// less is better. Operations are never pooled: a start and a tick are different things.
// Controls, lower bounds and cells for claims alone are left out.
func Rank(t *results.Table, filter, unit string) ([]Ranking, error) {
	f, err := NewFilter(filter)
	if err != nil {
		return nil, err
	}
	var keys []results.Key
	for _, k := range t.Keys {
		_, selected := selects(f, t, k)
		if selected && len(t.Samples(k, unit)) > 0 && !isControl(k) && !claims.Own(k) {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return nil, &QueryError{"filter", filter, "no cell matches that has a value in " + unit}
	}
	var all []Ranking
	for _, o := range operations(t, unit, keys) {
		r, err := o.ranking()
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// isControl reports whether a cell is of no subject, or of one that is measured only for
// comparison.
func isControl(k results.Key) bool {
	name := k.Scheme + k.Facility
	_, twin := k.Twin()
	return name == "" || twin || name == results.NullScheme || slices.Contains(report.LowerBounds, name)
}

// operations sorts cells by operation, in the order of their first cells.
func operations(t *results.Table, unit string, keys []results.Key) (all []*operation) {
	for _, k := range keys {
		i := slices.IndexFunc(all, func(o *operation) bool { return o.op == k.Op })
		if i < 0 {
			i = len(all)
			all = append(all, &operation{op: k.Op, table: t, unit: unit, keys: map[entry]results.Key{}})
		}
		o := all[i]
		e := splitKey(k, slices.ContainsFunc(keys, func(o results.Key) bool { return o.Op == k.Op && o.Slots == "" }))
		o.subjects, o.cells = appendNew(o.subjects, e.subject), appendNew(o.cells, e.cell)
		o.keys[e] = k
	}
	return all
}

// splitKey parts a cell's name into its subject and the conditions. Levels belong to the
// subject, as only some schemes have them; so does M where some subjects have none.
func splitKey(k results.Key, slotless bool) entry {
	e := entry{k.Scheme + k.Facility, k}
	e.cell.Scheme, e.cell.Facility, e.cell.Levels = "", "", ""
	if k.Levels != "" {
		e.subject += fmt.Sprintf(", m = %d", 1+strings.Count(k.Levels, "x"))
	}
	if slotless && k.Slots != "" {
		e.subject += ", M = " + k.Slots
		e.cell.Slots = ""
	}
	return e
}

// ranking returns the subjects, the best first.
func (o *operation) ranking() (Ranking, error) {
	shared := slices.DeleteFunc(slices.Clone(o.cells), func(cell results.Key) bool { return !o.complete(cell) })
	r := Ranking{Op: o.op, Cells: len(shared)}
	for _, s := range o.subjects {
		r.Rows = append(r.Rows, Ranked{Subject: s, Has: o.has(s)})
	}
	if len(shared) == 0 {
		return r, nil
	}
	medians := func(e entry) float64 {
		m, _ := o.table.Median(o.keys[e], o.unit)
		return m.Median
	}
	means, best, err := o.means(shared, medians)
	if err != nil {
		return r, err
	}
	intervals, err := o.bootstrap(shared)
	if err != nil {
		return r, err
	}
	for i := range r.Rows {
		r.Rows[i].Best, r.Rows[i].Mean = best[i], intervals[i]
		r.Rows[i].Mean.Median = means[i]
		if o.table.Exact(o.unit) {
			r.Rows[i].Mean.Lo, r.Rows[i].Mean.Hi = means[i], means[i]
		}
	}
	slices.SortStableFunc(r.Rows, func(a, b Ranked) int { return cmp.Compare(a.Mean.Median, b.Mean.Median) })
	return r, nil
}

func (o *operation) complete(cell results.Key) bool {
	return !slices.ContainsFunc(o.subjects, func(s string) bool { _, ok := o.keys[entry{s, cell}]; return !ok })
}

func (o *operation) has(subject string) (n int) {
	for _, cell := range o.cells {
		if _, ok := o.keys[entry{subject, cell}]; ok {
			n++
		}
	}
	return n
}

// means returns, for each subject, the geometric mean of its ratios to the best of each
// cell, and in how many cells it is the best.
func (o *operation) means(cells []results.Key, value func(entry) float64) (means []float64, best []int, err error) {
	ratios := make([][]float64, len(o.subjects))
	best = make([]int, len(o.subjects))
	for _, cell := range cells {
		values := make([]float64, len(o.subjects))
		for i, s := range o.subjects {
			values[i] = value(entry{s, cell})
		}
		least := slices.Min(values)
		if least <= 0 {
			return nil, nil, fmt.Errorf("%s: %v %s in %s (ratios need values above 0)", o.op, least, o.unit, cell)
		}
		best[slices.Index(values, least)]++
		for i, v := range values {
			ratios[i] = append(ratios[i], v/least)
		}
	}
	for _, r := range ratios {
		means = append(means, stat.GeometricMean(r, nil))
	}
	return means, best, nil
}

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
