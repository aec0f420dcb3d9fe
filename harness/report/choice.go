package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"timerlab/harness/choice"
	"timerlab/harness/figures"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
)

// sixSeven is what a page shows of the choice between schemes 6 and 7.
type sixSeven struct {
	*choice.Choice
	Rule    string // as it was registered
	Zones   []choice.Zone
	Figures []Named
}

func newSixSeven(c *choice.Choice, command string) *sixSeven {
	s := &sixSeven{Choice: c, Rule: choice.Rule, Zones: c.Zones()}
	s.Figures = []Named{s.costs(command)}
	return s
}

// Answers has at most five rows, whose cells have at most 60 characters: they are the front page's too.
func (s *sixSeven) Answers() *Table {
	t := NewTable("J, the mean interval asked for", "choose", "because")
	if len(s.Zones) == 0 {
		t.Add("any", "either", "no cell is outside the noise")
	}
	for _, z := range s.Zones {
		t.Add(z.Name, fmt.Sprint(z.Choose), fmt.Sprintf("right in %d of %d; mean regret %s, of %d %s", z.Right, z.Named,
			percent(z.Mean.Median), 6+7-z.Choose, percent(z.Other)))
	}
	if regrets := s.FreeRegrets(); len(regrets) > 0 {
		t.Add("any, sizes are free", "7, four wheels", fmt.Sprintf("mean regret %s to the best sizes, worst %s",
			percent(stat.Mean(regrets, nil)), percent(slices.Max(regrets))))
	}
	return t
}

// Rules scores every rule beside the opposite choice in the same cells.
func (s *sixSeven) Rules() *Table {
	t := NewTable("rule", "right", "regret, mean", "of the opposite", "worst", "there")
	for _, score := range s.Scores {
		if score.Named == 0 {
			t.Add(score.Rule, "names no decided cell", "-", "-", "-", "-")
			continue
		}
		worst, at := "0 %", "-"
		if score.Worst.Median > 0 {
			worst, at = more(score.Worst), place(score.At)
		}
		t.Add(score.Rule, fmt.Sprintf("%s of %d", percent(float64(score.Right)/float64(score.Named)), score.Named),
			Cell{Text: more(score.Mean), Value: score.Mean}, Cell{Text: percent(score.Other), Value: score.Other},
			Cell{Text: worst, Value: score.Worst}, at)
	}
	return t
}

// place names a cell.
func place(c choice.Cell) string {
	return fmt.Sprintf("%s, n = %s, m = %v, J = %s M", c.Form, workload.Count(c.N).String(), c.Levels,
		units.FormatNumber(c.InM()))
}

// more writes a regret: a percentage, or how many times, with its interval if there is one.
func more(e results.Estimate) string {
	show := percent
	if e.Median >= 1 {
		e.Median, e.Lo, e.Hi = 1+e.Median, 1+e.Lo, 1+e.Hi
		show = func(v float64) string { return units.FormatNumber(v) + "×" }
	}
	if !e.Bounded() || e.Lo == e.Hi {
		return show(e.Median)
	}
	return Interval(e, show).Text
}

// RegimeTable shows how sure the cells of each form and n are, and what a step costs.
func (s *sixSeven) RegimeTable() *Table {
	t := NewTable("slots", "n", "noise", "decided", "c6", "c7", "c7/c6")
	for _, r := range s.Regimes {
		decided, all := 0, 0
		for _, c := range s.Cells {
			if c.Regime == r {
				all++
				decided += min(1, int(c.Winner))
			}
		}
		t.Add(r.Form.String(), workload.Count(r.N).String(), Cell{Text: "± " + percent(r.Noise), Value: r.Noise},
			fmt.Sprintf("%d of %d", decided, all), Interval(r.C6, units.FormatNanos), Interval(r.C7, units.FormatNanos),
			Interval(r.Ratio, units.FormatRatio))
	}
	return t
}

// costs draws the cost of scheme 6 over that of scheme 7 in every cell: a panel for each form, a series for each n.
func (s *sixSeven) costs(command string) Named {
	f := figures.XY{
		XLabel: "J, mean interval asked for, in M", YLabel: "cost of scheme 6 over that of scheme 7",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Count},
	}
	low, high := math.Inf(1), 0.0
	var last choice.Regime
	for _, c := range s.Cells { // by form and n
		low, high = min(low, c.InM()), max(high, c.InM())
		if len(f.Panels) == 0 || c.Form != last.Form {
			f.Panels = append(f.Panels, figures.Panel{Title: c.Form.String() + " slots"})
		}
		p := &f.Panels[len(f.Panels)-1]
		if len(p.Series) == 0 || c.Regime.N != last.N {
			p.Series = append(p.Series, figures.Series{Name: "n = " + workload.Count(c.N).String(), Kind: figures.Measured})
		}
		points := &p.Series[len(p.Series)-1].Points
		*points, last = append(*points, figures.Point{X: c.InM(), Y: c.Ratio.Median}), *c.Regime
	}
	for i, p := range f.Panels {
		equal := figures.Series{Name: "the same cost", Points: []figures.Point{{X: low, Y: 1}, {X: high, Y: 1}}}
		f.Panels[i].Series = append(p.Series, equal)
	}
	caption := "A point is a workload at equal slots M in both schemes, all of 2^k. Above 1 scheme 7 costs less."
	for _, why := range s.Refused[:min(3, len(s.Refused))] {
		caption += " Not judged: " + why + "."
	}
	score := s.Scores[choice.TheRule]
	f.Frame = figures.Frame{Command: command, Title: fmt.Sprintf("The rule is right in %s of %d cells, its "+
		"mean regret is %s: %s", percent(float64(score.Right)/float64(max(1, score.Named))), score.Named,
		percent(score.Mean.Median), score.Rule), Caption: []string{caption}}
	return Named{"six-over-seven", f}
}

const aboutCells = "Schemes 6 and 7, cell by cell. M: slots of both; m: slots of each wheel of scheme 7; " +
	"stop: share of timers stopped @ part of the interval; T: mean stay in ticks; J: mean interval asked for; " +
	"wasted6: visits of scheme 6 that do not expire a timer, per timer, and migrations7, both counted; " +
	"migrations7_steady: by the formula for a long run; ns6, ns7: ns a timer, medians; ratio: ns6 over ns7, round by round; " +
	"low, high: 95 % " +
	"intervals; winner: 0 is within the noise; rule: what the rule says; bound: what the paper's bound names, 0 is none."

// lists are the cells in full.
func (s *sixSeven) lists() []List {
	cells := NewTable("slots", "n", "M", "m", "dist", "stop", "T", "J", "wasted6", "migrations7", "migrations7_steady",
		"ns6", "ns7", "ratio", "winner", "rule", "bound")
	for _, c := range s.Cells {
		cells.Add(c.Form.String(), c.Regime.N, c.Slots, c.Levels.String(), c.Key.Dist, c.Stop, uint64(c.Spec.T), c.J, c.Visits,
			c.Migrated, c.Migrations, Cell{Value: c.Six}, Cell{Value: c.Seven}, Cell{Value: c.Ratio}, int(c.Winner),
			int(c.ByRule()), int(c.Bound()))
	}
	return []List{{"cells", aboutCells, cells}}
}
