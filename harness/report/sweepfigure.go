package report

import (
	"cmp"
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
			if c, _ := s.pivot.Get(row, column); c.rank.N > 0 {
				n, _ := results.ParseCount(strings.TrimPrefix(column, "n = "))
				series.Points = append(series.Points, Point(float64(n), c.rank))
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
	for _, column := range slices.Backward(s.pivot.Columns) {
		rows, ties := s.ranked(column)
		if len(rows) == 0 {
			continue
		}
		low, _ := s.pivot.Get(rows[0], column)
		high, _ := s.pivot.Get(rows[len(rows)-1], column)
		first := rows[0] + " takes " + s.show(low.rank.Median)
		if ties > 1 {
			first = fmt.Sprintf("%d schemes take about %s", ties, s.show(low.rank.Median))
		}
		text := fmt.Sprintf("%s at %s: %s", s.title, column, first)
		if ties == len(rows) {
			return text
		}
		return text + fmt.Sprintf(", %s takes %s, %s times as much", rows[len(rows)-1],
			s.show(high.rank.Median), results.FormatNumber(high.rank.Median/low.rank.Median))
	}
	return s.title
}

// ranked returns the schemes of a column, the least first, and how many may be the
// least; none if the column lacks one that others have.
func (s *sweep) ranked(column string) (rows []string, ties int) {
	median := map[string]float64{}
	for _, row := range s.pivot.Rows {
		c, _ := s.pivot.Get(row, column)
		timed := slices.ContainsFunc(s.pivot.Columns, func(other string) bool {
			o, _ := s.pivot.Get(row, other)
			return o.rank.N > 0
		})
		switch {
		case !timed || !isScheme(row):
			continue
		case c.rank.N == 0:
			return nil, 0
		case c.Best:
			ties++
		}
		rows = append(rows, row)
		median[row] = c.rank.Median
	}
	slices.SortStableFunc(rows, func(a, b string) int { return cmp.Compare(median[a], median[b]) })
	return rows, ties
}

// caption says what was measured, and which cells have no time.
func (s *sweep) caption() []string {
	lines := []string{s.what + ". Scheme 7 has its M slots in equal wheels. Bars: 95 % intervals of the median."}
	cells := map[string][]string{} // by reason
	var reasons []string
	for _, row := range s.pivot.Rows {
		for _, column := range s.pivot.Columns {
			c, ok := s.pivot.Get(row, column)
			if !ok || c.rank.N > 0 {
				continue
			}
			why := shortReason(c)
			reasons = appendNew(reasons, why)
			cells[why] = append(cells[why], row+" at "+column)
		}
	}
	for _, why := range reasons {
		lines = append(lines, why+": "+strings.Join(cells[why], ", ")+".")
	}
	return lines
}

// shortReason says why a cell has no time. The page has the numbers.
func shortReason(c Cell) string {
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
