package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/claims"
	"timerlab/harness/cost"
	"timerlab/harness/results"
)

func ruleTable(c *claims.Choice) *Table {
	t := NewTable("rule", "decided cells that it names", "right", "mean regret", "worst regret", "at")
	for _, s := range c.Scores {
		row := []any{s.Rule, fmt.Sprintf("%d of %d", s.Named, s.Decided),
			Interval(s.Share, results.FormatPercent), Cell{Text: more(s.Mean), Value: s.Mean}}
		switch {
		case s.Worst.Median > 0:
			row = append(row, Cell{Text: more(s.Worst), Value: s.Worst}, place(s.At))
		case s.Named > 0:
			row = append(row, "0 %", "-")
		default:
			row = append(row, "-", "-")
		}
		t.Add(row...)
	}
	return t
}

// place names a cell.
func place(cell claims.ChoiceCell) string {
	return fmt.Sprintf("%s, n = %s, M = %d, %s, T = %d, %s intervals, stops: %s", cell.Form,
		results.FormatCount(uint64(cell.N)), cell.Slots, results.Radices(cell.Levels), cell.T, cell.Dist,
		Stops(cell.Stop))
}

// modelTables has a table for each form.
func modelTables(c *claims.Choice) (all []*Table) {
	for _, form := range formsOf(c) {
		of := slices.DeleteFunc(c.Modelled(), func(f *claims.Fit) bool { return f.Form != form })
		if len(of) == 0 {
			continue
		}
		t := modelTable(of)
		t.Title = fmt.Sprintf("%s slots", form)
		all = append(all, t)
	}
	return all
}

func modelTable(fits []*claims.Fit) *Table {
	t := &Pivot{Corner: "a lifetime costs, for each"}
	for term, name := range cost.Terms {
		for _, f := range fits {
			for i, e := range []results.Estimate{f.Costs6[term], f.Costs7[term]} {
				if e.Median != 0 {
					t.Set(name, modelColumn(f, 6+i), Interval(e, results.FormatNanos))
				}
			}
		}
	}
	for _, row := range []struct {
		name string
		of   func(claims.Errors) float64
	}{
		{"error, half of the cells at most", func(e claims.Errors) float64 { return e.Median }},
		{"error, 95 % of the cells at most", func(e claims.Errors) float64 { return e.P95 }},
	} {
		for _, f := range fits {
			off6, off7 := row.of(f.Error6), row.of(f.Error7)
			t.Set(row.name, modelColumn(f, 6), Cell{Text: percent(off6), Value: off6})
			t.Set(row.name, modelColumn(f, 7), Cell{Text: percent(off7), Value: off7})
		}
	}
	return t.Table()
}

func modelColumn(f *claims.Fit, scheme int) string {
	return fmt.Sprintf("n = %s, scheme %d", results.FormatCount(uint64(f.N)), scheme)
}

// breakEvenTable sums up the series of each form, n, distribution and share of stops.
func breakEvenTable(c *claims.Choice) *Table {
	t := NewTable("slots", "n", "intervals", "stops", "series", "T* measured", "T* in M", "model within 20 %",
		"model off by, geometric mean", "winner by the model")
	for _, k := range choiceParts(c) {
		at, off := crossoversInM(k.crossovers), "-"
		a := (&claims.Choice{Crossovers: k.crossovers}).Agree(func(claims.Crossing) bool { return true })
		if a.Series > 0 {
			off = results.FormatRatio(a.Factor) + "×"
		}
		between := "-"
		if len(at) > 0 {
			between = fromTo(at)
		}
		t.Add(k.Form.String(), results.FormatCount(uint64(k.N)), k.dist, Stops(k.stop), len(k.crossovers), len(at), between,
			fmt.Sprintf("%d of %d", a.Within, a.Series), off, k.named())
	}
	return t
}

// named counts the cells in which the model names the winner.
func (k choicePart) named() string {
	if k.NoModel != nil {
		return "-"
	}
	right, decided := 0, 0
	for _, cell := range k.cells {
		if cell.Winner != claims.Tie {
			decided++
		}
		if cell.Winner != claims.Tie && cell.Model() == cell.Winner {
			right++
		}
	}
	return fmt.Sprintf("%d of %d decided", right, decided)
}

// crossoverSection lists the T* of every series.
func crossoverSection(c *claims.Choice) Section {
	return Section{
		Title: "T*, series by series", Text: explainT + explainSizes, Tables: []*Table{crossoverTable(c)}, Long: true,
	}
}

func crossoverTable(c *claims.Choice) *Table {
	t := NewTable("slots", "n", "M", "levels of 7", "intervals", "stops", "T* measured", "tie", "T* by the model",
		"off by")
	for _, x := range c.Crossovers {
		off := Cell{Text: "-"}
		if v := x.Model.Median / x.Measured; !math.IsNaN(v) {
			off = Cell{Text: results.FormatRatio(v) + "×", Value: v}
		}
		model := Interval(x.Model, ticks) // "-" without a model
		if x.NoModel == nil && math.IsNaN(x.Model.Median) {
			model = Cell{Text: "outside"}
		}
		t.Add(x.Form.String(), x.N, x.Slots, results.Radices(x.Levels), x.Dist, Stops(x.Stop), Crossover(x),
			fmt.Sprintf("%s to %s", ticks(x.From), ticks(x.To)), model, off)
	}
	return t
}

// Crossover is a cell of the mean time at which schemes 6 and 7 cost the same.
func Crossover(x claims.Crossing) Cell {
	if math.IsNaN(x.Measured) {
		return Cell{Text: x.Note}
	}
	text := fmt.Sprintf("%s (%s to %s)", ticks(x.Measured), ticks(x.Lo), ticks(x.Hi))
	return Cell{Text: text, Value: results.Estimate{Median: x.Measured, Lo: x.Lo, Hi: x.Hi}}
}

// ticks writes a time in ticks; where an interval is open, there is no end.
func ticks(v float64) string {
	if math.IsNaN(v) {
		return "?"
	}
	return fmt.Sprintf("%.0f", v)
}

// Stops writes a share of stops in a cell of a table.
func Stops(fraction string) string {
	return strings.NewReplacer("no stops", "none", " stopped", "", " of their interval", "").Replace(stops(fraction))
}
