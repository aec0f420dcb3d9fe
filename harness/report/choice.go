package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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
	Figures []figures.XY

	Timers      []string // n of the cells
	Least, Most int      // M of the cells
	Forms       []string
	Saved       results.Estimate // time that the rule saves over always 7, as a share

	// How sure the cells are, which are CPU time.
	Resolution float64         // the difference that is decided in 80 of 100 cells
	Promise    results.Promise // of the A/A pairs
	Within     float64         // by how much the median pass of a process exceeds the sample, as a share; the median of cells
	Between    float64         // by how much A/A pairs differ in a process; the median of pairs and rounds
	Rounds     int
	Waited     int // rounds in which the wall clock ran more than a tenth longer than the CPU time
}

func newSixSeven(t *results.Table, c *choice.Choice, command string) *sixSeven {
	s := &sixSeven{Choice: c, Rule: choice.Rule, Zones: c.Zones(), Least: c.Cells[0].Slots}
	for _, cell := range c.Cells {
		s.Least, s.Most = min(s.Least, cell.Slots), max(s.Most, cell.Slots)
		if n := workload.Count(cell.N).String(); !slices.Contains(s.Timers, n) {
			s.Timers = append(s.Timers, n)
		}
		if form := map[choice.Form]string{choice.Linked: "lists", choice.Chunked: "arrays"}[cell.Form]; !slices.Contains(s.Forms, form) {
			s.Forms = append(s.Forms, form)
		}
	}
	s.Saved = results.Estimate{Median: 1 - c.OverSeven.Median, Lo: 1 - c.OverSeven.Hi, Hi: 1 - c.OverSeven.Lo, N: c.OverSeven.N}
	s.measureNoise(t)
	s.Figures = []figures.XY{s.curves(command), s.costs(command)}
	return s
}

// measureNoise sets how sure the judged cells are.
func (s *sixSeven) measureNoise(t *results.Table) {
	pairs := pairsOf(t)
	s.Resolution, s.Promise = t.Resolution(pairs, units.NsPerOp), t.Promise(pairs, units.NsPerOp)
	var within, between []float64
	for _, pair := range pairs {
		for _, ratio := range t.Ratios(pair.Over, pair.Under, units.NsPerOp) {
			between = append(between, max(ratio, 1/ratio)-1)
		}
	}
	waits := map[int][]float64{} // wall time over CPU time by round
	for _, cell := range s.Cells {
		for _, percent := range t.Samples(cell.Cell.Key, units.Within) {
			within = append(within, percent/100)
		}
		for round, wait := range t.ByRound(cell.Cell.Key, units.WallOverCPU) {
			waits[round] = append(waits[round], wait)
		}
	}
	s.Within, s.Between, s.Rounds = results.Median(within), results.Median(between), len(waits)
	for _, of := range waits {
		if results.Median(of) > 1.1 { // the process waited for a core for a good part of the time
			s.Waited++
		}
	}
}

// more returns the cell of a regret: a percentage, or from 100 % on a factor, with its interval if it has one.
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

var logarithmic = figures.Axis{Log: true, Unit: figures.Count}

// costs draws the cost of scheme 6 over the cost of scheme 7 in every cell: whether the rule is right there, and where it
// changes.
func (s *sixSeven) costs(command string) figures.XY {
	var panels []figures.Panel
	ends := map[bool]float64{}
	low, high := math.Inf(1), 0.0
	series := []figures.Series{{Name: "the rule is right", Style: "right", Kind: figures.Measured},
		{Name: "the rule is wrong", Style: "wrong", Kind: figures.Measured}, {Name: "not decided", Style: "undecided", Kind: figures.Measured},
		{Name: "the same cost"}, {Name: "J = M/2"}}
	for _, c := range s.Cells { // which are in the order of forms and n
		low, high = min(low, c.InM()), max(high, c.InM())
		ends[false], ends[true] = min(cmp.Or(ends[false], 1), c.Ratio.Median), max(ends[true], c.Ratio.Median)
		if title := c.Form.String() + " slots"; len(panels) == 0 || panels[len(panels)-1].Title != title {
			panels = append(panels, figures.Panel{Title: title, Series: slices.Clone(series)})
		}
		which := 1
		switch c.Winner {
		case choice.Tie:
			which = 2
		case c.ByRule():
			which = 0
		}
		points := &panels[len(panels)-1].Series[which].Points
		*points = append(*points, figures.Point{X: c.InM(), Y: c.Ratio.Median})
	}
	for i := range panels {
		panels[i].Series[3].Points = []figures.Point{{X: low, Y: 1}, {X: high, Y: 1}}
		panels[i].Series[4].Points = []figures.Point{{X: 0.5, Y: ends[false]}, {X: 0.5, Y: ends[true]}}
	}
	return figures.XY{
		Name: "six-over-seven", Command: command, Title: phrase("title of six-over-seven", s.TheRule()),
		Caption: []string{phrase("caption of six-over-seven", s)},
		XLabel:  "J, mean interval asked for, in M", YLabel: "cost of scheme 6 over cost of scheme 7",
		X: logarithmic, Y: logarithmic, Panels: panels,
	}
}

