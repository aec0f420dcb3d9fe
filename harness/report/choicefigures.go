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

// choicePart is the part of a choice that figures draw together: the cells and T* of one form, n,
// distribution and share of stops.
type choicePart struct {
	*claims.Fit
	dist, stop string
	cells      []claims.ChoiceCell
	crossovers []claims.Crossing
}

// choiceParts returns the parts of a choice that have a series over T.
func choiceParts(c *claims.Choice) (all []choicePart) {
	for _, x := range c.Crossovers {
		k := choicePart{Fit: x.Fit, dist: x.Dist, stop: x.Stop}
		if slices.ContainsFunc(all, func(o choicePart) bool { return o.String() == k.String() }) {
			continue
		}
		for _, o := range c.Crossovers {
			if o.Fit == k.Fit && o.Dist == k.dist && o.Stop == k.stop {
				k.crossovers = append(k.crossovers, o)
			}
		}
		for _, cell := range c.Cells {
			if cell.Fit == k.Fit && cell.Dist == k.dist && cell.Stop == k.stop {
				k.cells = append(k.cells, cell)
			}
		}
		all = append(all, k)
	}
	return all
}

func (k choicePart) String() string {
	return fmt.Sprintf("%s slots, n = %s, %s intervals, %s", k.Form, results.FormatCount(uint64(k.N)), k.dist,
		stops(k.stop))
}

// file returns the name of a figure: with what the parts of all differ in, so that none overwrites another.
func (k choicePart) file(kind string, all []choicePart) string {
	for _, part := range []struct {
		text string
		of   func(choicePart) string
	}{
		{"-" + k.Form.String(), func(o choicePart) string { return o.Form.String() }},
		{"-n" + results.FormatCount(uint64(k.N)), func(o choicePart) string { return fmt.Sprint(o.N) }},
		{"-" + k.dist, func(o choicePart) string { return o.dist }},
		{"-stops-" + strings.Replace(k.stop, "@", "-after-", 1), func(o choicePart) string { return o.stop }},
	} {
		if slices.ContainsFunc(all, func(o choicePart) bool { return part.of(o) != part.of(k) }) &&
			!strings.HasSuffix(part.text, "-stops-0") {
			kind += part.text
		}
	}
	return kind
}

// regretFigures returns the regret maps of each part.
func regretFigures(c *claims.Choice, command string) (named []Named) {
	all := choiceParts(c)
	for _, k := range all {
		for _, chosen := range []claims.Winner{7, 6} {
			f := k.regretMap(chosen, command)
			named = append(named, Named{k.file(fmt.Sprintf("regret-%d", chosen), all), f, f.Frame})
		}
	}
	return named
}

// breakEvenFigures returns T* against M for each share of stops.
func breakEvenFigures(c *claims.Choice, command string) (named []Named) {
	all := choiceParts(c)
	var seen []string
	for _, k := range all {
		if !slices.Contains(seen, k.stop) {
			seen = append(seen, k.stop)
			f := breakEvenFigure(all, k.stop, command)
			only := choicePart{Fit: k.Fit, dist: k.dist, stop: k.stop}
			none := only
			none.stop = "0"
			named = append(named, Named{only.file("break-even", []choicePart{none}), f, f.Frame})
		}
	}
	return named
}

// regretMap maps what it costs to choose one scheme where the other one is cheaper, over T and the
// sizes of the wheels.
func (k choicePart) regretMap(chosen claims.Winner, command string) figures.WinnerMap {
	f := figures.WinnerMap{
		Frame: figures.Frame{
			Title: k.regretTitle(chosen),
			Caption: []string{
				fmt.Sprintf("%s, equal slots for both schemes.", k),
				fmt.Sprintf("A cell's number: the cost of a lifetime with scheme %d in multiples of the other's, where the "+
					"other costs less. “=”: the difference is within the noise, %s, or its 95 %% interval contains 1.",
					chosen, results.FormatPercent(k.Noise)),
			},
			Command: command,
		},
		XLabel: "T, mean time a timer stays, ticks", YLabel: "M, slots, and m, levels",
	}
	for _, cell := range k.cells {
		f.T = append(f.T, float64(cell.T))
	}
	slices.Sort(f.T)
	f.T = slices.Compact(f.T)
	for _, x := range k.crossovers {
		bound := k.Ratio.Median * float64(len(x.Levels)*x.Slots)
		f.M, f.Rows = append(f.M, float64(x.Slots)), append(f.Rows, fmt.Sprintf("%d, m = %d", x.Slots, len(x.Levels)))
		f.Bound, f.Model = append(f.Bound, bound), append(f.Model, x.Model.Median)
		row := make([]figures.Cell, len(f.T))
		for _, cell := range k.cells {
			if cell.Slots == x.Slots && slices.Equal(cell.Levels, x.Levels) {
				row[slices.Index(f.T, float64(cell.T))] = regretCell(cell, chosen)
			}
		}
		f.Cells = append(f.Cells, row)
	}
	return f
}

// regretTitle says what the choice costs.
func (k choicePart) regretTitle(chosen claims.Winner) string {
	s := (&claims.Choice{Cells: k.cells}).Always(chosen, func(claims.ChoiceCell) bool { return true })
	text := fmt.Sprintf("Always choosing scheme %d, %s: ", chosen, stops(k.stop))
	if s.Right == s.Named {
		return text + "never wrong outside the noise"
	}
	return text + fmt.Sprintf("right in %d of %d cells, at worst it costs %s", s.Right, s.Named, worstOf(s))
}

