package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/claims"
	"timerlab/harness/figures"
	"timerlab/harness/results"
)

// measure is what schemes are compared by over n.
type measure struct {
	op, unit, file, title, label string
	axis                         figures.Unit
	show                         func(float64) string
}

var measures = []measure{
	{results.LifetimeOp, results.NsPerOp, "lifetime", "Lifetime", "time per timer, start to end, median", figures.Nanoseconds, results.FormatNanos},
	{"Start", results.NsPerOp, "start", "START", "time per Start, median", figures.Nanoseconds, results.FormatNanos},
	{"Stop", results.NsPerOp, "stop", "STOP", "time per Stop, median", figures.Nanoseconds, results.FormatNanos},
	{"PerTick", results.NsPerOp, "per-tick", "PER_TICK", "time per PerTick, median", figures.Nanoseconds, results.FormatNanos},
	{"Memory", results.BytesPerTimer, "bytes", "Memory", "bytes per outstanding timer, slots included", figures.Bytes, results.FormatBytes},
}

// conditions are what the cells of one sweep share.
type conditions struct{ Slots, T, Dist, Stop, Rest string }

func conditionsOf(k results.Key) conditions { return conditions{k.Slots, k.T, k.Dist, k.Stop, k.Rest} }

func (c conditions) String() string {
	text := fmt.Sprintf("M = %s, T = %s, %s intervals, %s", c.Slots, c.T, c.Dist, stops(c.Stop))
	return text + strings.ReplaceAll(c.Rest, "/", ", ")
}

// stops writes a share of timers stopped in words.
func stops(fraction string) string {
	share, part, err := results.ParseFraction(fraction)
	if err != nil || share == 0 {
		return "no stops"
	}
	return fmt.Sprintf("%s stopped after %s of their interval", results.FormatPercent(share), results.FormatPercent(part))
}

// sweep is one measure under the same conditions: schemes by n.
type sweep struct {
	measure
	conditions
	sizes []uint64 // n, ascending; a column each
	pivot Pivot
}

// mostAlone is how many tables of a single n there may be of one measure: more are a
// grid, and pages have tables of their own for those.
const mostAlone = 12

// sweepsOf returns the sweeps of a measure in the order measured: those over several
// n or, if there are none, those at one.
func sweepsOf(t *results.Table, m measure) []sweep {
	sizes := map[conditions][]uint64{}
	var order, several []conditions
	add := func(k results.Key) {
		if n, err := results.ParseCount(k.N); err == nil && !slices.Contains(sizes[conditionsOf(k)], n) {
			sizes[conditionsOf(k)] = append(sizes[conditionsOf(k)], n)
		}
	}
	for _, k := range t.Keys {
		if k.Op == m.op && !claims.Own(k) {
			if add(k); !slices.Contains(order, conditionsOf(k)) {
				order = append(order, conditionsOf(k))
			}
		}
	}
	for _, missing := range t.Missing {
		if k := missing.Key; k.Op == results.RunOf(m.op) && sizes[conditionsOf(k)] != nil {
			add(k)
		}
	}
	for _, c := range order {
		slices.Sort(sizes[c])
		if len(sizes[c]) > 1 {
			several = append(several, c)
		}
	}
	if len(several) == 0 && len(order) <= mostAlone {
		several = order
	}
	var all []sweep
	for _, c := range several {
		all = append(all, newSweep(t, m, c, sizes[c]))
	}
	return all
}

