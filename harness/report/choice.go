package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"timerlab/harness"
	"timerlab/harness/choice"
	"timerlab/harness/figures"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// sixSeven is what a page shows of the choice between schemes 6 and 7.
type sixSeven struct {
	*choice.Choice
	Rule    string         // as it was registered
	Rules   []choice.Score // of every rule, and of that one where scheme 7 migrates ahead of time
	Zones   []choice.Zone
	Free    []sizesFree
	Regrets []float64 // of four wheels in all of Free
	Advised []advised
	Figures []figures.XY
}

// sizesFree says of one form and n what is to be gained where sizes may be chosen, on the workloads measured with
// several.
type sizesFree struct {
	choice.Form
	N                 int
	SixOverSeven      results.Estimate // at the best sizes of each, where J ≤ M: the median, the least and the greatest
	Six, Seven, Fixed []float64        // regrets of scheme 6 and of four wheels, with the most slots, and of four of 256
}

func newSixSeven(c *choice.Choice, command string) *sixSeven {
	s := &sixSeven{Choice: c, Rule: choice.Rule, Rules: slices.Clone(c.Scores), Zones: c.Zones()}
	if len(c.Ahead) > 0 {
		score := choice.ScoreOf(choice.Cell.ByRule, c.Ahead)
		score.Rule = "the rule, 7 migrates ahead, m = 4"
		s.Rules = append(s.Rules, score)
	}
	all := c.Free()
	for _, r := range c.Regimes {
		f, ratios := sizesFree{Form: r.Form, N: r.N}, []float64{}
		for _, w := range all {
			if w.Form != f.Form || w.N != f.N {
				continue
			}
			f.Six, f.Seven = append(f.Six, w.Regret(6)), append(f.Seven, w.Regret(7))
			if w.Fixed > 0 {
				f.Fixed = append(f.Fixed, w.Fixed/min(w.Six, w.Seven)-1)
			}
			if w.InM() <= 1 {
				ratios = append(ratios, w.Six/w.Seven)
			}
		}
		if len(ratios) > 0 {
			f.SixOverSeven = results.Estimate{N: 1, Median: results.Median(ratios), Lo: slices.Min(ratios),
				Hi: slices.Max(ratios)}
		}
		if len(f.Seven) > 0 {
			s.Free, s.Regrets = append(s.Free, f), append(s.Regrets, f.Seven...)
		}
	}
	s.Advised = advice(all)
	s.Figures = []figures.XY{s.costs(command), s.breakEven(command)}
	return s
}

// advised is a row for who has to choose today.
type advised struct {
	choice.Cell
	Scheme, Sizes string
	Bytes         int64
	Regret        float64 // to the best of all sizes of both forms
}

// chunkedFrom is the n from which the advice is for slots of arrays: then the timers outgrow the caches.
const chunkedFrom = 100_000

