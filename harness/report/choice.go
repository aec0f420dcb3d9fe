package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/results"

	"timerlab/harness/claims"
	"timerlab/harness/cost"
	"timerlab/harness/figures"
)

// seriesKey is what one comparison over T and M has in common.
type seriesKey struct {
	levels int
	stop   string
}

func (k seriesKey) String() string { return fmt.Sprintf("m = %d, stop = %s", k.levels, k.stop) }

// file returns the name of a figure: with the stops if all has several shares of
// them, which one name would overwrite.
func (k seriesKey) file(kind string, all []seriesKey) string {
	name := fmt.Sprintf("%s-m%d", kind, k.levels)
	if k.stop == "0" {
		return name
	}
	other := func(o seriesKey) bool { return o.stop != "0" && o.stop != k.stop }
	if slices.ContainsFunc(all, other) {
		return name + "-stops-" + k.stop
	}
	return name + "-stops"
}

// choiceFigures returns, for each m and share of stops, the cost of a lifetime
// against T and the map of winners.
func choiceFigures(c *claims.Choice, command string) []Named {
	var all []Named
	keys := seriesOf(c)
	for _, k := range keys {
		crossover, winners := crossoverFigure(c, k, command), winnerFigure(c, k, command)
		all = append(all,
			Named{k.file("six-seven", keys), crossover, crossover.Frame},
			Named{k.file("winners", keys), winners, winners.Frame})
	}
	return all
}