func newSweep(t *results.Table, m measure, c conditions, sizes []uint64) sweep {
	s := sweep{measure: m, conditions: c, sizes: sizes, pivot: Pivot{Corner: "scheme"}}
	for _, n := range sizes {
		s.pivot.Columns = append(s.pivot.Columns, sizeColumn(n))
	}
	measured := func(k results.Key) bool {
		return conditionsOf(k) == c && !strings.HasSuffix(k.Scheme, results.Again)
	}
	divided := severalLevels(t, measured)
	for _, k := range t.Keys {
		if k.Op == m.op && measured(k) {
			s.pivot.Set(rowOf(k, divided), "n = "+k.N, s.cell(t, k))
		}
	}
	for _, missing := range t.Missing {
		k := missing.Key
		if k.Op != results.RunOf(m.op) || !measured(k) || !slices.Contains(s.pivot.Columns, "n = "+k.N) {
			continue
		}
		s.pivot.Set(rowOf(k, divided), "n = "+k.N, missingCell(missing))
	}
	slices.SortStableFunc(s.pivot.Rows, func(a, b string) int { return cmp.Compare(layer(a), layer(b)) })
	s.markNearNull()
	s.pivot.Bold(isScheme)
	return s
}

func sizeColumn(n uint64) string { return "n = " + results.FormatCount(n) }

func missingCell(m results.Missing) Cell {
	if m.Fail {
		return Wrong()
	}
	return None(reason(m.Why))
}

// cell is a cell's median. Its interval is left out for memory, which hardly varies.
func (s sweep) cell(t *results.Table, k results.Key) Cell {
	e, err := t.Median(k, s.unit)
	if err != nil {
		return None("")
	}
	c := Median(e, s.show)
	if s.axis == figures.Bytes {
		c.Text = s.show(e.Median)
	}
	if len(t.Samples(k, results.ShortLap)) > 0 {
		c.Text = "~" + c.Text
		c.Note = "`~`: timed in batches shorter than 100 times the clock's resolution, so part of the time is the clock's."
	}
	return c
}

// markNearNull marks times less than twice that of the null scheme: most of such a
// time is the harness's.
func (s sweep) markNearNull() {
	for _, column := range s.pivot.Columns {
		null, ok := s.pivot.Get(results.NullScheme, column)
		for _, row := range s.pivot.Rows {
			c, _ := s.pivot.Get(row, column)
			if !ok || row == results.NullScheme || s.axis == figures.Bytes || c.rank.N == 0 || c.rank.Median >= 2*null.rank.Median {
				continue
			}
			c.Text += " °"
			c.Note = strings.TrimSpace(c.Note + " `°`: less than twice the null scheme's time, so most of it is the harness's.")
			s.pivot.Set(row, column, c)
		}
	}
}

func isScheme(row string) bool { return row != results.NullScheme }

// severalLevels reports whether a scheme has the slots of these cells in different
// levels.
func severalLevels(t *results.Table, measured func(results.Key) bool) bool {
	levels := map[string]string{} // by scheme
	for _, k := range t.Keys {
		if !measured(k) || k.Levels == "" {
			continue
		}
		if known, ok := levels[k.Scheme]; ok && known != k.Levels {
			return true
		}
		levels[k.Scheme] = k.Levels
	}
	return false
}

// rowOf returns the name of a key's row: the scheme and, if a scheme's slots are
// divided into levels in several ways, these.
func rowOf(k results.Key, divided bool) string {
	if !divided || k.Levels == "" {
		return k.Scheme
	}
	return k.Scheme + ", m = " + k.Levels
}

func schemeOf(row string) string {
	scheme, _, _ := strings.Cut(row, ",")
	return scheme
}

// layer is the order of rows and curves: the null scheme first, the two that the
// paper recommends last, on top of the others.
func layer(row string) string {
	switch schemeOf(row) {
	case results.NullScheme:
		return "0"
	case "hashunsorted":
		return "8" + row
	case "hierarchical":
		return "9"
	}
	return "1" + row
}

// figure draws the sweep, if it has two n or more.
func (s sweep) figure(name, command string) (Named, bool) {
	f := figures.XY{
		Frame:  figures.Frame{Title: s.finding(), Caption: s.caption(), Command: command},
		XLabel: "timers outstanding, n", YLabel: s.title + ": " + s.label,
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: s.axis},
		Slopes: s.axis == figures.Nanoseconds,
	}
	for _, row := range s.pivot.Rows {
		series := figures.Series{Style: schemeOf(row), Kind: figures.Both}
		if row != series.Style {
			series.Name = row
		}
		for i, column := range s.pivot.Columns {
			if c, _ := s.pivot.Get(row, column); c.rank.N > 0 {
				series.Points = append(series.Points, point(float64(s.sizes[i]), c.rank))
			}
		}
		if len(series.Points) > 0 {
			f.Series = append(f.Series, series)
		}
	}
	return Named{name, f, f.Frame}, len(s.sizes) > 1
}

