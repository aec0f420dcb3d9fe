package report

import (
	"fmt"
	"math"
	"slices"

	"timerlab/harness/claims"
	"timerlab/harness/results"
)

// cellsSection lists every cell of the grid: what was counted and measured, and the
// winner by measurement and by the model.
func cellsSection(c *claims.Choice) Section {
	t := NewTable("slots", "n", "M", "levels of 7", "intervals", "stops", "T", "wasted visits of 6", "migrations of 7",
		"in the steady state", "time of 6", "time of 7", "6 over 7", "winner", "paper's bound", "model")
	for _, cell := range c.Cells {
		t.Add(cell.Form.String(), cell.N, cell.Slots, results.Radices(cell.Levels), cell.Dist, Stops(cell.Stop),
			uint64(cell.T), count3(cell.Visits), count3(cell.Migrated), count3(cell.Migrations),
			Interval(cell.Six, results.FormatNanos), Interval(cell.Seven, results.FormatNanos),
			Interval(cell.Ratio, results.FormatRatio),
			winnerName(cell.Winner), winnerName(cell.Bound()), winnerName(cell.Model()))
	}
	return Section{
		Title: "Schemes 6 and 7, cell by cell",
		Text: "Counts are exact: visits of scheme 6 that do not expire a timer, and migrations of scheme 7, per " +
			"timer, with what the formula says of a long run. Times are per timer, start to end. A winner \"=\" " +
			"means that the difference is within the noise, or that the bound names none.",
		Tables: []*Table{t},
		Long:   true,
	}
}

func count3(v float64) Cell { return Cell{Text: fmt.Sprintf("%.3f", v), Value: v} }

func winnerName(w claims.Winner) string {
	if w == claims.Tie {
		return "="
	}
	return fmt.Sprint(int(w))
}

// startSection compares START of scheme 7 with that of scheme 6, and shows what their ticks cost: the
// paper expects the one to lose where the other wins.
func startSection(table *results.Table, starts []claims.StartRatio) Section {
	var keys []results.Key
	for _, s := range starts {
		keys = append(keys, s.Key)
	}
	section := Section{
		Title: "START and PER_TICK of schemes 6 and 7",
		Text: "START is per timer, PER_TICK per tick in the mean; the longest is of single PerTicks, median of the " +
			"rounds.",
	}
	for _, c := range conditionsAmong(keys) {
		t := NewTable("n", "levels of 7", "START of 6", "START of 7", "7 over 6", "verdict",
			"PER_TICK of 6", "PER_TICK of 7", "longest of 6", "longest of 7")
		t.Title = c.String()
		for _, s := range starts {
			if conditionsOf(s.Key) == c {
				t.Add(append([]any{s.Key.N, s.Key.Levels, Interval(s.Six, results.FormatNanos),
					Interval(s.Seven, results.FormatNanos), Interval(s.Ratio, results.FormatRatio), s.Verdict()},
					tickCells(table, s.Key)...)...)
			}
		}
		section.Tables = append(section.Tables, t)
	}
	return section
}

// tickCells are the means and the longest of the ticks of both schemes on the workload of a START.
func tickCells(t *results.Table, seven results.Key) (cells []any) {
	six := claims.SixOf(seven)
	for _, k := range []results.Key{six, seven} {
		k.Op = results.TickOp
		mean, _ := t.Median(k, results.NsPerOp)
		cells = append(cells, Interval(mean, results.FormatNanos))
	}
	for _, k := range []results.Key{six, seven} {
		max, _ := longest(t, k)
		cells = append(cells, Interval(max, results.FormatNanos))
	}
	return cells
}

// choiceFinding is the answer in a few sentences.
func choiceFinding(c *claims.Choice) string {
	six, seven, bound := scoreOf(c, claims.Always6), scoreOf(c, claims.Always7), scoreOf(c, claims.PapersBound)
	if seven.Decided == 0 {
		return "Between schemes 6 and 7 no cell is decided: all are within the noise."
	}
	text := fmt.Sprintf("Always choosing scheme 7 costs at most %s than the better choice, on average %s; always "+
		"choosing scheme 6 up to %s. ", dearer(seven.Worst), dearer(seven.Mean), dearer(six.Worst))
	if bound.Named > 0 {
		text += fmt.Sprintf("The paper's bound names scheme 7 in %d decided cells and is right in %d. ", bound.Named,
			bound.Right)
	}
	for _, kind := range []string{"Without stops", "With stops"} {
		at := crossoversInM(slices.DeleteFunc(slices.Clone(c.Crossovers),
			func(x claims.Crossing) bool { return noStops(x) != (kind == "Without stops") }))
		if len(at) > 0 {
			text += fmt.Sprintf("%s, scheme 6 costs less than scheme 7 up to a mean time T = %s M. ", kind, fromTo(at))
		}
	}
	model := c.Scores[len(c.Scores)-1]
	if model.Named == 0 {
		return text + "No fit gives a model."
	}
	return text + fmt.Sprintf("A model fitted on other workloads names the cheaper one in %d of %d decided cells.",
		model.Right, model.Named)
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
