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
func choiceSections(t *results.Table, c *claims.Choice, command string) []Section {
	model := modelFigure(c, command)
	return []Section{{
		Title:  "Scheme 6 or scheme 7?",
		Text:   choiceText(c),
		Tables: []*Table{decisionTable(t, c)},
	}, {
		Title: "Rules for choosing, from crude to fine",
		Text: "A cell is decided if the interval of the ratio excludes 1 and the ratio is outside the noise band. " +
			"Regret is what the named scheme costs more than the other one; cells in which a rule names none do not " +
			"count. Intervals of shares and means: whole series of cells resampled; of the worst: that of the cell.",
		Tables:  []*Table{ruleTable(c)},
		Figures: regretFigures(c, command),
	}, {
		Title:   "Where schemes 6 and 7 cost the same",
		Text:    explainT + agreement(c) + explainSizes,
		Tables:  []*Table{crossoverTable(c)},
		Figures: breakEvenFigures(c, command),
	}, {
		Title: "The model: ns per lifetime",
		Text: "Without the harness's time. Fitted on uniform intervals by least squares of relative errors, judged " +
			"on the other ones; intervals: 95 %, of the fit round by round. They do not contain the model's own " +
			"error, which is in the last rows.",
		Tables:  []*Table{modelTable(c)},
		Figures: []Named{{"six-seven-model", model, model.Frame}},
	}}
}

const explainT = "T* is the mean time a timer stays, in ticks, up to which scheme 6 costs less. "

// explainSizes explains the notation of the table.
const explainSizes = "Between the ends of the tie the noise decides. Levels 85x85x85 are three wheels of 85 slots " +
	"each; stops of 90 % after 5 % mean that this share of the timers is stopped after this part of their interval."

func agreement(c *claims.Choice) string {
	a := c.Agree(noStops)
	if a.Series == 0 {
		return "No series without stops has both a measured T* and one by the model. "
	}
	return fmt.Sprintf("Without stops the model's T* is within 20 %% of the measured one in %d of %d series, and "+
		"off by a factor of %.2f in the geometric mean; with stops T* depends on 1 or 2 ns, so that only the tie is "+
		"of use. ",
		a.Within, a.Series, a.Factor)
}

func noStops(x claims.Crossing) bool { return x.Stop == "0" }

func choiceText(c *claims.Choice) string {
	var b strings.Builder
	for _, f := range c.Fits {
		fmt.Fprintf(&b, "- %s, n = %s: c7/c6 = %s, a migration over a wasted visit; noise band ±%s (A/A pair).\n",
			f.Form, results.FormatCount(uint64(f.N)), Interval(f.Ratio, results.FormatRatio).Text,
			results.FormatPercent(f.Noise))
	}
	fmt.Fprintf(&b, "- %d of %d cells are within the noise.\n", len(c.Cells)-c.Scores[0].Decided, len(c.Cells))
	if c.Without > 0 {
		fmt.Fprintf(&b, "- %d more have no time of both schemes: skipped, failed or not reached.\n", c.Without)
	}
	if c.Short > 0 {
		fmt.Fprintf(&b, "- In %d cells the run was too short for the steady state: counted migrations are more than "+
			"2 %% from the formula. Of older files they are judged all the same, which favours scheme 7.\n", c.Short)
	}
	const shown = 3
	for _, why := range c.Refused[:min(shown, len(c.Refused))] {
		fmt.Fprintf(&b, "- Not judged: %s.\n", why)
	}
	if more := len(c.Refused) - shown; more > 0 {
		fmt.Fprintf(&b, "- Nor are %d more, for such reasons.\n", more)
	}
	return b.String() + "\nEvery range in brackets is a 95 % interval.\n"
}

// scoreOf returns the score of a rule.
func scoreOf(c *claims.Choice, rule string) claims.Score {
	return c.Scores[slices.IndexFunc(c.Scores, func(s claims.Score) bool { return s.Rule == rule })]
}

