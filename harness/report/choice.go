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

// choiceSections answer whether scheme 6 or scheme 7 costs less.
func choiceSections(t *results.Table, c *claims.Choice, command string) []Section {
	return slices.Concat([]Section{{
		Title:  "Scheme 6 or scheme 7?",
		Text:   choiceText(c),
		Tables: []*Table{decisionTable(t, c)},
	}, {
		Title: "Rules for choosing, from crude to fine",
		Text: "A cell is decided if the interval of the ratio excludes 1 and the ratio is outside the noise band. " +
			"Regret is what the named scheme costs more than the other one; cells in which a rule names none do not " +
			"count. Intervals of shares and means: whole series of cells resampled; of the worst: that of the cell.",
		Tables: []*Table{ruleTable(c)},
	}, {
		Title:   "Where schemes 6 and 7 cost the same",
		Text:    explainT + agreement(c) + explainSeries,
		Tables:  []*Table{breakEvenTable(c)},
		Figures: breakEvenFigures(c, command),
	}}, modelSections(c, command), []Section{{
		Title: "What a wrong choice costs",
		Text: "A map for each form, n, distribution of intervals and share of stops: what choosing one scheme costs " +
			"where the other one is cheaper.",
		Figures: regretFigures(c, command),
	}})
}

// modelSections is the section on the model, if a form and n has one.
func modelSections(c *claims.Choice, command string) []Section {
	if len(c.Modelled()) == 0 {
		return nil
	}
	figure := modelFigure(c, command)
	return []Section{{
		Title: "The model: ns per lifetime",
		Text: "Without the harness's time. Fitted on uniform intervals by least squares of relative errors, judged " +
			"on the other ones; intervals: 95 %, of the fit round by round. They do not contain the model's own " +
			"error, which is in the last rows.",
		Tables:  modelTables(c),
		Figures: []Named{{"six-seven-model", figure, figure.Frame}},
	}}
}

const explainT = "T* is the mean time a timer stays, in ticks, up to which scheme 6 costs less. "

const explainSeries = "A series is of one M and m, over T. Each is in the table \"T*, series by series\" below."

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
		ratio := Interval(f.Ratio, results.FormatRatio).Text + ", a migration over a wasted visit"
		if f.NoModel != nil {
			ratio = fmt.Sprintf("? (no model: %v)", f.NoModel)
		}
		fmt.Fprintf(&b, "- %s, n = %s: c7/c6 = %s; noise band ±%s (A/A pair).\n",
			f.Form, results.FormatCount(uint64(f.N)), ratio, results.FormatPercent(f.Noise))
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
		fmt.Fprintf(&b, "- Not judged for similar reasons: %d more.\n", more)
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
	t.Add("nothing else is known", "7", fmt.Sprintf("it costs at most %s, on average %s%s; 6 up to %s",
		dearer(seven.Worst), dearer(seven.Mean), evenRadices(c, seven), dearer(six.Worst)))
	if len(c.Modelled()) > 0 {
		t.Add("T > m·M·c7/c6, the paper's bound", "7", fmt.Sprintf("it is the cheaper one in %d of %d cells; c7/c6 = %s",
			bound.Right, bound.Named, stepRatios(c)))
	}
	for _, form := range formsOf(c) {
		zoneRow(t, c, fmt.Sprintf("%s slots, no stops", form), func(f claims.Form, stop string) bool {
			return f == form && stop == "0"
		})
		zoneRow(t, c, fmt.Sprintf("%s slots, with stops", form), func(f claims.Form, stop string) bool {
			return f == form && stop != "0"
		})
	}
	if n, six, seven := longestTicks(table); n != "" {
		winner := "6"
		if seven.Median < six.Median {
			winner = "7"
		}
		t.Add("the longest PerTick matters", winner, fmt.Sprintf("at n = %s it takes %s in scheme 6 and %s in scheme 7",
			n, Interval(six, results.FormatNanos).Text, Interval(seven, results.FormatNanos).Text))
	}
	return t
}

// evenRadices says what scheme 7 costs more where all radices are powers of two, if that is not everywhere.
func evenRadices(c *claims.Choice, seven claims.Score) string {
	even := c.Always(7, func(cell claims.ChoiceCell) bool { return cell.Load7[cost.PerOdd] == 0 })
	if even.Decided == seven.Decided || even.Decided == 0 {
		return ""
	}
	return fmt.Sprintf("; with wheels of 2^k slots at most %s, on average %s", dearer(even.Worst), dearer(even.Mean))
}

// stepRatios writes c7/c6: the one fitted, or the range of several with their intervals.
func stepRatios(c *claims.Choice) string {
	fits := c.Modelled()
	if len(fits) == 1 {
		return Interval(fits[0].Ratio, results.FormatRatio).Text
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, f := range fits {
		lo, hi := f.Ratio.Lo, f.Ratio.Hi
		if !f.Ratio.Bounded() {
			lo, hi = f.Ratio.Median, f.Ratio.Median
		}
		low, high = min(low, lo), max(high, hi)
	}
	return fmt.Sprintf("%s to %s by n and form, intervals included", results.FormatRatio(low),
		results.FormatRatio(high))
}

// formsOf returns the forms of a choice, each once.
func formsOf(c *claims.Choice) (all []claims.Form) {
	for _, f := range c.Fits {
		if !slices.Contains(all, f.Form) {
			all = append(all, f.Form)
		}
	}
	return all
}

// zoneRow adds what to choose below the least T* of some series and above the greatest.
func zoneRow(t *Table, c *claims.Choice, text string, in func(claims.Form, string) bool) {
	low, high := results.Estimate{Median: math.Inf(1)}, results.Estimate{}
	for _, x := range c.Crossovers {
		if at := inM(x); in(x.Form, x.Stop) && !math.IsNaN(at.Median) {
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
	wrong := func(lo, hi float64, chosen claims.Winner) string {
		s := c.Always(chosen, func(cell claims.ChoiceCell) bool {
			at := float64(cell.T) / float64(cell.Slots)
			return in(cell.Form, cell.Stop) && lo < at && at <= hi
		})
		if s.Decided == 0 {
			return ""
		}
		if s.Mean.N < 2 { // one group of cells says nothing of others
			return fmt.Sprintf("%d costs up to %s", chosen, dearer(s.Worst))
		}
		return fmt.Sprintf("%d costs %s on average, up to %s", chosen, dearer(s.Mean), dearer(s.Worst))
	}
	var choose, because []string
	if why := wrong(0, low.Median, 7); why != "" {
		choose, because = append(choose, "6 while T < "+slotsOf(low)), append(because, "below, "+why)
	}
	if why := wrong(high.Median, math.Inf(1), 6); why != "" {
		choose, because = append(choose, "7 if T > "+slotsOf(high)), append(because, "above, "+why)
	}
	if len(choose) > 0 {
		t.Add(text, strings.Join(choose, ", "), strings.Join(because, "; "))
	}
}

// slotsOf writes a T* in M.
func slotsOf(e results.Estimate) string {
	if !e.Bounded() {
		return twoDigits(e.Median) + " M (its interval reaches beyond the grid)"
	}
	return Interval(e, twoDigits).Text + " M"
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
