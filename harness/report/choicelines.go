package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"timerlab/harness/claims"
	"timerlab/harness/figures"
	"timerlab/harness/results"
)

// breakEvenFigures returns T* against M for each share of stops.
func breakEvenFigures(c *claims.Choice, command string) (named []Named) {
	all := choiceParts(c)
	var seen []string
	for _, k := range all {
		if slices.Contains(seen, k.stop) {
			continue
		}
		seen = append(seen, k.stop)
		if f := breakEvenFigure(all, k.stop, command); len(f.Panels) > 0 {
			named = append(named, Named{"break-even" + k.stopLabel(), f, f.Frame})
		}
	}
	return named
}

// breakEvenFigure draws T* in M against M, measured and by the model, with a panel for each form and n.
func breakEvenFigure(all []choicePart, stop, command string) figures.XY {
	var shown []claims.Crossing
	f := figures.XY{
		Frame:  figures.Frame{Command: command},
		XLabel: "M, slots", YLabel: "T*, in M: up to here scheme 6 costs less",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Count},
	}
	for _, k := range all {
		if k.stop != stop {
			continue
		}
		shown = append(shown, k.crossovers...)
		title := fmt.Sprintf("n = %s, %s slots, %s intervals", results.FormatCount(uint64(k.N)), k.Form, k.dist)
		lines := k.breakEvenSeries()
		if slices.ContainsFunc(lines, func(s figures.Series) bool { return len(s.Points) > 0 }) {
			f.Panels = append(f.Panels, figures.Panel{Title: title, Series: lines})
		}
	}
	f.Title = fmt.Sprintf("T*, %s: no series crosses within the grid", stops(stop))
	if at := crossoversInM(shown); len(at) > 0 {
		agreed := (&claims.Choice{Crossovers: shown}).Agree(func(claims.Crossing) bool { return true })
		f.Title = fmt.Sprintf("Schemes 6 and 7 cost the same at T* = %s M, %s", fromTo(at), stops(stop))
		if agreed.Series > 0 {
			f.Title += fmt.Sprintf("; the model is within 20 %% in %d of %d", agreed.Within, agreed.Series)
		}
	}
	f.Caption = []string{"Points: measured, with 95 % intervals. Lines: by the model, fitted on uniform " +
		"intervals. Equal slots for both schemes."}
	return f
}

// breakEvenSeries returns for each m a line by the model and the points measured.
func (k choicePart) breakEvenSeries() (all []figures.Series) {
	levels := map[int]bool{}
	for _, x := range k.crossovers {
		levels[len(x.Levels)] = true
	}
	for _, m := range slices.Sorted(maps.Keys(levels)) {
		name := fmt.Sprintf("m = %d", m)
		model, measured := figures.Series{Name: name}, figures.Series{Name: name, Kind: figures.Measured}
		for _, x := range k.crossovers {
			if len(x.Levels) != m {
				continue
			}
			slots := float64(x.Slots)
			if at := inM(x); !math.IsNaN(at.Median) {
				measured.Points = append(measured.Points, Point(slots, at))
			}
			if !math.IsNaN(x.Model.Median) {
				model.Points = append(model.Points, figures.Point{X: slots, Y: x.Model.Median / slots})
			}
		}
		all = append(all, model, measured)
	}
	return all
}

// modelFigure draws the times of the cells against those that the model predicts.
func modelFigure(c *claims.Choice, command string) figures.XY {
	f := figures.XY{
		Frame:  figures.Frame{Command: command},
		XLabel: "time per lifetime, measured", YLabel: "error of the model, %",
		X: figures.Axis{Log: true, Unit: figures.Nanoseconds}, Y: figures.Axis{Unit: figures.Count},
	}
	var texts []string
	half := 0.0
	for _, fit := range c.Modelled() {
		six := figures.Series{Style: "hashunsorted", Kind: figures.Measured}
		seven := figures.Series{Style: "hierarchical", Kind: figures.Measured}
		equal := figures.Series{Name: "no error"}
		for _, cell := range c.Cells {
			if cell.Fit == fit {
				a, b := cell.Six.Median, cell.Seven.Median
				six.Points = append(six.Points, figures.Point{X: a, Y: 100 * (cell.Model6/a - 1)})
				seven.Points = append(seven.Points, figures.Point{X: b, Y: 100 * (cell.Model7/b - 1)})
				equal.Points = append(equal.Points, figures.Point{X: a})
			}
		}
		title := fmt.Sprintf("%s, n = %s", fit.Form, results.FormatCount(uint64(fit.N)))
		f.Panels = append(f.Panels, figures.Panel{Title: title, Series: []figures.Series{equal, six, seven}})
		texts = append(texts, fmt.Sprintf("%s: %s and %s", title, percent(fit.Error6.P95), percent(fit.Error7.P95)))
		half = max(half, fit.Error6.Median, fit.Error7.Median)
	}
	f.Title = fmt.Sprintf("The model is within %s of half of the times it was not fitted on", percent(half))
	f.Caption = []string{"Each point is a cell: of exponential and other intervals, by the model that was fitted on " +
		"uniform ones. 95 % of the errors of schemes 6 and 7, without the harness's time, are below: " +
		strings.Join(texts, "; ") + "."}
	return f
}