// curve is what schemes 6 and 7 cost over T at one M, with the paper's expressions for it.
type curve struct {
	*choice.Regime
	Slots, Levels   int
	Measured, Paper float64 // T in M from which scheme 7 costs less: between two cells, and by the paper's bound; NaN: none
	cells           []choice.Cell
	base            float64 // ns of the cheapest cell
}

// curves draws the cost curves of both schemes where the paper's question is asked: exponential intervals, no stops,
// four wheels, at the least n from 10k on and the greatest, with the paper's expressions.
func (s *sixSeven) curves(command string) figures.XY {
	f := figures.XY{Name: "cost-curves", Command: command, XLabel: "T, mean time that a timer stays, in M",
		YLabel: "CPU time per timer, start to end, median", X: logarithmic, Y: figures.Axis{Log: true}}
	var all []curve
	least, most := math.MaxInt, 0 // n that are drawn
	for _, r := range s.Regimes {
		if most = max(most, r.N); r.N >= 10_000 {
			least = min(least, r.N)
		}
	}
	for _, r := range s.Regimes {
		if c := s.curve(r); (r.N == least || r.N == most) && len(c.cells) > 2 {
			all, f.Panels = append(all, c), append(f.Panels, c.panel())
		}
	}
	if len(all) == 0 {
		return figures.XY{}
	}
	f.Title, f.Caption = phrase("title of cost-curves", all), []string{phrase("caption of cost-curves", all)}
	return f
}

// curve returns the curve of a regime at the M that most cells have.
func (s *sixSeven) curve(r *choice.Regime) curve {
	bySlots := map[int][]choice.Cell{}
	for _, cell := range s.Cells { // by T
		if cell.Regime == r && cell.Stop == "0" && cell.Key.Dist == workload.Exp.String() && len(cell.Levels) == 4 {
			bySlots[cell.Slots] = append(bySlots[cell.Slots], cell)
		}
	}
	c := curve{Regime: r, Levels: 4, Measured: math.NaN(), Paper: 4 * r.Ratio.Median}
	for slots, cells := range bySlots {
		if len(cells) > len(c.cells) || len(cells) == len(c.cells) && slots < c.Slots {
			c.Slots, c.cells = slots, cells
		}
	}
	c.base = math.Inf(1)
	for i, cell := range c.cells {
		if c.base = min(c.base, cell.Six.Median, cell.Seven.Median); i == 0 {
			if cell.Ratio.Median >= 1 {
				c.Measured = c.inM(cell) // or less
			}
			continue
		}
		a, b := c.cells[i-1], c.cells[i]
		if from, to := math.Log(a.Ratio.Median), math.Log(b.Ratio.Median); from < 0 && to >= 0 {
			x := math.Log(c.inM(a)) + math.Log(c.inM(b)/c.inM(a))*from/(from-to)
			c.Measured = math.Exp(x)
		}
	}
	return c
}

func (c curve) inM(cell choice.Cell) float64 { return float64(cell.Spec.T) / float64(c.Slots) }

func (c curve) panel() figures.Panel {
	six, seven := figures.Series{Name: "scheme 6", Style: "hashunsorted", Kind: figures.Both},
		figures.Series{Name: "scheme 7, four wheels", Style: "hierarchical", Kind: figures.Both}
	for _, cell := range c.cells {
		six.Points, seven.Points = append(six.Points, pointOf(c.inM(cell), cell.Six)), append(seven.Points, pointOf(c.inM(cell), cell.Seven))
	}
	all := []figures.Series{six, seven}
	low, high := c.inM(c.cells[0]), c.inM(c.cells[len(c.cells)-1])
	if c.C6.Median > 0 && c.C7.Median > 0 { // the paper's expressions leave out what a timer costs that takes no step
		six, seven := figures.Series{Name: "the paper's c6 T/M"}, figures.Series{Name: "the paper's bound, c7 m"}
		for x := low; x <= high*1.001; x *= math.Pow(high/low, 0.05) {
			six.Points = append(six.Points, figures.Point{X: x, Y: c.base + c.C6.Median*x})
			seven.Points = append(seven.Points, figures.Point{X: x, Y: c.base + c.C7.Median*float64(c.Levels)})
		}
		all = append(all, six, seven)
	}
	return figures.Panel{Title: fmt.Sprintf("%s slots, n = %v, M = %d", c.Form, workload.Count(c.N), c.Slots), Series: all}
}

// lists are the cells in full.
func (s *sixSeven) lists() []List {
	cells := NewTable("slots", "n", "M", "m", "dist", "stop", "T", "J", "wasted6", "migrations7", "migrations7_steady",
		"ns6", "ns7", "ratio", "winner", "rule", "bound")
	for _, c := range s.Cells {
		cells.Add(c.Form.String(), c.Regime.N, c.Slots, c.Levels.String(), c.Key.Dist, c.Stop, uint64(c.Spec.T), c.J, c.Visits,
			c.Migrated, c.Migrations, Cell{Value: c.Six}, Cell{Value: c.Seven}, Cell{Value: c.Ratio}, int(c.Winner),
			int(c.ByRule()), int(c.Bound()))
	}
	return []List{{"cells", phrase("about cells", nil), cells}}
}