// decisionTable is the answer in at most ten lines.
func decisionTable(table *results.Table, c *claims.Choice) *Table {
	t := NewTable("if", "choose", "because")
	six, seven, bound := scoreOf(c, claims.Always6), scoreOf(c, claims.Always7), scoreOf(c, claims.PapersBound)
	if seven.Decided == 0 {
		t.Add("nothing else is known", "either", "no cell is outside the noise")
		return t
	}
	t.Add("nothing else is known", "7", fmt.Sprintf("it costs at most %s, on average %s; 6 up to %s",
		dearer(seven.Worst), dearer(seven.Mean), dearer(six.Worst)))
	t.Add("T > m·M·c7/c6, the paper's bound", "7", fmt.Sprintf("it is the cheaper one in %d of %d cells; c7/c6 = %s",
		bound.Right, bound.Named, stepRatios(c)))
	for _, kind := range []struct{ text, stop string }{{"no stops", "0"}, {"most timers stopped early", ""}} {
		zoneRows(t, c, kind.text, func(stop string) bool { return (stop == "0") == (kind.stop == "0") })
	}
	if n, six, seven := longestTicks(table); n != "" {
		winner := "6"
		if seven.Median < six.Median {
			winner = "7"
		}
		t.Add("the longest PerTick counts", winner, fmt.Sprintf("at n = %s it takes %s in scheme 6 and %s in scheme 7",
			n, Interval(six, results.FormatNanos).Text, Interval(seven, results.FormatNanos).Text))
	}
	return t
}

// stepRatios writes c7/c6: the one fitted, or of several all.
func stepRatios(c *claims.Choice) string {
	var texts []string
	for _, f := range c.Fits {
		text := Interval(f.Ratio, results.FormatRatio).Text
		if len(c.Fits) > 1 {
			text += fmt.Sprintf(" for n = %s, %s", results.FormatCount(uint64(f.N)), f.Form)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// zoneRows adds what to choose below, between and above the T* of some series.
func zoneRows(t *Table, c *claims.Choice, text string, stops func(string) bool) {
	low, high := results.Estimate{Median: math.Inf(1)}, results.Estimate{}
	for _, x := range c.Crossovers {
		if at := inM(x); stops(x.Stop) && !math.IsNaN(at.Median) {
			if at.Median < low.Median {
				low = at
			}
			if at.Median > high.Median {
				high = at
			}
		}
	}
	if high.N == 0 {
		return
	}
	zone := func(lo, hi float64, chosen claims.Winner) string {
		s := c.Always(chosen, func(cell claims.ChoiceCell) bool {
			at := float64(cell.T) / float64(cell.Slots)
			return stops(cell.Stop) && lo < at && at <= hi
		})
		if s.Decided == 0 {
			return ""
		}
		return fmt.Sprintf("%d costs %s on average, up to %s", chosen, dearer(s.Mean), dearer(s.Worst))
	}
	show := func(e results.Estimate) string { return Interval(e, twoDigits).Text + " M" }
	between := zone(low.Median, high.Median, 7) + "; " + zone(low.Median, high.Median, 6)
	for _, row := range []struct{ when, choose, why string }{
		{", T < " + show(low), "6", zone(0, low.Median, 7)},
		{", T between", "either", strings.Trim(between, "; ")},
		{", T > " + show(high), "7", zone(high.Median, math.Inf(1), 6)},
	} {
		if row.why != "" {
			t.Add(text+row.when, row.choose, row.why)
		}
	}
}

// inM returns the measured T* in M.
func inM(x claims.Crossing) results.Estimate {
	m := float64(x.Slots)
	e := results.Estimate{Median: x.Measured / m, Lo: x.Lo / m, Hi: x.Hi / m, N: 1}
	if math.IsNaN(e.Lo) || math.IsNaN(e.Hi) { // open to the end of the grid
		e.Lo, e.Hi = math.Inf(-1), math.Inf(1)
	}
	return e
}

func twoDigits(v float64) string { return fmt.Sprintf("%.2g", v) }

// more writes a regret: a percentage, or how many times, with its interval.
func more(e results.Estimate) string {
	if e.Median >= 1 {
		e.Median, e.Lo, e.Hi = 1+e.Median, 1+e.Lo, 1+e.Hi
		return Interval(e, func(v float64) string { return results.FormatNumber(v) + "×" }).Text
	}
	return Interval(e, percent).Text
}

// dearer is more in a sentence.
func dearer(e results.Estimate) string {
	if e.Median >= 1 {
		return more(e) + " as much"
	}
	return more(e) + " more"
}

// percent writes a share in hundredths of a percent at the finest.
func percent(share float64) string { return results.FormatPercent(math.Round(1e4*share) / 1e4) }

// longestTicks returns the longest PerTick of both schemes at the largest n that has both.
func longestTicks(t *results.Table) (n string, six, seven results.Estimate) {
	for _, s := range claims.Starts(t) {
		a, errA := longest(t, claims.SixOf(s.Key))
		b, errB := longest(t, s.Key)
		if errA == nil && errB == nil && compareCounts(s.Key.N, n) >= 0 {
			n, six, seven = s.Key.N, a, b
		}
	}
	return n, six, seven
}

// longest returns the longest PerTick on the workload of a START.
func longest(t *results.Table, k results.Key) (results.Estimate, error) {
	k.Op = results.LatencyOp
	return t.Median(k, "max-ns")
}
