package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/claims"
	"timerlab/harness/figures"
	"timerlab/harness/results"
)

// choicePart is the part of a choice with one number of levels of scheme 7 and one share
// of stops, over T and M.
type choicePart struct {
	claims.Choice
	levels int
	stop   string
}

// choiceParts returns the parts of a choice.
func choiceParts(c *claims.Choice) (all []choicePart) {
	for _, cell := range c.Cells {
		k := choicePart{*c, len(cell.Levels), cell.Stop}
		if slices.ContainsFunc(all, func(o choicePart) bool { return o.String() == k.String() }) {
			continue
		}
		k.Cells = slices.DeleteFunc(slices.Clone(c.Cells),
			func(o claims.ChoiceCell) bool { return len(o.Levels) != k.levels || o.Stop != k.stop })
		k.Crossovers = slices.DeleteFunc(slices.Clone(c.Crossovers),
			func(o claims.Crossing) bool { return len(o.Levels) != k.levels || o.Stop != k.stop })
		all = append(all, k)
	}
	return all
}

func (k choicePart) String() string { return fmt.Sprintf("m = %d, %s", k.levels, stops(k.stop)) }

// file returns the name of a figure: with the stops if all has several shares of
// them, so that none overwrites another.
func (k choicePart) file(kind string, all []choicePart) string {
	name := fmt.Sprintf("%s-m%d", kind, k.levels)
	if k.stop == "0" {
		return name
	}
	if slices.ContainsFunc(all, func(o choicePart) bool { return o.stop != "0" && o.stop != k.stop }) {
		return name + "-stops-" + k.stop
	}
	return name + "-stops"
}

// choiceFigures returns, for each m and share of stops, the cost of a lifetime
// against T and the map of winners.
func choiceFigures(c *claims.Choice, command string) (named []Named) {
	all := choiceParts(c)
	for _, k := range all {
		crossover, winners := k.crossoverFigure(command), k.winnerFigure(command)
		named = append(named,
			Named{k.file("six-seven", all), crossover, crossover.Frame},
			Named{k.file("winners", all), winners, winners.Frame})
	}
	return named
}

