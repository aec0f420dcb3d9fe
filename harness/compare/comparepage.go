package compare

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

// Page returns the comparison as a page: a row for each unit, what is missing, and the
// rows of each unit. Rows that differ by less than the threshold, a share, are counted
// but not listed; so are exact values that are equal.
func (c *Comparison) Page(threshold float64, made string) *report.Page {
	p := &report.Page{Title: "Compared with " + c.Base, Findings: c.findings(), Made: made}
	for _, f := range c.Files {
		p.Sources = append(p.Sources, f.Table.Sources...)
	}
	p.Add(
		report.Section{Title: "Units", Tables: []*report.Table{c.units()}},
		report.Section{Title: "Missing", Tables: []*report.Table{c.absent()}},
		report.Section{Title: "What the files were measured with", Tables: []*report.Table{c.conditions()}})
	for i := 0; i < len(c.Pairs); {
		s := report.Section{Title: c.Pairs[i].Unit}
		for ; i < len(c.Pairs) && c.Pairs[i].Unit == s.Title; i++ {
			s.Tables = append(s.Tables, c.Pairs[i].table(c.Base, threshold))
		}
		p.Add(s)
	}
	return p
}

// findings says how many rows changed, by kind of unit.
func (c *Comparison) findings() string {
	var times, changed, counts, different int
	for _, p := range c.Pairs {
		if p.Exact {
			counts, different = counts+len(p.Rows), different+p.changed()
		} else {
			times, changed = times+len(p.Rows), changed+p.changed()
		}
	}
	text := fmt.Sprintf("%d of %d measured values and %d of %d exact counts changed; %d missing.", changed, times,
		different, counts, len(c.Missing))
	for _, f := range c.Files[1:] {
		if other := c.Files[0].Table.OtherStreams(f.Table); len(other) > 0 {
			text += fmt.Sprintf(" %s was measured on other operations (%d): %s.", f.Label, len(other),
				strings.Join(other, ", "))
		}
	}
	if len(c.Pooled) > 0 {
		text += " Benchmarks that vary in " + strings.Join(c.Pooled, ", ") + " are pooled."
	}
	return text
}

func (p Pair) changed() (n int) {
	for _, r := range p.Rows {
		if r.Changed() {
			n++
		}
	}
	return n
}

// geomean returns the geometric mean of the ratios above 0, or NaN if there are none.
func (p Pair) geomean() float64 {
	var ratios []float64
	for _, r := range p.Rows {
		if v := r.Ratio.Median; v > 0 && !math.IsInf(v, 0) {
			ratios = append(ratios, v)
		}
	}
	return stat.GeometricMean(ratios, nil)
}

// units has a row for each unit and column.
func (c *Comparison) units() *report.Table {
	t := report.NewTable("unit", "column", "rows", "changed", "geometric mean of the ratios")
	for _, p := range c.Pairs {
		changed := report.Cell{Text: fmt.Sprint(p.changed()), Value: p.changed()}
		if !p.Exact && p.leastP()*float64(len(p.Rows)) >= alpha {
			changed.Note = fmt.Sprintf("%s: with %d rows to test, too few samples for any single difference to be "+
				"significant at %v; compare fewer rows or measure more rounds.", p.Unit, len(p.Rows), alpha)
		}
		mean := p.geomean()
		t.Add(p.Unit, p.Col, len(p.Rows), changed, report.Cell{Text: results.FormatRatio(mean), Value: mean})
	}
	return t
}

// leastP returns the smallest p-value that the rows' numbers of samples allow.
func (p Pair) leastP() float64 {
	least, seen := 1.0, map[[2]int]bool{}
	for _, r := range p.Rows {
		if n := [2]int{r.Base.N, r.New.N}; !seen[n] {
			seen[n] = true
			least = min(least, leastP(n[0], n[1]))
		}
	}
	return least
}

func (c *Comparison) absent() *report.Table {
	t := report.NewTable("row", "unit", "missing in", "reason")
	for _, m := range c.Missing {
		t.Add(m.Row, cmp.Or(m.Unit, "all"), m.Col, cmp.Or(m.Why, "not measured"))
	}
	return t
}

// conditions lists the keys at the heads of the files that differ.
func (c *Comparison) conditions() *report.Table {
	t, keys := report.NewTable("key"), map[string]bool{}
	for _, f := range c.Files {
		t.Heads = append(t.Heads, f.Label)
		for key := range f.Table.Machine {
			keys[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		row, same := []any{key}, true
		for _, f := range c.Files {
			value := f.Table.Machine[key]
			row, same = append(row, value), same && value == c.Files[0].Table.Machine[key]
		}
		if !same {
			t.Add(row...)
		}
	}
	return t
}

// table lists the rows that differ by the threshold and, of exact values, only those
// that differ.
func (p Pair) table(base string, threshold float64) *report.Table {
	t := report.NewTable("row", base, p.Col, "ratio", "p", "p, adjusted", "change")
	less := 0
	for _, r := range p.Rows {
		switch {
		case p.Exact && !r.Changed():
			continue
		case math.Abs(r.Change()) < threshold:
			less++
			continue
		}
		t.Add(r.Name, medianCell(r.Base, p.Unit, p.Exact), medianCell(r.New, p.Unit, p.Exact), r.ratioCell(),
			pCell(r.P), pCell(r.Adjusted), r.changeCell())
	}
	if less > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d more rows differ by less than %s.", less,
			results.FormatPercent(threshold)))
	}
	return t
}

// medianCell is a cell of a median: in full if it is exact, else with its interval.
func medianCell(e results.Estimate, unit string, exact bool) report.Cell {
	if exact {
		return report.Cell{Text: fmt.Sprint(e.Median), Value: e.Median}
	}
	return report.Median(e, formatOf(unit))
}

// ratioCell has the interval of the ratio, unless it is exact or the base is 0.
func (r Row) ratioCell() report.Cell {
	if r.Exact || r.Base.Median == 0 {
		return report.Cell{Text: results.FormatRatio(r.Ratio.Median), Value: r.Ratio.Median}
	}
	return report.Interval(r.Ratio, results.FormatRatio)
}

// changeCell has the change in percent, or "~" if it may be chance, as benchstat writes it.
func (r Row) changeCell() report.Cell {
	change := 100 * r.Change()
	switch {
	case !r.Changed():
		return report.Cell{Text: "~", Value: false}
	case math.IsInf(change, 0):
		return report.Cell{Text: "from 0", Value: true, Best: true}
	}
	return report.Cell{Text: fmt.Sprintf("%+.2f%%", change), Value: true, Best: true}
}

func pCell(p float64) report.Cell { return report.Cell{Text: fmt.Sprintf("%.3f", p), Value: p} }

// formatOf returns how values of a unit are written for people.
func formatOf(unit string) func(float64) string {
	switch {
	case unit == results.NsPerOp, strings.HasSuffix(unit, "-ns"), strings.HasSuffix(unit, "ns/op"):
		return results.FormatNanos
	case strings.HasPrefix(unit, "B/"), strings.HasSuffix(unit, "-B/timer"):
		return results.FormatBytes
	}
	return results.FormatNumber
}
