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
	s.Saved = results.Estimate{Median: 1 - c.OverSeven.Median, Lo: 1 - c.OverSeven.Hi, Hi: 1 - c.OverSeven.Lo, N: c.OverSeven.N}
	s.measureNoise(t)
	s.Figures = []figures.XY{s.costs(command)}
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

// costs draws the cost of scheme 6 over the cost of scheme 7 in every cell.
func (s *sixSeven) costs(command string) figures.XY {
	var panels []figures.Panel
	low, high := math.Inf(1), 0.0
	for _, c := range s.Cells { // which are in the order of forms and n
		low, high = min(low, c.InM()), max(high, c.InM())
		if title := c.Form.String() + " slots"; len(panels) == 0 || panels[len(panels)-1].Title != title {
			panels = append(panels, figures.Panel{Title: title})
		}
		p, name := &panels[len(panels)-1], atN(c.N).String()
		if len(p.Series) == 0 || p.Series[len(p.Series)-1].Name != name {
			p.Series = append(p.Series, figures.Series{Name: name, Kind: figures.Measured})
		}
		points := &p.Series[len(p.Series)-1].Points
		*points = append(*points, figures.Point{X: c.InM(), Y: c.Ratio.Median})
	}
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