// crossoverFigure has a panel for each M: the cost of a lifetime as measured, and
// as the fitted costs and the refined formulas predict it.
func (k choicePart) crossoverFigure(command string) figures.XY {
	f := figures.XY{
		Frame: figures.Frame{
			Title: k.crossoverTitle(),
			Caption: append([]string{
				fmt.Sprintf("n = %s, exponential intervals, %s, equal slots for both. Points: medians with 95 "+
					"%% intervals, start to expiry or stop.", results.FormatCount(uint64(k.Cells[0].N)), k),
				fmt.Sprintf("Lines, fitted on uniform intervals: %s for each visit that does not expire a timer, "+
					"%s for each migration, plus start, stop, expiry and ticks.", results.FormatNanos(k.C6.Median),
					results.FormatNanos(k.C7.Median)),
			}, k.outsideGrid()...),
			Command: command,
		},
		XLabel: "T, mean time a timer stays, ticks", YLabel: "time per timer, start to end",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	for _, x := range k.Crossovers {
		f.Panels = append(f.Panels, k.panel(x))
	}
	return f
}

// crossoverTitle says where the crossovers are, in M.
func (k choicePart) crossoverTitle() string {
	at := crossoversInM(k.Crossovers)
	if len(at) == 0 {
		return "Schemes 6 and 7: no crossover measured, " + k.String()
	}
	upTo := fromTo(at) + " M"
	if len(at) < len(k.Crossovers) {
		upTo += fmt.Sprintf(" at %d of %d sizes", len(at), len(k.Crossovers))
	}
	return fmt.Sprintf("Scheme 6 is cheaper up to T = %s; the paper's rule says %.2g M", upTo,
		k.Ratio.Median*float64(k.levels))
}

// outsideGrid says of each M without a measured crossover on which side of the grid it
// must be.
func (k choicePart) outsideGrid() []string {
	var outside []string
	for _, x := range k.Crossovers {
		if math.IsNaN(x.Measured) {
			outside = append(outside, fmt.Sprintf("for M = %s it is %s ticks",
				results.FormatCount(uint64(x.Slots)), x.Note))
		}
	}
	if len(outside) == 0 {
		return nil
	}
	return []string{"T* outside the measured grid: " + strings.Join(outside, ", ") + "."}
}

func (k choicePart) panel(x claims.Crossing) figures.Panel {
	six, seven := figures.Series{Style: "hashunsorted"}, figures.Series{Style: "hierarchical"}
	model6, model7 := six, seven
	six.Kind, seven.Kind = figures.Measured, figures.Measured
	for _, cell := range k.Cells {
		if cell.Slots != x.Slots {
			continue
		}
		T := float64(cell.T)
		six.Points = append(six.Points, Point(T, cell.Six))
		seven.Points = append(seven.Points, Point(T, cell.Seven))
		model6.Points = append(model6.Points, figures.Point{X: T, Y: cell.Model6})
		model7.Points = append(model7.Points, figures.Point{X: T, Y: cell.Model7})
	}
	mark := func(by figures.Source, name string, T float64) figures.Mark {
		return figures.Mark{By: by, X: T, Label: name + " " + results.FormatNumber(math.Round(T))}
	}
	measured := mark(figures.ByMeasurement, "measured", x.Measured)
	measured.Lo, measured.Hi = x.Lo, x.Hi
	return figures.Panel{
		Title:  fmt.Sprintf("M = %s, m = %d", results.FormatCount(uint64(x.Slots)), len(x.Levels)),
		Series: []figures.Series{model6, model7, six, seven},
		Marks: []figures.Mark{
			measured, mark(figures.ByRefinedRule, "refined", x.Refined), mark(figures.ByPaper, "paper", x.Paper),
		},
	}
}

// winnerFigure maps the cheaper scheme over T/M and M.
func (k choicePart) winnerFigure(command string) figures.WinnerMap {
	s := k.Score(everyCell)
	f := figures.WinnerMap{
		Frame: figures.Frame{
			Title: fmt.Sprintf("The paper's rule names the winner in %d of %d cells, the refined rule in %d",
				s.Paper, s.Decided, s.Refined),
			Caption: []string{
				fmt.Sprintf("n = %s, exponential intervals, %s. A cell's number: the cost of a lifetime with the "+
					"other scheme, in multiples of the winner's.", results.FormatCount(uint64(k.Cells[0].N)), k),
				fmt.Sprintf("“=”: the difference is within the noise, %s, or its 95 %% interval contains 1.",
					results.FormatPercent(k.Noise)),
			},
			Command: command,
		},
		XLabel: "T, mean time a timer stays, ticks", YLabel: "M, slots",
	}
	for _, cell := range k.Cells {
		f.T = append(f.T, float64(cell.T))
	}
	slices.Sort(f.T)
	f.T = slices.Compact(f.T)
	for _, x := range k.Crossovers {
		f.M = append(f.M, float64(x.Slots))
		f.Paper, f.Refined = append(f.Paper, x.Paper), append(f.Refined, x.Refined)
		f.Cells = append(f.Cells, make([]figures.Cell, len(f.T)))
	}
	for _, cell := range k.Cells {
		f.Cells[slices.Index(f.M, float64(cell.Slots))][slices.Index(f.T, float64(cell.T))] = winnerCell(cell)
	}
	return f
}

func winnerCell(cell claims.ChoiceCell) figures.Cell {
	r := cell.Ratio.Median
	switch cell.Winner {
	case 6:
		return figures.Cell{Winner: figures.Six, Ratio: 1 / r}
	case 7:
		return figures.Cell{Winner: figures.Seven, Ratio: r}
	default:
		return figures.Cell{Winner: figures.Tie, Ratio: max(r, 1/r)}
	}
}
