package report

import (
	"fmt"
	"math"
	"slices"

	"timerlab/harness/choice"
	"timerlab/harness/results"
	"timerlab/harness/workload"
)

// sixSeven is what a page shows of the choice between schemes 6 and 7.
type sixSeven struct {
	*choice.Choice
	Even      choice.Range // of T*, of series whose wheels do not divide
	Answers   *Table       // what a reader remembers, without intervals
	Rules     *Table       // rules and zones, scored
	Ranges    *Table       // T* by regime
	Regimes   *Table       // noise and costs of steps
	Bands     *Table       // by T/M
	BreakEven []Named
	Maps      []Named // of the regret of scheme 7
	Decided   int
	Longest   longestTicks
}

func newSixSeven(t *results.Table, c *choice.Choice, command string) *sixSeven {
	s := &sixSeven{Choice: c, Decided: c.Scores[0].Decided, Longest: longestOf(t)}
	even := slices.DeleteFunc(slices.Clone(c.Series), func(x choice.Series) bool { return choice.Odd(x.Levels) })
	s.Even = choice.RangeOf(even)
	s.Answers, s.Rules = s.answers(), s.rules()
	s.Ranges, s.Regimes, s.Bands = s.ranges(), s.regimes(), s.bands()
	s.BreakEven, s.Maps = breakEvenFigures(c, command), regretMaps(c, command)
	return s
}

// Evens says where T* is.
func (s *sixSeven) Evens() string { return evens(s.Series) }

// Always6, Always7, Longer and Bound are the scores of the rules.
func (s *sixSeven) Always6() choice.Score { return s.Scores[0] }
func (s *sixSeven) Always7() choice.Score { return s.Scores[1] }
func (s *sixSeven) Longer() choice.Score  { return s.Scores[2] }
func (s *sixSeven) Bound() choice.Score   { return s.Scores[3] }

// zone writes a zone of advice: "linked slots, no stops: 6 while T < 0.25 M".
func zone(a choice.Advice) string {
	text := fmt.Sprintf("%s slots, %s, ", a.Form, map[bool]string{false: "no stops", true: "with stops"}[a.Stops])
	if a.Choose == 6 {
		return text + "T < " + twoDigits(a.At) + " M"
	}
	return text + "T > " + twoDigits(a.At) + " M"
}

// answers has at most five rows, whose cells have at most 60 characters: they are the front page's too.
func (s *sixSeven) answers() *Table {
	t := NewTable("if", "choose", "because")
	seven, longer, bound := s.Always7(), s.Longer(), s.Bound()
	if seven.Decided == 0 {
		t.Add("nothing else is known", "either", "no cell is outside the noise")
		return t
	}
	t.Add("nothing else is known", "7", fmt.Sprintf("cheaper in %d of %d cells; costs %s more on average", seven.Right,
		seven.Decided, percent(seven.Mean.Median)))
	if longer.Named > 0 {
		t.Add("timers stay longer than M ticks (T > M)", "7", fmt.Sprintf("cheaper in %d of %d cells", longer.Right,
			longer.Named))
	}
	if bound.Named > 0 {
		t.Add("T > m·M·c7/c6, the paper's bound", "7", fmt.Sprintf("cheaper in %d of %d; silent in %d cells", bound.Right,
			bound.Named, bound.Decided-bound.Named))
	}
	var best choice.Advice // for scheme 6, where most cells speak for it
	for _, a := range s.Zones() {
		if a.Choose == 6 && a.Score.Named > best.Score.Named {
			best = a
		}
	}
	if best.Choose == 6 {
		t.Add(zone(best), "6", fmt.Sprintf("cheaper in %d of %d cells; 7 costs %s more on average", best.Score.Right,
			best.Score.Named, percent(best.Score.Other.Median)))
	}
	if l := s.Longest; l.N != "" {
		t.Add("the longest PerTick matters", l.choose(), fmt.Sprintf("%s in scheme 6, %s in scheme 7, n = %s",
			results.FormatNanos(l.Six.Median), results.FormatNanos(l.Seven.Median), l.N))
	}
	return t
}

// rules scores every rule and every zone, beside the opposite choice in the same cells.
func (s *sixSeven) rules() *Table {
	t := NewTable("rule", "says", "in cells", "right", "costs more, mean", "the other, mean",
		"costs more, at worst", "there")
	add := func(name string, says int, score choice.Score) {
		row := []any{name, says, fmt.Sprintf("%d of %d", score.Named, s.Decided)}
		if score.Named == 0 {
			t.Add(append(row, "-", "-", "-", "-", "-")...)
			return
		}
		worst, at := "0 %", "-"
		if score.Worst.Median > 0 {
			worst, at = more(score.Worst), place(score.At)
		}
		t.Add(append(row, score.Right, Cell{Text: more(score.Mean), Value: score.Mean},
			Cell{Text: more(score.Other), Value: score.Other}, Cell{Text: worst, Value: score.Worst}, at)...)
	}
	add("always 6", 6, s.Always6())
	add("always 7", 7, s.Always7())
	add("T > M", 7, s.Longer())
	add("T > m·M·c7/c6, the paper's bound", 7, s.Bound())
	for _, a := range s.Zones() {
		if a.Score.Other.Bounded() { // a zone with one group of cells says nothing of others
			add(zone(a), int(a.Choose), a.Score)
		}
	}
	return t
}