func seriesOf(c *claims.Choice) []seriesKey {
	var keys []seriesKey
	for _, cell := range c.Cells {
		if k := (seriesKey{len(cell.Levels), cell.Stop}); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

func (k seriesKey) holds(levels []int, stop string) bool {
	return len(levels) == k.levels && stop == k.stop
}

// crossoverFigure has a panel for each M: the cost of a lifetime as measured, and
// as the fitted costs and the refined formulas predict it.
func crossoverFigure(c *claims.Choice, k seriesKey, command string) figures.XY {
	f := figures.XY{
		Frame: figures.Frame{
			Title: crossoverTitle(c, k),
			Caption: append([]string{
				fmt.Sprintf("n = %s, exponential intervals, %s, equal slots for both. Points: medians with 95 %% intervals, start to expiry or stop.",
					figures.Exact(float64(c.Cells[0].N)), k),
				fmt.Sprintf("Lines, fitted on uniform intervals: %.1f ns for each visit that does not expire a timer, %.1f ns for each migration, plus start, stop, expiry and ticks.",
					c.C6.Median, c.C7.Median),
			}, outsideGrid(c, k)...),
			Command: command,
		},
		XLabel: "T, mean time a timer stays, ticks",
		YLabel: "time per timer, start to end",
		X:      figures.Axis{Log: true, Unit: figures.Count},
		Y:      figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	for _, x := range c.Crossovers {
		if k.holds(x.Levels, x.Stop) {
			f.Panels = append(f.Panels, panel(c, x))
		}
	}
	return f
}

// crossoverTitle says where the crossovers are, in M.
func crossoverTitle(c *claims.Choice, k seriesKey) string {
	low, high := math.Inf(1), 0.0
	sizes, measured := 0, 0
	for _, x := range c.Crossovers {
		if !k.holds(x.Levels, x.Stop) {
			continue
		}
		sizes++
		if !math.IsNaN(x.Measured) {
			measured++
			low, high = min(low, x.Measured/float64(x.Slots)), max(high, x.Measured/float64(x.Slots))
		}
	}
	if high == 0 {
		return "Schemes 6 and 7: no crossover measured, " + k.String()
	}
	upTo := fmt.Sprintf("%.2g", low)
	if most := fmt.Sprintf("%.2g", high); most != upTo {
		upTo += " to " + most
	}
	upTo += " M"
	if measured < sizes {
		upTo += fmt.Sprintf(" at %d of %d sizes", measured, sizes)
	}
	paper := c.Ratio.Median * float64(k.levels)
	return fmt.Sprintf("Scheme 6 is cheaper up to T = %s; the paper's rule says %.2g M", upTo, paper)
}

// outsideGrid says of each M without a measured crossover on which side of the grid it must be.
func outsideGrid(c *claims.Choice, k seriesKey) []string {
	var outside []string
	for _, x := range c.Crossovers {
		if k.holds(x.Levels, x.Stop) && math.IsNaN(x.Measured) {
			outside = append(outside, fmt.Sprintf("for M = %s it is %s ticks", figures.Exact(float64(x.Slots)), x.Note))
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
		six.Points = append(six.Points, point(T, cell.Six))
		seven.Points = append(seven.Points, point(T, cell.Seven))
		model6.Points = append(model6.Points, figures.Point{X: T, Y: cell.Model6})
		model7.Points = append(model7.Points, figures.Point{X: T, Y: cell.Model7})
	}
	mark := func(by figures.Source, name string, T float64) figures.Mark {
		return figures.Mark{By: by, X: T, Label: name + " " + results.Number(T)}
	}
	measured := mark(figures.ByMeasurement, "measured", x.Measured)
	measured.Lo, measured.Hi = x.Lo, x.Hi
	return figures.Panel{
		Title:  fmt.Sprintf("M = %s, m = %d", figures.Exact(float64(x.Slots)), len(x.Levels)),
		Series: []figures.Series{model6, model7, six, seven},
		Marks:  []figures.Mark{measured, mark(figures.ByRefinedRule, "refined", x.Refined), mark(figures.ByPaper, "paper", x.Paper)},
	}
}

// winnerFigure maps who wins over T/M and M.
func winnerFigure(c *claims.Choice, k seriesKey, command string) figures.WinnerMap {
	f := figures.WinnerMap{
		Frame: figures.Frame{
			Title: winnerTitle(c, k),
			Caption: []string{
				fmt.Sprintf("n = %s, exponential intervals, %s. A cell's number: the cost of a lifetime with the other scheme, in multiples of the winner's.", figures.Exact(float64(c.Cells[0].N)), k),
				fmt.Sprintf("“=”: the difference is within the noise, %.1f %%, or its 95 %% interval holds 1.", 100*c.Noise),
			},
			Command: command,
		},
		XLabel: "T, mean time a timer stays, ticks",
		YLabel: "M, slots",
	}
	for _, x := range c.Crossovers {
		if k.holds(x.Levels, x.Stop) {
			f.M = append(f.M, float64(x.Slots))
			f.Paper = append(f.Paper, x.Paper)
			f.Refined = append(f.Refined, x.Refined)
		}
	}
	for _, cell := range c.Cells {
		if k.holds(cell.Levels, cell.Stop) && !slices.Contains(f.T, float64(cell.T)) {
			f.T = append(f.T, float64(cell.T))
		}
	}
	slices.Sort(f.T)
	f.Cells = make([][]figures.Cell, len(f.M))
	for i := range f.Cells {
		f.Cells[i] = make([]figures.Cell, len(f.T))
	}
	for _, cell := range c.Cells {
		if k.holds(cell.Levels, cell.Stop) {
			row, column := slices.Index(f.M, float64(cell.Slots)), slices.Index(f.T, float64(cell.T))
			f.Cells[row][column] = figureCell(cell)
		}
	}
	return f
}

func figureCell(cell claims.ChoiceCell) figures.Cell {
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

func winnerTitle(c *claims.Choice, k seriesKey) string {
	s := c.Score(func(cell claims.ChoiceCell) bool { return k.holds(cell.Levels, cell.Stop) })
	return fmt.Sprintf("The paper's rule names the winner in %d of %d cells, the refined rule in %d", s.Paper, s.Decided, s.Refined)
}

// choiceText is the verdict in words and tables.
func choiceText(c *claims.Choice) string {
	s := c.Score(func(claims.ChoiceCell) bool { return true })
	var b strings.Builder
	fmt.Fprintf(&b, "n = %s timers, exponential intervals, equal slots for both schemes; noise band ±%.1f %% (A/A pair).\n\n", figures.Exact(float64(c.Cells[0].N)), 100*c.Noise)
	fmt.Fprintf(&b, "- A visit of scheme 6 costs c6 = %s, a migration of scheme 7 c7 = %s; c7/c6 = %s.\n", interval(c.C6, ns), interval(c.C7, ns), interval(c.Ratio, ratio))
	fmt.Fprintf(&b, "- The paper's rule (6 while T < m·M·c7/c6) names the winner in %d of the %d cells outside the noise, %s.\n", s.Paper, s.Decided, percent(s.Paper, s.Decided))
	fmt.Fprintf(&b, "- The refined rule (6 while c6·(visits − 1) < c7·migrations) names it in %d, %s.\n", s.Refined, percent(s.Refined, s.Decided))
	fmt.Fprintf(&b, "- The fitted model (the same, and what start, stop, expiry and ticks cost each scheme) names it in %d, %s.\n", s.Model, percent(s.Model, s.Decided))
	fmt.Fprintf(&b, "- %d of %d cells are within the noise.\n", len(c.Cells)-s.Decided, len(c.Cells))
	if c.Without > 0 {
		fmt.Fprintf(&b, "- %d more have no time of both: skipped, failed or not reached.\n", c.Without)
	}
	b.WriteByte('\n')
	b.WriteString(crossoverTable(c))
	return b.String()
}

func crossoverTable(c *claims.Choice) string {
	var rows [][]string
	for _, x := range c.Crossovers {
		measured := x.Note
		if !math.IsNaN(x.Measured) {
			measured = fmt.Sprintf("%s (%s to %s)", ticks(x.Measured), ticks(x.Lo), ticks(x.Hi))
		}
		rows = append(rows, []string{
			fmt.Sprint(x.Slots), results.Radices(x.Levels), x.Stop, measured, ticks(x.Refined), ticks(x.Paper),
		})
	}
	return table([]string{"M", "levels of 7", "stop", "T* measured", "T* refined rule", "T* paper's rule"}, rows)
}

// cellTable lists every cell of the judged grid: what was counted, what was
// measured, and whom each rule names.
func cellTable(c *claims.Choice) string {
	var rows [][]string
	for _, cell := range c.Cells {
		rows = append(rows, []string{
			fmt.Sprint(cell.Slots), results.Radices(cell.Levels), cell.Stop, fmt.Sprint(cell.T),
			fmt.Sprintf("%.3f", cell.Visits), fmt.Sprintf("%.3f", cell.Migrated),
			interval(cell.Six, ns), interval(cell.Seven, ns), interval(cell.Ratio, ratio),
			winnerName(cell.Winner), winnerName(cell.Paper), winnerName(cell.Refined),
		})
	}
	return table([]string{"M", "levels of 7", "stop", "T", "wasted visits", "migrations", "6", "7", "6 / 7", "winner", "paper's rule", "refined rule"}, rows)
}

func winnerName(w cost.Winner) string {
	if w == claims.Tie {
		return "="
	}
	return fmt.Sprint(int(w))
}

// startText is the verdict on START of 6 against 7.
func startText(starts []claims.StartRatio) string {
	var keys []results.Key
	for _, s := range starts {
		keys = append(keys, s.Key)
	}
	columns := varyingColumns(keys, "M", "levels of 7")
	var rows [][]string
	for _, s := range starts {
		rows = append(rows, slices.Concat([]string{s.Key.N, s.Key.Slots, s.Key.Levels}, columnValues(columns, s.Key), []string{
			interval(s.Six, ns), interval(s.Seven, ns), interval(s.Ratio, ratio), s.Verdict(),
		}))
	}
	head := slices.Concat([]string{"n", "M", "levels of 7"}, columnHeads(columns), []string{"START of 6", "START of 7", "7 / 6", "START of 7"})
	return table(head, rows)
}
