package report

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/results"

	"timerlab/harness"
	"timerlab/harness/figures"
)

// medians is the table of one operation on one workload.
type medians struct {
	curve
	series       []figures.Series
	xs           []float64 // n
	wrong, short []tablePlace
}

// tablePlace is a cell of the table: the series that is its row, and n.
type tablePlace struct {
	scheme, label string
	n             float64
}

func newMedians(t *results.Table, c curve, w workloadOf) *medians {
	m := &medians{curve: c, series: c.series(t, w)}
	divided := severalLevels(t, w)
	for _, missing := range t.Missing {
		k := missing.Key
		if missing.Fail && k.Op == results.OperationsOp && shared(k) == w {
			m.wrong = append(m.wrong, placeOf(k, divided))
		}
	}
	for _, k := range t.Keys {
		if k.Op == c.op && shared(k) == w && len(t.Samples(k, results.ShortLap)) > 0 {
			m.short = append(m.short, placeOf(k, divided))
		}
	}
	m.addWrong()
	for _, s := range m.series {
		for _, point := range s.Points {
			if !slices.Contains(m.xs, point.X) {
				m.xs = append(m.xs, point.X)
			}
		}
	}
	slices.Sort(m.xs)
	return m
}

func placeOf(k results.Key, divided bool) tablePlace {
	n, _ := results.ParseCount(k.N) // what is none has no column either
	return tablePlace{k.Scheme, labelOf(k, divided), float64(n)}
}

// addWrong gives schemes that were wrong at every n a row.
func (m *medians) addWrong() {
	for _, c := range m.wrong {
		same := func(s figures.Series) bool { return s.Style == c.scheme && s.Name == c.label }
		if !slices.ContainsFunc(m.series, same) {
			m.series = append(m.series, figures.Series{Style: c.scheme, Name: c.label})
		}
	}
}

func (m *medians) text() string {
	head := []string{"scheme"}
	for _, x := range m.xs {
		head = append(head, "n = "+figures.Exact(x))
	}
	var rows [][]string
	for _, s := range m.series {
		row := []string{nameOf(s)}
		for _, x := range m.xs {
			row = append(row, m.cell(s, x))
		}
		rows = append(rows, row)
	}
	return table(head, rows)
}

// cell writes a median with the half-width of its interval and its marks, or -
// where it was skipped.
func (m *medians) cell(s figures.Series, x float64) string {
	if slices.Contains(m.wrong, tablePlace{s.Style, s.Name, x}) {
		return "ERROR"
	}
	point, ok := pointAt(s, x)
	if !ok {
		return "-"
	}
	text := fmt.Sprintf("%.0f", point.Y)
	if m.axis == figures.Nanoseconds {
		text = ns(point.Y)
	}
	if point.Hi > 0 && m.axis == figures.Nanoseconds {
		text += fmt.Sprintf(" ±%.0f %%", 100*max(point.Hi/point.Y-1, 1-point.Lo/point.Y))
	}
	if m.isShort(s, x) {
		text = "~" + text
	}
	if m.nearNull(s, x) {
		text += " °"
	}
	if s.Style != harness.Null.Name && m.isBest(point) {
		text = "**" + text + "**"
	}
	return text
}

// pointAt returns a series' point at x.
func pointAt(s figures.Series, x float64) (figures.Point, bool) {
	for _, point := range s.Points {
		if point.X == x {
			return point, true
		}
	}
	return figures.Point{}, false
}

// isBest reports whether a point is the least in its column, the null scheme's left
// out, or its interval overlaps the least one's: then none of the two is the best.
func (m *medians) isBest(p figures.Point) bool {
	best := p
	for _, s := range m.series {
		if other, ok := pointAt(s, p.X); ok && s.Style != harness.Null.Name && other.Y < best.Y {
			best = other
		}
	}
	if p.Hi == 0 || best.Hi == 0 { // no intervals
		return p.Y == best.Y
	}
	return p.Lo <= best.Hi
}

// isShort reports whether a cell was timed in laps that are short against the
// clock.
func (m *medians) isShort(s figures.Series, x float64) bool {
	return slices.Contains(m.short, tablePlace{s.Style, s.Name, x})
}

// nearNull reports whether a time is less than twice that of the null scheme: more
// of it is then the harness's than the scheme's own.
func (m *medians) nearNull(s figures.Series, x float64) bool {
	point, ok := pointAt(s, x)
	if !ok || s.Style == harness.Null.Name || m.axis != figures.Nanoseconds {
		return false
	}
	for _, other := range m.series {
		if null, ok := pointAt(other, x); ok && other.Style == harness.Null.Name {
			return point.Y < 2*null.Y
		}
	}
	return false
}

// legend explains the marks that the table has.
func (m *medians) legend() string {
	text := m.text()
	var lines []string
	if strings.Contains(text, "~") {
		lines = append(lines, "`~`: timed in batches shorter than 100 times the clock's resolution, so that some of the time is the clock's.")
	}
	if strings.Contains(text, "°") {
		lines = append(lines, "`°`: less than twice the null scheme's time, so most of it is the harness's.")
	}
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n\n"
}
