package report

import (
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
	Free    []choice.SizesFree
	Regrets []float64 // of four wheels in all of Free
	Figures []figures.XY

	Timers      []string // n of the cells
	Least, Most int      // M of the cells
	Forms       []string

	// How sure the cells are, which are CPU time.
	Resolution float64         // the difference that is decided in 80 of 100 cells
	Promise    results.Promise // of the A/A pairs
	Within     float64         // by how much the median pass of a process exceeds the sample, as a share; the median of cells
	Between    float64         // by how much A/A pairs differ in a process; the median of pairs and rounds
	Rounds     int
	Waited     int // rounds in which the wall clock ran more than a tenth longer than the CPU time
}

func newSixSeven(t *results.Table, c *choice.Choice, command string) *sixSeven {
	s := &sixSeven{Choice: c, Rule: choice.Rule, Zones: c.Zones(), Free: c.SizesFree(), Least: c.Cells[0].Slots}
	for _, f := range s.Free {
		s.Regrets = append(s.Regrets, f.Seven...)
	}
	for _, cell := range c.Cells {
		s.Least, s.Most = min(s.Least, cell.Slots), max(s.Most, cell.Slots)
		if n := workload.Count(cell.N).String(); !slices.Contains(s.Timers, n) {
			s.Timers = append(s.Timers, n)
		}
		if form := map[choice.Form]string{choice.Linked: "lists", choice.Chunked: "arrays"}[cell.Form]; !slices.Contains(s.Forms, form) {
			s.Forms = append(s.Forms, form)
		}
	}
	s.measureNoise(t)
	s.Figures = []figures.XY{s.costs(command), s.breakEven(command)}
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
	const tenth = 1.1 // the process waited for a core for a good part of the time
	for _, of := range waits {
		if results.Median(of) > tenth {
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

var logarithmic = figures.Axis{Log: true, Unit: figures.Count}

// costs draws the cost of scheme 6 over the cost of scheme 7 in every cell.
func (s *sixSeven) costs(command string) figures.XY {
	var dots []dot
	low, high := math.Inf(1), 0.0
	for _, c := range s.Cells {
		low, high = min(low, c.InM()), max(high, c.InM())
		dots = append(dots, dot{c.Form, atN(c.N).String(), figures.Point{X: c.InM(), Y: c.Ratio.Median}})
	}
	panels := panelsOf(dots)
	for i := range panels {
		equal := figures.Series{Name: "the same cost", Points: []figures.Point{{X: low, Y: 1}, {X: high, Y: 1}}}
		panels[i].Series = append(panels[i].Series, equal)
	}
	return figures.XY{
		Name: "six-over-seven", Command: command, Title: phrase("title of six-over-seven", s.TheRule()),
		Caption: []string{phrase("caption of six-over-seven", s)},
		XLabel:  "J, mean interval asked for, in M", YLabel: "cost of scheme 6 over cost of scheme 7",
		X: logarithmic, Y: logarithmic, Panels: panels,
	}
}

// breakEven draws the J in M where both cost the same. One beyond its grid is an arrow at the edge of the figure.
func (s *sixSeven) breakEven(command string) figures.XY {
	if len(s.Series) == 0 {
		return figures.XY{}
	}
	edges := [3]float64{choice.Below: math.Inf(1)}
	var ends [3]int
	least, most := math.Inf(1), 0.0 // inside the grid
	for _, x := range s.Series {
		at := x.InM().Median
		edges[choice.Below], edges[choice.Above] = min(edges[choice.Below], at), max(edges[choice.Above], at)
		if ends[x.End]++; x.End == choice.Inside {
			least, most = min(least, at), max(most, at)
		}
	}
	var dots []dot
	for _, x := range s.Series {
		name := []string{atN(x.First.N).String(), figures.Below, figures.Above}[x.End]
		point := figures.Point{X: float64(x.First.Slots), Y: edges[x.End]}
		if x.End == choice.Inside {
			point = pointOf(point.X, x.InM())
		}
		dots = append(dots, dot{x.First.Form, name, point})
	}
	return figures.XY{
		Name: "break-even", Command: command,
		Title: phrase("title of break-even", map[string]any{"least": least, "most": most, "series": len(s.Series),
			"inside": ends[choice.Inside], "below": ends[choice.Below], "above": ends[choice.Above]}),
		Caption: []string{phrase("caption of break-even", s)},
		XLabel:  "M, slots", YLabel: "J, in M: up to here scheme 6 costs less",
		X: logarithmic, Y: logarithmic, Panels: panelsOf(dots),
	}
}

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
		c := x.First
		even.Add(c.Form.String(), c.N, c.Slots, c.Levels.String(), c.Key.Dist, c.Stop, x.PerT(), float64(c.Spec.T),
			float64(x.Last.Spec.T), []string{"inside", "below", "above"}[x.End], at)
	}
	return []List{{"cells", phrase("about cells", nil), cells}, {"breakeven", phrase("about breakeven", nil), even}}
}