// advice applies the rule, with as many slots as were measured, to exponential intervals without stops: to three J of
// each n.
func advice(free []choice.Free) (all []advised) {
	best, byN := map[workload.Spec]float64{}, map[int][]choice.Free{}
	for _, w := range free { // by n and J
		least := min(w.Six, w.Seven)
		best[w.Spec] = min(least, cmp.Or(best[w.Spec], least))
		if (w.Form == choice.Chunked) == (w.N >= chunkedFrom) && w.Stop == "0" && w.Spec.Dist == workload.Exp {
			byN[w.N] = append(byN[w.N], w)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(byN)) {
		rows := byN[n]
		for i := range min(3, len(rows)) {
			w := rows[i*(len(rows)-1)/max(1, min(3, len(rows))-1)]
			a := advised{Cell: w.Cell, Scheme: w.Key.Scheme, Sizes: "Levels " + w.Levels.String()}
			if w.ByRule() == 6 {
				six, _ := choice.SixOf(w.Key)
				a.Scheme, a.Sizes = six.Scheme, fmt.Sprint("Slots ", w.Slots)
			}
			a.Regret = (1+w.Regret(w.ByRule()))*min(w.Six, w.Seven)/best[w.Spec] - 1
			if info, err := harness.Find(a.Scheme); err == nil {
				a.Bytes = info.Bytes(n, schemes.Config{Capacity: n, Slots: w.Slots, Levels: w.Levels})
			}
			all = append(all, a)
		}
	}
	return all
}

// Place names a cell, and whether its T is the longest there: then it says where the grid ends, not how much it can be.
func (s *sixSeven) Place(c choice.Cell) string {
	if c.Regime == nil {
		return "-"
	}
	text := fmt.Sprintf("%s, n = %s, m = %v, J = %s M", c.Form, workload.Count(c.N).String(), c.Levels,
		units.FormatNumber(c.InM()))
	longer := slices.ContainsFunc(s.Cells, func(o choice.Cell) bool {
		return o.Regime == c.Regime && o.Slots == c.Slots && slices.Equal(o.Levels, c.Levels) &&
			o.Key.Dist == c.Key.Dist && o.Stop == c.Stop && o.Spec.T > c.Spec.T
	})
	if !longer && c.Ratio.Median > 1 {
		text += ", the end of the grid"
	}
	return text
}

// more is the cell of a regret: a percentage, or how many times, with its interval if there is one.
func more(e results.Estimate) Cell {
	show, regret := percent, e
	if e.Median >= 1 {
		e.Median, e.Lo, e.Hi = 1+e.Median, 1+e.Lo, 1+e.Hi
		show = func(v float64) string { return units.FormatNumber(v) + "×" }
	}
	if !e.Bounded() || e.Lo == e.Hi {
		return Cell{Text: show(e.Median), Value: regret}
	}
	return Cell{Text: Interval(e, show).Text, Value: regret}
}

// Decided says how many cells of a form and n are decided.
func (s *sixSeven) Decided(r *choice.Regime) string {
	decided, all := 0, 0
	for _, c := range s.Cells {
		if c.Regime == r {
			all++
			decided += min(1, int(c.Winner))
		}
	}
	return fmt.Sprintf("%d of %d", decided, all)
}

// Evens says where the break-even points are, without a number for those that the grid does not hold.
func (s *sixSeven) Evens() string {
	low, high, beyond := math.Inf(1), 0.0, [3]int{}
	for _, x := range s.Series {
		beyond[x.End]++
		if at := x.InM().Median; x.End == choice.Inside {
			low, high = min(low, at), max(high, at)
		}
	}
	text, inside := "in no series", beyond[choice.Inside]
	if inside > 0 {
		text = fmt.Sprintf("J = %.2g to %.2g M in %d of %d series", low, high, inside, len(s.Series))
	}
	return fmt.Sprintf("%s; below all J measured in %d, above in %d", text, beyond[choice.Below], beyond[choice.Above])
}

// caption ends with what is not judged, and why.
func (s *sixSeven) caption(text string) []string {
	for _, why := range s.Refused[:min(3, len(s.Refused))] {
		text += " Not judged: " + why + "."
	}
	return []string{text}
}

// dot is a point of a series in the panel of a form.
type dot struct {
	form   choice.Form
	series string
	figures.Point
}

// panelsOf returns a panel for each form, without what is drawn twice: several series may share an edge.
func panelsOf(dots []dot) (all []figures.Panel) {
	for _, form := range []choice.Form{choice.Linked, choice.Chunked} {
		p := figures.Panel{Title: form.String() + " slots"}
		for i, d := range dots {
			if d.form != form || slices.Contains(dots[:i], d) {
				continue
			}
			at := slices.IndexFunc(p.Series, func(l figures.Series) bool { return l.Name == d.series })
			if at < 0 {
				at, p.Series = len(p.Series), append(p.Series, figures.Series{Name: d.series, Kind: figures.Measured})
			}
			p.Series[at].Points = append(p.Series[at].Points, d.Point)
		}
		if len(p.Series) > 0 {
			all = append(all, p)
		}
	}
	return all
}

func nOf(r *choice.Regime) string { return "n = " + workload.Count(r.N).String() }

var logarithmic = figures.Axis{Log: true, Unit: figures.Count}

// costs draws the cost of scheme 6 over that of scheme 7 in every cell.
func (s *sixSeven) costs(command string) figures.XY {
	var dots []dot
	low, high := math.Inf(1), 0.0
	for _, c := range s.Cells {
		low, high = min(low, c.InM()), max(high, c.InM())
		dots = append(dots, dot{c.Form, nOf(c.Regime), figures.Point{X: c.InM(), Y: c.Ratio.Median}})
	}
	panels := panelsOf(dots)
	for i := range panels {
		equal := figures.Series{Name: "the same cost", Points: []figures.Point{{X: low, Y: 1}, {X: high, Y: 1}}}
		panels[i].Series = append(panels[i].Series, equal)
	}
	score := s.Scores[choice.TheRule]
	return figures.XY{
		Name: "six-over-seven", Command: command, Title: fmt.Sprintf("The rule is right in %s of %d cells, "+
			"its mean regret is %s: %s", percent(score.RightShare()), score.Named, percent(score.Mean.Median), score.Rule),
		Caption: s.caption("A point is a workload at equal slots M in both schemes, all of 2^k. Above 1 scheme 7 costs less."),
		XLabel:  "J, mean interval asked for, in M", YLabel: "cost of scheme 6 over that of scheme 7",
		X: logarithmic, Y: logarithmic, Panels: panels,
	}
}

// breakEven draws the J in M where both cost the same. One beyond its grid is an arrow at the edge of the figure.
func (s *sixSeven) breakEven(command string) figures.XY {
	if len(s.Series) == 0 {
		return figures.XY{}
	}
	edges := [3]float64{choice.Below: math.Inf(1)}
	for _, x := range s.Series {
		at := x.InM().Median
		edges[choice.Below], edges[choice.Above] = min(edges[choice.Below], at), max(edges[choice.Above], at)
	}
	var dots []dot
	for _, x := range s.Series {
		name := []string{nOf(x.Regime), figures.Below, figures.Above}[x.End]
		point := figures.Point{X: float64(x.Slots), Y: edges[x.End]}
		if x.End == choice.Inside {
			point = Point(float64(x.Slots), x.InM())
		}
		dots = append(dots, dot{x.Form, name, point})
	}
	return figures.XY{
		Name: "break-even", Command: command, Title: "Schemes 6 and 7 cost the same at " + s.Evens(),
		Caption: s.caption("Below its break-even scheme 6 costs less. A point is a series of workloads that differ in T. " +
			"Arrows at the edge: the break-even lies beyond the J that were measured. Bars: 95 % intervals."),
		XLabel: "M, slots", YLabel: "J, in M: up to here scheme 6 costs less",
		X: logarithmic, Y: logarithmic, Panels: panelsOf(dots),
	}
}

const aboutCells = "Schemes 6 and 7, cell by cell. M: slots of both; m: slots of each wheel of scheme 7; " +
	"stop: share of timers stopped @ part of the interval; T: mean stay in ticks; J: mean interval asked for; " +
	"wasted6: visits of scheme 6 that do not expire a timer, per timer, and migrations7, both counted; " +
	"migrations7_steady: by the formula for a long run; ns6, ns7: ns a timer, medians; ratio: ns6 over ns7, round by round; " +
	"low, high: 95 % " +
	"intervals; winner: 0 is within the noise; rule: what the rule says; bound: what the paper's bound names, 0 is none."

const aboutBreakEven = "T*, the mean stay in ticks up to which scheme 6 costs less, by series. J/T: mean interval over " +
	"mean stay; T_first, T_last: the T of the series; side: T* is inside these, below or above; T_even: T*, with the T at " +
	"which the 95 % interval of the ratio crosses 1 as low and high, empty if that is beyond the series."

// lists are the cells and the series in full.
func (s *sixSeven) lists() []List {
	cells := NewTable("slots", "n", "M", "m", "dist", "stop", "T", "J", "wasted6", "migrations7", "migrations7_steady",
		"ns6", "ns7", "ratio", "winner", "rule", "bound")
	for _, c := range s.Cells {
		cells.Add(c.Form.String(), c.Regime.N, c.Slots, c.Levels.String(), c.Key.Dist, c.Stop, uint64(c.Spec.T), c.J, c.Visits,
			c.Migrated, c.Migrations, Cell{Value: c.Six}, Cell{Value: c.Seven}, Cell{Value: c.Ratio}, int(c.Winner),
			int(c.ByRule()), int(c.Bound()))
	}
	even := NewTable("slots", "n", "M", "m", "dist", "stop", "J/T", "T_first", "T_last", "side", "T_even")
	for _, x := range s.Series {
		at := Cell{Value: x.Even}
		if x.End != choice.Inside {
			at = Cell{}
		}
		even.Add(x.Form.String(), x.N, x.Slots, workload.Levels(x.Levels).String(), x.Dist, x.Stop, x.PerT, x.First, x.Last,
			[]string{"inside", "below", "above"}[x.End], at)
	}
	return []List{{"cells", aboutCells, cells}, {"breakeven", aboutBreakEven, even}}
}
