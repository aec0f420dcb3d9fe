package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/choice"
	"timerlab/harness/claims"
	"timerlab/harness/figures"
	"timerlab/harness/results"
	"timerlab/harness/workload"
)

// measure is what schemes are compared by over n.
type measure struct {
	op, unit, file, title, label string
	axis                         figures.Unit
	show                         func(float64) string
}

var measures = []measure{
	{results.LifetimeOp, results.NsPerOp, "lifetime", "Lifetime", "time per timer, start to end, median",
		figures.Nanoseconds, results.FormatNanos},
	{"Start", results.NsPerOp, "start", "START", "time per Start, median", figures.Nanoseconds, results.FormatNanos},
	{"Stop", results.NsPerOp, "stop", "STOP", "time per Stop, median", figures.Nanoseconds, results.FormatNanos},
	{"PerTick", results.NsPerOp, "per-tick", "PER_TICK", "time per PerTick, median", figures.Nanoseconds,
		results.FormatNanos},
	{"Memory", results.BytesPerTimer, "bytes", "Memory", "bytes per outstanding timer, slots included",
		figures.Bytes, results.FormatBytes},
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
	s, err := workload.Parse[workload.Stops](fraction)
	if err != nil || s.Share == 0 {
		return "no stops"
	}
	return fmt.Sprintf("%s stopped after %s of their interval", results.FormatPercent(s.Share),
		results.FormatPercent(s.At))
}

// sweep is one measure under the same conditions: schemes by n.
type sweep struct {
	measure
	what  string // the conditions
	sizes string // of the wheels, in a sentence, if the conditions do not say it
	pivot Pivot  // n ascends
}

// sweepsOf returns the sweeps of a measure in the order measured: those over several n, or else those at one n. Many at
// one n are cells of a grid, which has its own tables: then it returns none.
func sweepsOf(t *results.Table, m measure) []sweep {
	var all, several []sweep
	var done []conditions
	for _, k := range t.Keys {
		c := conditionsOf(k)
		if k.Op != m.op || k.Dist == "" || claims.Own(k) || slices.Contains(done, c) {
			continue // peers and services name no distribution
		}
		done = append(done, c)
		s := newSweep(t, m, c.String(), func(k results.Key) bool { return conditionsOf(k) == c })
		s.sizes = "Scheme 7 has its M slots in equal wheels. "
		if all = append(all, s); len(s.pivot.Columns) > 1 {
			several = append(several, s)
		}
	}
	if len(several) == 0 && len(all) <= 12 {
		return all
	}
	return several
}

// newSweep returns the sweep of the cells that are chosen, without the second of an A/A pair.
func newSweep(t *results.Table, m measure, what string, chosen func(results.Key) bool) sweep {
	s := sweep{measure: m, what: what, pivot: Pivot{Corner: "scheme"}}
	for _, k := range cellsOf(t, m.op) {
		if _, err := workload.Parse[workload.Count](k.N); err == nil && chosen(k) && !strings.HasSuffix(k.Scheme, results.Again) {
			row := k.Scheme
			if k.Levels != "" {
				row += ", m = " + k.Levels
			}
			s.pivot.Set(row, "n = "+k.N, s.cell(t, k))
		}
	}
	slices.SortStableFunc(s.pivot.Rows, func(a, b string) int { return cmp.Compare(layer(a), layer(b)) })
	for _, column := range s.pivot.Columns {
		null := s.pivot.get(results.NullScheme, column)
		for _, c := range s.pivot.measured(column, isScheme) {
			if c.estimate().Median < 2*null.estimate().Median && s.axis != figures.Bytes {
				c.Text += " °"
				c.Note += "`°`: less than twice the null scheme's, so mostly the harness's time.\n"
			}
		}
	}
	s.pivot.Bold(isScheme)
	return s
}