// point returns an estimate at x, without a bar where the interval is unknown.
func point(x float64, e results.Estimate) figures.Point {
	if !e.Bounded() {
		return figures.Point{X: x, Y: e.Median}
	}
	return figures.Point{X: x, Y: e.Median, Lo: e.Lo, Hi: e.Hi}
}

// finding says how far the schemes are apart at the largest n that all reach.
func (s sweep) finding() string {
	for _, column := range slices.Backward(s.pivot.Columns) {
		low, high, ties, all := s.extremes(column)
		if !all || low == "" {
			continue
		}
		least, _ := s.pivot.Get(low, column)
		most, _ := s.pivot.Get(high, column)
		first := low + " takes " + s.show(least.rank.Median)
		if low == high {
			return fmt.Sprintf("%s at %s: %s", s.title, column, first)
		}
		if ties > 1 {
			first = fmt.Sprintf("%d schemes tie at %s", ties, s.show(least.rank.Median))
		}
		return fmt.Sprintf("%s at %s: %s, %s takes %s, %s times as much", s.title, column, first,
			high, s.show(most.rank.Median), results.FormatNumber(most.rank.Median/least.rank.Median))
	}
	return s.title
}

// extremes returns the rows with the least and the greatest value of a column, how
// many may be the least, and whether all rows have a value that have any.
func (s sweep) extremes(column string) (low, high string, ties int, all bool) {
	least, most := math.Inf(1), math.Inf(-1)
	for _, row := range s.pivot.Rows {
		c, _ := s.pivot.Get(row, column)
		switch {
		case !s.timed(row):
			continue
		case c.rank.N == 0:
			return "", "", 0, false
		case !isScheme(row):
			continue
		case c.Best:
			ties++
		}
		if c.rank.Median < least {
			low, least = row, c.rank.Median
		}
		if c.rank.Median > most {
			high, most = row, c.rank.Median
		}
	}
	return low, high, ties, true
}

// timed reports whether a row has any value.
func (s sweep) timed(row string) bool {
	return slices.ContainsFunc(s.pivot.Columns, func(column string) bool {
		c, _ := s.pivot.Get(row, column)
		return c.rank.N > 0
	})
}

// caption says what was measured, and which cells have no time.
func (s sweep) caption() []string {
	lines := []string{s.String() + ". Scheme 7 has its M slots in equal wheels. Bars: 95 % intervals of the median."}
	cells := map[string][]string{} // by reason
	var reasons []string
	for _, row := range s.pivot.Rows {
		for i, column := range s.pivot.Columns {
			c, ok := s.pivot.Get(row, column)
			if !ok || c.rank.N > 0 {
				continue
			}
			why := shortReason(c)
			reasons = appendNew(reasons, why)
			cells[why] = append(cells[why], row+" at n = "+results.FormatCount(s.sizes[i]))
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

// sections returns a section for each measure: figures and tables of its sweeps.
func sweepSections(t *results.Table, command string) (all []Section) {
	for _, m := range measures {
		section := Section{Title: m.title + ": " + m.label}
		sweeps := sweepsOf(t, m)
		for i, s := range sweeps {
			name := m.file
			if len(sweeps) > 1 {
				name = fmt.Sprintf("%s-%d", m.file, i+1)
			}
			if f, ok := s.figure(name, command); ok {
				section.Figures = append(section.Figures, f)
			}
			table := s.pivot.Table()
			table.Title = s.String() + ". Bold: the least, and all whose intervals overlap its own."
			section.Tables = append(section.Tables, table)
		}
		if len(sweeps) > 0 {
			all = append(all, section)
		}
	}
	return all
}
