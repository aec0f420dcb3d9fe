package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/claims"
	"timerlab/harness/results"
)

// choiceSections answer whether scheme 6 or scheme 7 costs less.
func choiceSections(c *claims.Choice, command string) []Section {
	return []Section{{
		Title:   "Scheme 6 or scheme 7?",
		Text:    choiceText(c),
		Figures: choiceFigures(c, command),
	}, {
		Title:  "Where schemes 6 and 7 cost the same",
		Text:   "T* is the mean time a timer stays, in ticks, up to which scheme 6 costs less. " + explainSizes,
		Tables: []*Table{crossoverTable(c)},
	}}
}

// explainSizes explains the notation of the table.
const explainSizes = "Levels 85x85x85 are three wheels of 85 slots each; stops of 90 % after 5 % mean " +
	"that this share of the timers is stopped after this part of their interval."

func choiceText(c *claims.Choice) string {
	s := c.Score(everyCell)
	var b strings.Builder
	fmt.Fprintf(&b,
		"n = %s timers, exponential intervals, equal slots for both schemes; noise band ±%s (A/A pair).\n\n",
		results.FormatCount(uint64(c.Cells[0].N)), results.FormatPercent(c.Noise))
	fmt.Fprintf(&b, "- A visit of scheme 6 costs c6 = %s, a migration of scheme 7 c7 = %s; c7/c6 = %s.\n",
		Interval(c.C6, results.FormatNanos).Text, Interval(c.C7, results.FormatNanos).Text,
		Interval(c.Ratio, results.FormatRatio).Text)
	for _, rule := range []struct {
		name  string
		right int
	}{
		{"The paper's rule (6 while T < m·M·c7/c6)", s.Paper},
		{"The refined rule (6 while c6·(visits − 1) < c7·migrations)", s.Refined},
		{"The fitted model (the refined rule, with the costs of start, stop, expiry and ticks)", s.Model},
	} {
		fmt.Fprintf(&b, "- %s names the winner in %s.\n", rule.name, ofCells(rule.right, s.Decided))
	}
	fmt.Fprintf(&b, "- %d of %d cells are within the noise.\n", len(c.Cells)-s.Decided, len(c.Cells))
	if c.Without > 0 {
		fmt.Fprintf(&b, "- %d more have no time of both schemes: skipped, failed or not reached.\n", c.Without)
	}
	return b.String()
}

// ofCells writes in how many of the cells outside the noise a rule is right.
func ofCells(right, decided int) string {
	if decided == 0 {
		return "no cell: all are within the noise"
	}
	return fmt.Sprintf("%d of the %d cells outside the noise, %.0f %%", right, decided,
		100*float64(right)/float64(decided))
}

func crossoverTable(c *claims.Choice) *Table {
	t := NewTable("M", "levels of 7", "stops", "T* measured", "T* refined rule", "T* paper's rule")
	for _, x := range c.Crossovers {
		t.Add(x.Slots, results.Radices(x.Levels), Stops(x.Stop), Crossover(x),
			Cell{Text: ticks(x.Refined), Value: x.Refined}, Cell{Text: ticks(x.Paper), Value: x.Paper})
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

// cellsSection lists every cell of the grid: what was counted and measured, and the
// winner by measurement and by each rule.
func cellsSection(c *claims.Choice) Section {
	t := NewTable("M", "levels of 7", "stops", "T", "wasted visits of 6", "migrations of 7",
		"time of 6", "time of 7", "6 over 7", "winner", "paper's rule", "refined rule")
	for _, cell := range c.Cells {
		t.Add(cell.Slots, results.Radices(cell.Levels), Stops(cell.Stop), uint64(cell.T),
			Cell{Text: fmt.Sprintf("%.3f", cell.Visits), Value: cell.Visits},
			Cell{Text: fmt.Sprintf("%.3f", cell.Migrated), Value: cell.Migrated},
			Interval(cell.Six, results.FormatNanos), Interval(cell.Seven, results.FormatNanos),
			Interval(cell.Ratio, results.FormatRatio),
			winnerName(cell.Winner), winnerName(cell.Paper), winnerName(cell.Refined))
	}
	return Section{
		Title: "Schemes 6 and 7, cell by cell",
		Text: "Counts are exact: visits of scheme 6 that do not expire a timer, and migrations of scheme 7, per " +
			"timer. " +
			"Times are per timer, start to end. A winner \"=\" means that the difference is within the noise.",
		Tables: []*Table{t},
		Long:   true,
	}
}

func winnerName(w claims.Winner) string {
	if w == claims.Tie {
		return "="
	}
	return fmt.Sprint(int(w))
}

// startSection compares START of scheme 7 with that of scheme 6.
func startSection(starts []claims.StartRatio) Section {
	var keys []results.Key
	for _, s := range starts {
		keys = append(keys, s.Key)
	}
	section := Section{Title: "Does START of scheme 7 cost more?"}
	for _, c := range conditionsAmong(keys) {
		t := NewTable("n", "levels of 7", "START of 6", "START of 7", "7 over 6", "scheme 7")
		t.Title = c.String()
		for _, s := range starts {
			if conditionsOf(s.Key) == c {
				t.Add(s.Key.N, s.Key.Levels, Interval(s.Six, results.FormatNanos), Interval(s.Seven,
					results.FormatNanos),
					Interval(s.Ratio, results.FormatRatio), s.Verdict())
			}
		}
		section.Tables = append(section.Tables, t)
	}
	return section
}

func everyCell(claims.ChoiceCell) bool { return true }

// choiceFinding is the answer in one or two sentences.
func choiceFinding(c *claims.Choice) string {
	s := c.Score(everyCell)
	text := ""
	for _, kind := range []string{"Without stops", "With most timers stopped early"} {
		at := crossoversInM(slices.DeleteFunc(slices.Clone(c.Crossovers),
			func(x claims.Crossing) bool { return (x.Stop == "0") != (kind == "Without stops") }))
		if len(at) > 0 {
			text += fmt.Sprintf("%s, scheme 6 costs less than scheme 7 up to a mean time T = %s M. ", kind, fromTo(at))
		}
	}
	return text + fmt.Sprintf("The paper's rule names the cheaper one in %s; the refined rule in %s.",
		ofCells(s.Paper, s.Decided), ofCells(s.Refined, s.Decided))
}

// crossoversInM returns the measured crossovers in M.
func crossoversInM(all []claims.Crossing) (at []float64) {
	for _, x := range all {
		if !math.IsNaN(x.Measured) {
			at = append(at, x.Measured/float64(x.Slots))
		}
	}
	return at
}

// fromTo writes the range of values with two digits.
func fromTo(values []float64) string {
	from, to := fmt.Sprintf("%.2g", slices.Min(values)), fmt.Sprintf("%.2g", slices.Max(values))
	if from == to {
		return from
	}
	return from + " to " + to
}
