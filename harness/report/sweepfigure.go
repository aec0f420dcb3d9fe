package report

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/figures"
	"timerlab/harness/results"
)

// figure draws the sweep, if it has two n or more.
func (s *sweep) figure(name, title, command string) (Named, bool) {
	f := figures.XY{
		Frame:  figures.Frame{Title: title, Caption: s.caption(), Command: command},
		XLabel: "timers outstanding, n", YLabel: s.title + ": " + s.label,
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: s.axis},
		Slopes: s.axis == figures.Nanoseconds,
	}
	for _, row := range s.pivot.Rows {
		series := figures.Series{Style: schemeOf(row), Kind: figures.Both}
		for _, other := range s.pivot.Rows {
			if other != row && schemeOf(other) == series.Style {
				series.Name = row // not the scheme's own label, which both would have
			}
		}
		for _, column := range s.pivot.Columns {
			if c := s.pivot.get(row, column); c.estimate().N > 0 {
				n, _ := results.ParseCount(strings.TrimPrefix(column, "n = "))
				series.Points = append(series.Points, Point(float64(n), c.estimate()))
			}
		}
		if len(series.Points) > 0 {
			f.Series = append(f.Series, series)
		}
	}
	return Named{name, f, f.Frame}, len(s.pivot.Columns) > 1
}

// Point returns an estimate at x, without a bar where the interval is unknown.
func Point(x float64, e results.Estimate) figures.Point {
	if !e.Bounded() {
		return figures.Point{X: x, Y: e.Median}
	}
	return figures.Point{X: x, Y: e.Median, Lo: e.Lo, Hi: e.Hi}
}

// finding says how far the schemes are apart at the largest n that all reach.
func (s *sweep) finding() string {
	timed := map[string]bool{} // at any n
	for _, column := range s.pivot.Columns {
		for _, c := range s.pivot.measured(column, isScheme) {
			timed[c.row] = true
		}
	}
	for _, column := range slices.Backward(s.pivot.Columns) {
		cells := s.pivot.measured(column, isScheme)
		if len(cells) < len(timed) || len(cells) == 0 {
			continue
		}
		ties := 0 // that may be the least
		for _, c := range cells {
			if c.Best {
				ties++
			}
		}
		low, high := cells[0], cells[len(cells)-1]
		least, most := low.estimate().Median, high.estimate().Median
		first := low.row + " takes " + s.show(least)
		if ties > 1 {
			first = fmt.Sprintf("%d schemes take about %s", ties, s.show(least))
		}
		text := fmt.Sprintf("%s at %s: %s", s.title, column, first)
		if ties == len(cells) {
			return text
		}
		return text + fmt.Sprintf(", %s takes %s, %s times as much", high.row, s.show(most),
			results.FormatNumber(most/least))
	}
	return s.title
}

// caption says what was measured, and which cells have no time.
func (s *sweep) caption() []string {
	lines := []string{s.what + ". " + s.sizes + "Bars: 95 % intervals of the median."}
	cells := map[string][]string{} // by reason
	var reasons []string
	for _, row := range s.pivot.Rows {
		for _, column := range s.pivot.Columns {
			if c := s.pivot.get(row, column); c.row != "" && c.estimate().N == 0 {
				why := shortReason(c)
				reasons = appendNew(reasons, why)
				cells[why] = append(cells[why], row+" at "+column)
			}
		}
	}
	for _, why := range reasons {
		lines = append(lines, why+": "+strings.Join(cells[why], ", ")+".")
	}
	return lines
}

// shortReason says why a cell has no time. The page has the numbers.
func shortReason(c *Cell) string {
	switch {
	case c.Why == "":
		return "WRONG OUTCOME"
	case strings.HasPrefix(c.Why, "predicted to take") && strings.Contains(c.Why, " MB"):
		return "Skipped as too large"
	case strings.HasPrefix(c.Why, "predicted to take"):
		return "Skipped as too slow"
	}
	return "Skipped, " + c.Why
}