// place names a cell.
func place(c choice.Cell) string {
	return fmt.Sprintf("%s, n = %s, %v, T = %d", c.Form, workload.Count(c.Regime.N).String(), c.Levels, c.Spec.T)
}

// more writes a regret: a percentage, or how many times, with its interval if there is one.
func more(e results.Estimate) string {
	show := percent
	if e.Median >= 1 {
		e.Median, e.Lo, e.Hi = 1+e.Median, 1+e.Lo, 1+e.Hi
		show = func(v float64) string { return results.FormatNumber(v) + "×" }
	}
	if !e.Bounded() || e.Lo == e.Hi {
		return show(e.Median)
	}
	return Interval(e, show).Text
}

// rangeText writes a range of T* in M: "0.31 to 1.3", "below 0.25 to 1.3", "below 0.25".
func rangeText(r choice.Range) string {
	low, high := twoDigits(r.Lo), twoDigits(r.Hi)
	switch {
	case r.Series == 0:
		return "-"
	case r.Below == r.Series:
		return "below " + high
	case r.Above == r.Series:
		return "above " + low
	}
	if r.Below > 0 {
		low = "below " + low
	}
	if r.Above > 0 {
		high = "above " + high
	}
	if low == high {
		return low
	}
	return low + " to " + high
}

// part is what series have in common that a figure or a row shows together.
type part struct {
	*choice.Regime
	Dist, Stop string
}

func partOf(s choice.Series) part { return part{s.Regime, s.Dist, s.Stop} }

// parts returns the parts of some series in their order, and the series of each.
func parts(all []choice.Series) (order []part, of map[part][]choice.Series) {
	of = map[part][]choice.Series{}
	for _, s := range all {
		if _, ok := of[partOf(s)]; !ok {
			order = append(order, partOf(s))
		}
		of[partOf(s)] = append(of[partOf(s)], s)
	}
	return order, of
}

// ranges has a row for each regime, distribution and share of stops. Wheels that divide have a column of their own.
func (s *sixSeven) ranges() *Table {
	t := NewTable("slots", "n", "intervals", "stops", "series, 2^k", "T* in M, 2^k", "series, others", "T* in M, others")
	order, of := parts(s.Series)
	for _, p := range order {
		var groups [2][]choice.Series
		for _, x := range of[p] {
			i := 0
			if choice.Odd(x.Levels) {
				i = 1
			}
			groups[i] = append(groups[i], x)
		}
		t.Add(p.Form.String(), workload.Count(p.N).String(), p.Dist, stopsCell(p.Stop), len(groups[0]),
			rangeText(choice.RangeOf(groups[0])), len(groups[1]), rangeText(choice.RangeOf(groups[1])))
	}
	return t
}

// regimes shows how sure the cells of each form and n are, and what a step costs.
func (s *sixSeven) regimes() *Table {
	t := NewTable("slots", "n", "noise", "decided", "c6", "c7", "c7/c6")
	for _, r := range s.Choice.Regimes {
		decided, all := 0, 0
		for _, c := range s.Cells {
			if c.Regime == r {
				all++
				decided += min(1, int(c.Winner))
			}
		}
		t.Add(r.Form.String(), workload.Count(r.N).String(), Cell{Text: "± " + percent(r.Noise), Value: r.Noise},
			fmt.Sprintf("%d of %d", decided, all), Interval(r.C6, results.FormatNanos), Interval(r.C7, results.FormatNanos),
			Interval(r.Ratio, results.FormatRatio))
	}
	return t
}

// bands says how much the choice matters, by T over M.
func (s *sixSeven) bands() *Table {
	p := Pivot{Corner: "T in M"}
	ends := []float64{0, 1. / 16, 1. / 4, 1, 4, 16, math.Inf(1)}
	for i, high := range ends[1:] {
		low := ends[i]
		row := fmt.Sprintf("above %s to %s", twoDigits(low), twoDigits(high))
		switch {
		case low == 0:
			row = "up to " + twoDigits(high)
		case math.IsInf(high, 1):
			row = "above " + twoDigits(low)
		}
		for _, form := range []choice.Form{choice.Linked, choice.Chunked} {
			var ratios []float64
			wins := map[choice.Winner]int{}
			for _, c := range s.Cells {
				if c.Form == form && !choice.Odd(c.Levels) && c.InM() > low && c.InM() <= high {
					ratios = append(ratios, c.Ratio.Median)
					wins[c.Winner]++
				}
			}
			if len(ratios) > 0 {
				over := results.Median(ratios)
				p.Set(row, form.String()+": 6 wins, 7 wins, ties", Cell{Text: fmt.Sprintf("%d, %d, %d", wins[6], wins[7], wins[0])})
				p.Set(row, form.String()+": cost of 6 over 7, median", Cell{Text: results.FormatRatio(over), Value: over})
			}
		}
	}
	return p.Table()
}

