package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/choice"
	"timerlab/harness/figures"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
)

// sentence returns text with a capital at its head.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// stopLabel is the end of a figure's name; empty without stops.
func stopLabel(stop string) string {
	if stop == "0" {
		return ""
	}
	return "-stops-" + strings.Replace(stop, "@", "-after-", 1)
}

// breakEvenFigures draws T* in M against M for each share of stops, with a panel for each form, n and distribution. A
// T* beyond its grid is drawn at the edge of the grid.
func breakEvenFigures(c *choice.Choice, command string) (named []Named) {
	var stopsAmong []string
	for _, s := range c.Series {
		stopsAmong = appendNew(stopsAmong, s.Stop)
	}
	for _, stop := range stopsAmong {
		all := slices.DeleteFunc(slices.Clone(c.Series), func(s choice.Series) bool { return s.Stop != stop })
		even := withoutOdd(all)
		f := figures.XY{
			Frame: figures.Frame{
				Title: fmt.Sprintf("%s: schemes 6 and 7 cost the same at T* = %s", sentence(stops(stop)), evens(all)),
				Caption: []string{"Below its T* scheme 6 costs less, above it scheme 7. Equal slots for both schemes; bars: 95 % " +
					"intervals. A T* below or above the T measured is drawn at the least or the greatest of these."},
				Command: command,
			},
			XLabel: "M, slots", YLabel: "T*, in M: up to here scheme 6 costs less",
			X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Count},
		}
		if len(even) < len(all) {
			f.Caption[0] += fmt.Sprintf(" Where the slots of a wheel are no power of two, each START divides: without "+
				"these series %s.", evens(even))
		}
		order, of := parts(all)
		for _, p := range order {
			f.Panels = append(f.Panels, figures.Panel{
				Title:  fmt.Sprintf("n = %s, %s slots, %s intervals", workload.Count(p.N).String(), p.Form, p.Dist),
				Series: breakEvenSeries(of[p]),
			})
		}
		named = append(named, Named{"break-even" + stopLabel(stop), f, f.Frame})
	}
	return named
}

// evens writes where some T* are: "0.17 to 1.7 M in 68 of 88 series; 19 are below the T measured, 1 above".
func evens(all []choice.Series) string {
	inside := slices.DeleteFunc(slices.Clone(all), func(s choice.Series) bool { return s.End != choice.Inside })
	r := choice.RangeOf(all)
	if len(inside) == 0 {
		return fmt.Sprintf("%s M in %d of %[2]d series", rangeText(r), r.Series)
	}
	text := fmt.Sprintf("%s M in %d of %d series", rangeText(choice.RangeOf(inside)), len(inside), r.Series)
	switch {
	case r.Below > 0 && r.Above > 0:
		text += fmt.Sprintf("; %d below the T measured, %d above", r.Below, r.Above)
	case r.Below > 0:
		text += fmt.Sprintf("; %d below the T measured", r.Below)
	case r.Above > 0:
		text += fmt.Sprintf("; %d above the T measured", r.Above)
	}
	return text
}

// breakEvenSeries returns the points of each m that are inside their grid, and those at its edges.
func breakEvenSeries(all []choice.Series) (lines []figures.Series) {
	for _, s := range all {
		e := s.InM()
		point := figures.Point{X: float64(s.Slots), Y: e.Median}
		name := []string{fmt.Sprintf("m = %d", len(s.Levels)), "T* is below", "T* is above"}[s.End]
		if s.End == choice.Inside {
			point = Point(point.X, e)
		}
		i := slices.IndexFunc(lines, func(l figures.Series) bool { return l.Name == name })
		if i < 0 {
			i, lines = len(lines), append(lines, figures.Series{Name: name, Kind: figures.Measured})
		}
		if !slices.Contains(lines[i].Points, point) { // several m may share an edge
			lines[i].Points = append(lines[i].Points, point)
		}
	}
	slices.SortFunc(lines, func(a, b figures.Series) int { // m first, then the edges
		return cmp.Or(-cmp.Compare(a.Name[0], b.Name[0]), strings.Compare(a.Name, b.Name))
	})
	return lines
}

