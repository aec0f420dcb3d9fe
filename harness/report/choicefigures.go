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

// series is one comparison over T and M: the levels of scheme 7 and the stops.
type series struct {
	levels int
	stop   string
}

func (k series) String() string { return fmt.Sprintf("m = %d, %s", k.levels, stops(k.stop)) }

func (k series) has(levels []int, stop string) bool { return len(levels) == k.levels && stop == k.stop }

// file returns the name of a figure: with the stops if all has several shares of
// them, so that none overwrites another.
func (k series) file(kind string, all []series) string {
	name := fmt.Sprintf("%s-m%d", kind, k.levels)
	if k.stop == "0" {
		return name
	}
	other := func(o series) bool { return o.stop != "0" && o.stop != k.stop }
	if slices.ContainsFunc(all, other) {
		return name + "-stops-" + k.stop
	}
	return name + "-stops"
}

// choiceFigures returns, for each m and share of stops, the cost of a lifetime
// against T and the map of winners.
func choiceFigures(c *claims.Choice, command string) (all []Named) {
	var keys []series
	for _, cell := range c.Cells {
		if k := (series{len(cell.Levels), cell.Stop}); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, k := range keys {
		crossover, winners := crossoverFigure(c, k, command), winnerFigure(c, k, command)
		all = append(all,
			Named{k.file("six-seven", keys), crossover, crossover.Frame},
			Named{k.file("winners", keys), winners, winners.Frame})
	}
	return all
}

// crossoverFigure has a panel for each M: the cost of a lifetime as measured, and
// as the fitted costs and the refined formulas predict it.
func crossoverFigure(c *claims.Choice, k series, command string) figures.XY {
	f := figures.XY{
		Frame: figures.Frame{
			Title: crossoverTitle(c, k),
			Caption: append([]string{
				fmt.Sprintf("n = %s, exponential intervals, %s, equal slots for both. Points: medians with 95 "+
					"%% intervals, "+
					"start to expiry or stop.", results.FormatCount(uint64(c.Cells[0].N)), k),
				fmt.Sprintf("Lines, fitted on uniform intervals: %s for each visit that does not expire a "+
					"timer, %s for each migration, "+
					"plus start, stop, expiry and ticks.", results.FormatNanos(c.C6.Median), results.FormatNanos(c.C7.Median)),
			}, outsideGrid(c, k)...),
			Command: command,
		},
		XLabel: "T, mean time a timer stays, ticks",
		YLabel: "time per timer, start to end",
		X:      figures.Axis{Log: true, Unit: figures.Count},
		Y:      figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	for _, x := range c.Crossovers {
		if k.has(x.Levels, x.Stop) {
			f.Panels = append(f.Panels, panel(c, x))
		}
	}
	return f
}

// crossoverTitle says where the crossovers are, in M.
func crossoverTitle(c *claims.Choice, k series) string {
	low, high := crossoverRange(c, func(x claims.Crossing) bool { return k.has(x.Levels, x.Stop) })
	if high == 0 {
		return "Schemes 6 and 7: no crossover measured, " + k.String()
	}
	sizes, measured := 0, 0
	for _, x := range c.Crossovers {
		if k.has(x.Levels, x.Stop) {
			if sizes++; !math.IsNaN(x.Measured) {
				measured++
			}
		}
	}
	upTo := fromTo(low, high) + " M"
	if measured < sizes {
		upTo += fmt.Sprintf(" at %d of %d sizes", measured, sizes)
	}
	return fmt.Sprintf("Scheme 6 is cheaper up to T = %s; the paper's rule says %.2g M", upTo,
		c.Ratio.Median*float64(k.levels))
}

// outsideGrid says of each M without a measured crossover on which side of the grid it
// must be.
func outsideGrid(c *claims.Choice, k series) []string {
	var outside []string
	for _, x := range c.Crossovers {
		if k.has(x.Levels, x.Stop) && math.IsNaN(x.Measured) {
			outside = append(outside, fmt.Sprintf("for M = %s it is %s ticks",
				results.FormatCount(uint64(x.Slots)), x.Note))
		}
	}
	if len(outside) == 0 {
		return nil
	}
	return []string{"T* outside the measured grid: " + strings.Join(outside, ", ") + "."}
}

func panel(c *claims.Choice, x claims.Crossing) figures.Panel {
	six, seven := figures.Series{Style: "hashunsorted"}, figures.Series{Style: "hierarchical"}
	model6, model7 := six, seven
	six.Kind, seven.Kind = figures.Measured, figures.Measured
	for _, cell := range c.Cells {
		if cell.Slots != x.Slots || len(cell.Levels) != len(x.Levels) || cell.Stop != x.Stop {
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
func winnerFigure(c *claims.Choice, k series, command string) figures.WinnerMap {
	s := c.Score(func(cell claims.ChoiceCell) bool { return k.has(cell.Levels, cell.Stop) })
	f := figures.WinnerMap{
		Frame: figures.Frame{
			Title: fmt.Sprintf("The paper's rule names the winner in %d of %d cells, the refined rule in %d",
				s.Paper, s.Decided, s.Refined),
			Caption: []string{
				fmt.Sprintf("n = %s, exponential intervals, %s. A cell's number: the cost of a lifetime with "+
					"the other scheme, "+
					"in multiples of the winner's.", results.FormatCount(uint64(c.Cells[0].N)), k),
				fmt.Sprintf("“=”: the difference is within the noise, %s, or its 95 %% interval contains 1.",
					results.FormatPercent(c.Noise)),
			},
			Command: command,
		},
		XLabel: "T, mean time a timer stays, ticks",
		YLabel: "M, slots",
	}
	for _, x := range c.Crossovers {
		if k.has(x.Levels, x.Stop) {
			f.M = append(f.M, float64(x.Slots))
			f.Paper = append(f.Paper, x.Paper)
			f.Refined = append(f.Refined, x.Refined)
		}
	}
	f.T, f.Cells = winnerCells(c, k, f.M)
	return f
}

// winnerCells returns the T of the series, and its cells by M and T.
func winnerCells(c *claims.Choice, k series, slots []float64) (means []float64, cells [][]figures.Cell) {
	chosen := slices.DeleteFunc(slices.Clone(c.Cells),
		func(cell claims.ChoiceCell) bool { return !k.has(cell.Levels, cell.Stop) })
	for _, cell := range chosen {
		means = append(means, float64(cell.T))
	}
	slices.Sort(means)
	means = slices.Compact(means)
	for range slots {
		cells = append(cells, make([]figures.Cell, len(means)))
	}
	for _, cell := range chosen {
		cells[slices.Index(slots, float64(cell.Slots))][slices.Index(means, float64(cell.T))] = winnerCell(cell)
	}
	return means, cells
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