// worstOf writes the worst regret without its interval.
func worstOf(s claims.Score) string {
	if s.Worst.Median >= 1 {
		return results.FormatNumber(1+s.Worst.Median) + "× as much"
	}
	return percent(s.Worst.Median) + " more"
}

func regretCell(cell claims.ChoiceCell, chosen claims.Winner) figures.Cell {
	winner := map[claims.Winner]figures.Winner{6: figures.Six, 7: figures.Seven, claims.Tie: figures.Tie}[cell.Winner]
	if cell.Winner == claims.Tie || cell.Winner == chosen {
		return figures.Cell{Winner: winner}
	}
	return figures.Cell{Winner: winner, Ratio: 1 + cell.Regret(chosen)}
}

// breakEvenFigure draws T* in M against M, measured and by the model, with a panel for each form and n.
func breakEvenFigure(all []choicePart, stop, command string) figures.XY {
	var at []float64
	series, within := 0, 0
	f := figures.XY{
		Frame:  figures.Frame{Command: command},
		XLabel: "M, slots", YLabel: "T*, in M: up to here scheme 6 costs less",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Count},
	}
	for _, k := range all {
		if k.stop != stop {
			continue
		}
		a := (&claims.Choice{Crossovers: k.crossovers}).Agree(func(claims.Crossing) bool { return true })
		series, within = series+a.Series, within+a.Within
		at = append(at, crossoversInM(k.crossovers)...)
		f.Panels = append(f.Panels, figures.Panel{
			Title:  fmt.Sprintf("n = %s, %s slots, %s intervals", results.FormatCount(uint64(k.N)), k.Form, k.dist),
			Series: k.breakEvenSeries(),
		})
	}
	f.Title = fmt.Sprintf("T*, %s: no series crosses within the grid", stops(stop))
	if len(at) > 0 {
		f.Title = fmt.Sprintf("Schemes 6 and 7 cost the same at T* = %s M, %s; the model is within 20 %% in %d of %d", fromTo(at),
			stops(stop), within, series)
	}
	f.Caption = []string{"Points: measured, with 95 % intervals. Lines: by the model, fitted on uniform " +
		"intervals. Equal slots for both schemes."}
	return f
}

func (k choicePart) breakEvenSeries() (all []figures.Series) {
	levels := map[int][2]*figures.Series{}
	var order []int
	for _, x := range k.crossovers {
		m := len(x.Levels)
		if _, ok := levels[m]; !ok {
			name := fmt.Sprintf("m = %d", m)
			levels[m] = [2]*figures.Series{{Name: name, Kind: figures.Measured}, {Name: name}}
			order = append(order, m)
		}
		slots := float64(x.Slots)
		measured := figures.Point{X: slots, Y: x.Measured / slots}
		if !math.IsNaN(x.Lo + x.Hi) {
			measured.Lo, measured.Hi = x.Lo/slots, x.Hi/slots
		}
		if !math.IsNaN(measured.Y) {
			levels[m][0].Points = append(levels[m][0].Points, measured)
		}
		if !math.IsNaN(x.Model.Median) {
			levels[m][1].Points = append(levels[m][1].Points, figures.Point{X: slots, Y: x.Model.Median / slots})
		}
	}
	slices.Sort(order)
	for _, m := range order {
		all = append(all, *levels[m][1], *levels[m][0])
	}
	return all
}

// modelFigure draws the times of the cells against those that the model predicts.
func modelFigure(c *claims.Choice, command string) figures.XY {
	f := figures.XY{
		Frame:  figures.Frame{Command: command},
		XLabel: "time per lifetime, measured", YLabel: "by the model, over what was measured",
		X: figures.Axis{Log: true, Unit: figures.Nanoseconds}, Y: figures.Axis{Unit: figures.Count},
	}
	var texts []string
	for _, fit := range c.Fits {
		six, seven := figures.Series{Style: "hashunsorted", Kind: figures.Measured},
			figures.Series{Style: "hierarchical", Kind: figures.Measured}
		equal := figures.Series{Name: "equal"}
		for _, cell := range c.Cells {
			if cell.Fit == fit {
				six.Points = append(six.Points, figures.Point{X: cell.Six.Median, Y: cell.Model6 / cell.Six.Median})
				seven.Points = append(seven.Points, figures.Point{X: cell.Seven.Median, Y: cell.Model7 / cell.Seven.Median})
				equal.Points = append(equal.Points, figures.Point{X: cell.Six.Median, Y: 1})
			}
		}
		title := fmt.Sprintf("%s, n = %s", fit.Form, results.FormatCount(uint64(fit.N)))
		f.Panels = append(f.Panels, figures.Panel{Title: title, Series: []figures.Series{equal, six, seven}})
		texts = append(texts, fmt.Sprintf("%s: %s and %s", title, percent(fit.Error6.P95),
			percent(fit.Error7.P95)))
	}
	half := 0.0
	for _, fit := range c.Fits {
		half = max(half, fit.Error6.Median, fit.Error7.Median)
	}
	f.Title = fmt.Sprintf("The model is within %s of half of the times it was not fitted on", percent(half))
	f.Caption = []string{"Each point is a cell: of exponential and other intervals, by the model that was fitted on uniform ones. " +
		"95 % of the errors of schemes 6 and 7, without the harness's time, are below: " + strings.Join(texts, "; ") + "."}
	return f
}