// startTables compare START of scheme 7 with that of scheme 6 for each of their conditions, and show what their ticks
// cost: the paper expects the one to lose where the other wins.
func startTables(table *results.Table) (all []*Table) {
	for _, s := range choice.Starts(table) {
		title := conditionsOf(s.Key).String() + ":"
		i := slices.IndexFunc(all, func(t *Table) bool { return t.Title == title })
		if i < 0 {
			i, all = len(all), append(all, NewTable("n", "START of 7 over 6", "verdict", "PER_TICK of 6", "PER_TICK of 7",
				"longest of 6", "longest of 7"))
			all[i].Title = title
		}
		six, seven := choice.SixOf(s.Key), s.Key
		six.Op, seven.Op = results.TickOp, results.TickOp
		mean6, _ := table.Median(six, results.NsPerOp)
		mean7, _ := table.Median(seven, results.NsPerOp)
		longest6, _ := longest(table, six)
		longest7, _ := longest(table, seven)
		all[i].Add(s.Key.N, Interval(s.Ratio, results.FormatRatio), s.Verdict(), Interval(mean6, results.FormatNanos),
			Interval(mean7, results.FormatNanos), Interval(longest6, results.FormatNanos),
			Interval(longest7, results.FormatNanos))
	}
	return all
}

// longestTicks are the longest PerTick of both schemes at one n.
type longestTicks struct {
	N          string // "": not measured
	Six, Seven results.Estimate
}

// longestOf returns them at the largest n that has both.
func longestOf(t *results.Table) (l longestTicks) {
	for _, s := range choice.Starts(t) {
		six, errA := longest(t, choice.SixOf(s.Key))
		seven, errB := longest(t, s.Key)
		if errA == nil && errB == nil && compareCounts(s.Key.N, l.N) >= 0 {
			l = longestTicks{s.Key.N, six, seven}
		}
	}
	return l
}

// choose names the scheme whose interval is below the other's; medians alone decide nothing.
func (l longestTicks) choose() string {
	switch {
	case l.Six.Hi < l.Seven.Lo:
		return "6"
	case l.Seven.Hi < l.Six.Lo:
		return "7"
	}
	return "either"
}

// longest returns the longest PerTick on the workload of a START.
func longest(t *results.Table, k results.Key) (results.Estimate, error) {
	k.Op = results.LatencyOp
	return t.Median(k, "max-ns")
}

const aboutCells = "Schemes 6 and 7, cell by cell. M: slots of both; m: slots of each wheel of scheme 7; " +
	"stop: share of timers stopped @ part of the interval; T: mean stay in ticks; wasted6: visits of scheme 6 that " +
	"do not expire a timer, per timer, and migrations7, both counted; migrations7_steady: by the formula for a long " +
	"run; ns6, ns7: ns a timer, medians; ratio: ns6 over ns7, round by round; low, high: 95 % intervals; winner: 0 " +
	"is within the noise; bound: what the paper's bound names, 0 is none."

const aboutBreakEven = "T*, the mean stay in ticks up to which scheme 6 costs less, by series. T_first, T_last: the " +
	"T of the series; side: T* is inside these, below or above; T_even: T*, with the T at which the 95 % interval of " +
	"the ratio crosses 1 as low and high, empty if that is beyond the series."

// lists are the cells and the series in full.
func (s *sixSeven) lists() []List {
	cells := NewTable("slots", "n", "M", "m", "dist", "stop", "T", "wasted6", "migrations7", "migrations7_steady",
		"ns6", "ns7", "ratio", "winner", "bound")
	for _, c := range s.Cells {
		cells.Add(c.Form.String(), c.Regime.N, c.Slots, c.Levels.String(), c.Key.Dist, c.Stop, uint64(c.Spec.T), c.Visits,
			c.Migrated, c.Migrations, Cell{Value: c.Six}, Cell{Value: c.Seven}, Cell{Value: c.Ratio}, int(c.Winner),
			int(c.Bound()))
	}
	even := NewTable("slots", "n", "M", "m", "dist", "stop", "T_first", "T_last", "side", "T_even")
	for _, x := range s.Series {
		at := Cell{Value: x.Even}
		if x.End != choice.Inside {
			at = Cell{}
		}
		even.Add(x.Form.String(), x.N, x.Slots, workload.Levels(x.Levels).String(), x.Dist, x.Stop, x.First, x.Last,
			[]string{"inside", "below", "above"}[x.End], at)
	}
	return []List{{"cells", aboutCells, cells}, {"breakeven", aboutBreakEven, even}}
}