// regretMaps maps what scheme 7 costs where scheme 6 is cheaper, without stops if there are such cells: for each form
// the n with the most cells. The others are in cells.csv.
func regretMaps(c *choice.Choice, command string) (named []Named) {
	order, of := parts(c.Series)
	for _, form := range []choice.Form{choice.Linked, choice.Chunked} {
		var largest part
		var most []choice.Cell
		for _, p := range order {
			var cells []choice.Cell
			for _, cell := range c.Cells {
				if p == (part{cell.Regime, cell.Key.Dist, cell.Stop}) {
					cells = append(cells, cell)
				}
			}
			if p.Form == form && (len(cells) > len(most) || len(cells) == len(most) && p.Stop == "0") {
				largest, most = p, cells
			}
		}
		if len(most) > 0 {
			f := regretMap(largest, of[largest], most, command)
			name := fmt.Sprintf("regret-7-%s-n%s-%s%s", form, workload.Count(largest.N).String(), largest.Dist,
				stopLabel(largest.Stop))
			named = append(named, Named{name, f, f.Frame})
		}
	}
	return named
}

// regretMap maps the cells of a part over T and the sizes of the wheels.
func regretMap(p part, all []choice.Series, cells []choice.Cell, command string) figures.WinnerMap {
	f := figures.WinnerMap{
		Frame: figures.Frame{
			Caption: []string{fmt.Sprintf("%s slots, n = %s, %s intervals, %s; equal slots for both schemes. The number: the "+
				"cost of a lifetime with scheme 7 in multiples of that with scheme 6, where 6 costs less. “=”: within the noise, %s, "+
				"or the interval contains 1.", p.Form, workload.Count(p.N).String(), p.Dist, stops(p.Stop),
				units.FormatPercent(p.Noise))},
			Command: command,
		},
		XLabel: "T, mean time a timer stays, ticks", YLabel: "M, slots, and m, levels",
	}
	if len(withoutOdd(all)) < len(all) {
		f.Caption[0] += " Wheels whose slots are no power of two divide at each START."
	}
	for _, c := range cells {
		f.T = append(f.T, float64(c.Spec.T))
	}
	slices.Sort(f.T)
	f.T = slices.Compact(f.T)
	for _, s := range all {
		f.Rows = append(f.Rows, fmt.Sprintf("%d, m = %d", s.Slots, len(s.Levels)))
		if p.Ratio.N > 0 {
			f.Bound = append(f.Bound, p.Ratio.Median*float64(len(s.Levels)*s.Slots))
		}
		row := make([]figures.Cell, len(f.T))
		for _, c := range cells {
			if c.Slots != s.Slots || !slices.Equal(c.Levels, s.Levels) {
				continue
			}
			cell := figures.Cell{Winner: map[choice.Winner]figures.Winner{6: figures.Six, 7: figures.Seven,
				choice.Tie: figures.Tie}[c.Winner]}
			if c.Winner == 6 {
				cell.Ratio = 1 + choice.Regret(c.Ratio.Median, 7)
			}
			row[slices.Index(f.T, float64(c.Spec.T))] = cell
		}
		f.Cells = append(f.Cells, row)
	}
	score := choice.ScoreOf(func(choice.Cell) choice.Winner { return 7 }, cells)
	f.Title = fmt.Sprintf("Always choosing scheme 7, %s slots, %s: right in %d of %d cells", p.Form, stops(p.Stop),
		score.Right, score.Named)
	if score.Worst.Median > 0 {
		worst := more(results.Estimate{Median: score.Worst.Median}) + " more"
		f.Title += ", at worst it costs " + strings.ReplaceAll(worst, "× more", "× as much")
	}
	return f
}