// cellsOf returns the cells of an operation, measured or not, by n and T.
func cellsOf(t *results.Table, op string) []results.Key {
	keys := slices.DeleteFunc(slices.Clone(t.Keys), func(k results.Key) bool { return k.Op != op })
	for _, m := range t.Missing {
		k := m.Key
		if k.Op == results.RunOf(op) {
			k.Op = op
		}
		if k.Op == op && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	slices.SortStableFunc(keys, func(a, b results.Key) int {
		return cmp.Or(compareCounts(a.N, b.N), compareCounts(a.T, b.T))
	})
	return keys
}

func compareCounts(a, b string) int {
	x, _ := workload.Parse[workload.Count](a)
	y, _ := workload.Parse[workload.Count](b)
	return cmp.Compare(x, y)
}

// medianCell is a cell of a median, or of the reason why there is none.
func medianCell(t *results.Table, k results.Key, unit string, show func(float64) string) Cell {
	why, missing := t.MissingOf(k)
	e, err := t.Median(k, unit)
	switch {
	case why.Fail:
		return Wrong()
	case missing || err != nil:
		return None(reason(why.Why))
	}
	return Median(e, show)
}

// cell is a cell's median. Its interval is left out for memory, which hardly varies.
func (s *sweep) cell(t *results.Table, k results.Key) Cell {
	c := medianCell(t, k, s.unit, s.show)
	if c.Why != "" {
		c.Why = shortReason(c.Why) // the list of skipped cells has the numbers
	}
	if s.axis == figures.Bytes && c.estimate().N > 0 {
		c.Text = s.show(c.estimate().Median)
	}
	if len(t.Samples(k, results.ShortLap)) > 0 {
		c.Text = "~" + c.Text
		c.Note = "`~`: in batches shorter than 100 times the clock's resolution, so partly the clock's time.\n"
	}
	return c
}

func isScheme(row string) bool { return row != results.NullScheme }

func schemeOf(row string) string {
	scheme, _, _ := strings.Cut(row, ",")
	return scheme
}

// layer is the order of rows and curves: the null scheme first, the two that the
// paper recommends last, on top of the others.
func layer(row string) string {
	at := slices.Index([]string{results.NullScheme, "", "hashunsorted", "hierarchical"}, schemeOf(row))
	if at < 0 {
		at = 1
	}
	return fmt.Sprint(at, row)
}

// sweepParts returns a section for each measure: figures and tables of its sweeps. The page of a choice between schemes 6
// and 7 shows the grid of these two elsewhere.
func sweepParts(t *results.Table, isChoice bool, command string) (all []Section) {
	for _, m := range measures {
		part := Section{Title: m.title + ": " + m.label}
		sweeps := sweepsOf(t, m)
		if isChoice {
			sweeps = slices.DeleteFunc(sweeps, func(s sweep) bool {
				return s.op == results.LifetimeOp && !slices.ContainsFunc(s.pivot.Rows, func(row string) bool {
					base := strings.TrimSuffix(schemeOf(row), string(choice.Chunked))
					return isScheme(row) && base != "hashunsorted" && base != "hierarchical"
				})
			})
		}
		for i, s := range sweeps {
			name := m.file
			if len(sweeps) > 1 {
				name = fmt.Sprintf("%s-%d", m.file, i+1)
			}
			if f, ok := s.figure(name, s.finding(), command); ok {
				part.Figures = append(part.Figures, f)
			}
			table := s.pivot.Table()
			if len(part.Figures) <= i { // else its caption says it
				table.Title = s.what + "."
			}
			part.Tables = append(part.Tables, table)
		}
		if len(part.Tables) > 0 {
			all = append(all, part)
		}
	}
	return all
}

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
				n, _ := workload.Parse[workload.Count](strings.TrimPrefix(column, "n = "))
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
		// Those that may be the greatest: their intervals overlap its own, or they take as much memory within a hundredth.
		alike := 0
		for _, c := range cells {
			e, greatest := c.estimate(), high.estimate()
			overlap := e.Bounded() && greatest.Bounded() && e.Hi >= greatest.Lo
			if s.axis == figures.Bytes {
				overlap = e.Median >= 0.99*most
			}
			if overlap || c == high {
				alike++
			}
		}
		last := high.row + " takes"
		if alike > 1 {
			last = fmt.Sprintf("%d take about", alike)
		}
		return text + fmt.Sprintf(", %s %s, %s times as much", last, s.show(most), results.FormatNumber(most/least))
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
				why := cmp.Or(c.Why, wrongOutcome)
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

const wrongOutcome = "WRONG OUTCOME"

// shortReason says in a few words why a cell was skipped.
func shortReason(why string) string {
	switch {
	case strings.HasPrefix(why, "predicted to take") && strings.Contains(why, " MB"):
		return "Skipped as too large"
	case strings.HasPrefix(why, "predicted to take"), strings.HasPrefix(why, "abandoned after"):
		return "Skipped as too slow"
	case strings.HasPrefix(why, "the longest interval"):
		return "Skipped, intervals beyond the range of the wheels"
	}
	return "Skipped, " + why
}
