package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/choice"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
)

// sixSeven is what a page shows of the choice between schemes 6 and 7.
type sixSeven struct {
	*choice.Choice
	Answers   *Table // what a reader remembers, without intervals
	Rules     *Table // rules and zones, scored
	Ranges    *Table // T* by regime
	Regimes   *Table // noise and costs of steps
	Bands     *Table // by T/M
	BreakEven []Named
	Maps      []Named      // of the regret of scheme 7
	Longest   choice.Start // with the longest PER_TICK of both at the largest n that has them
	// Decided is how many cells are. The scores are of rules.
	Decided                         int
	Always6, Always7, Longer, Bound choice.Score
}

func newSixSeven(t *results.Table, c *choice.Choice, command string) *sixSeven {
	s := &sixSeven{Choice: c, Decided: c.Scores[0].Decided, Always6: c.Scores[0], Always7: c.Scores[1],
		Longer: c.Scores[2], Bound: c.Scores[3]}
	for _, start := range choice.Starts(t) {
		if start.Longest[0].N > 0 && start.Longest[1].N > 0 {
			s.Longest = start
		}
	}
	s.Answers, s.Rules = s.answers(), s.rules()
	s.Ranges, s.Regimes, s.Bands = s.ranges(), s.regimes(), s.bands()
	s.BreakEven, s.Maps = breakEvenFigures(c, command), regretMaps(c, command)
	return s
}

// Evens says where T* is.
func (s *sixSeven) Evens() string { return evens(s.Series) }

// Divides reports whether there are series whose wheels divide.
func (s *sixSeven) Divides() bool { return len(withoutOdd(s.Series)) < len(s.Series) }

// withoutOdd returns the series whose wheels do not divide.
func withoutOdd(all []choice.Series) []choice.Series {
	return slices.DeleteFunc(slices.Clone(all), func(s choice.Series) bool { return choice.Odd(s.Levels) })
}

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
	seven, longer, bound := s.Always7, s.Longer, s.Bound
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
		t.Add(bound.Rule, "7", fmt.Sprintf("cheaper in %d of %d; silent in %d cells", bound.Right,
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
	if six, seven := s.Longest.Longest[0], s.Longest.Longest[1]; seven.N > 0 {
		t.Add("the longest PerTick matters", least(six, seven), fmt.Sprintf("%s in scheme 6, %s in scheme 7, n = %s",
			units.FormatNanos(six.Median), units.FormatNanos(seven.Median), s.Longest.Key.N))
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
			c := score.At
			worst, at = more(score.Worst), fmt.Sprintf("%s, n = %s, %v, T = %d", c.Form,
				workload.Count(c.Regime.N).String(), c.Levels, c.Spec.T)
		}
		t.Add(append(row, score.Right, Cell{Text: more(score.Mean), Value: score.Mean},
			Cell{Text: more(score.Other), Value: score.Other}, Cell{Text: worst, Value: score.Worst}, at)...)
	}
	for i, score := range s.Scores {
		add(score.Rule, min(6+i, 7), score) // all but the first say 7
	}
	for _, a := range s.Zones() {
		if a.Score.Other.Bounded() { // a zone with one group of cells says nothing of others
			add(zone(a), int(a.Choose), a.Score)
		}
	}
	return t
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
	t := NewTable("slots", "n", "intervals", "stops", "series", "T* in M")
	if s.Divides() {
		t = NewTable("slots", "n", "intervals", "stops", "series, 2^k", "T* in M, 2^k", "series, others", "T* in M, others")
	}
	order, of := parts(s.Series)
	for _, p := range order {
		odd := slices.DeleteFunc(slices.Clone(of[p]), func(x choice.Series) bool { return !choice.Odd(x.Levels) })
		even, share := choice.RangeOf(withoutOdd(of[p])), strings.NewReplacer("no stops", "none", " stopped", "",
			" of their interval", "").Replace(stops(p.Stop))
		row := []any{p.Form.String(), workload.Count(p.N).String(), p.Dist, share, even.Series, rangeText(even), len(odd),
			rangeText(choice.RangeOf(odd))}
		t.Add(row[:len(t.Heads)]...)
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
			fmt.Sprintf("%d of %d", decided, all), Interval(r.C6, units.FormatNanos), Interval(r.C7, units.FormatNanos),
			Interval(r.Ratio, units.FormatRatio))
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
				p.Set(row, form.String()+": cost of 6 over 7, median", Cell{Text: units.FormatRatio(over), Value: over})
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
		row := []any{s.Key.N, Interval(s.Ratio, units.FormatRatio), s.Verdict}
		for _, e := range append(s.Tick[:], s.Longest[:]...) {
			row = append(row, Interval(e, units.FormatNanos))
		}
		all[i].Add(row...)
	}
	return all
}

// least names the scheme whose interval is below the other's; medians alone decide nothing.
func least(six, seven results.Estimate) string {
	switch {
	case six.Hi < seven.Lo:
		return "6"
	case seven.Hi < six.Lo:
		return "7"
	}
	return "either"
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
