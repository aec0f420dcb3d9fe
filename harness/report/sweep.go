package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/claims"
	"timerlab/harness/drive"
	"timerlab/harness/emulate"
	"timerlab/harness/figures"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
)

// measure is what schemes are compared by over n.
type measure struct {
	op, unit, file, title, label string // the label names the clock
	axis                         figures.Unit
	show                         func(float64) string
}

const maxNs = "max-ns"

var measures = []measure{
	{units.LifetimeOp, units.NsPerOp, "lifetime", "Lifetime", "CPU time per timer, start to end, median",
		figures.Nanoseconds, units.FormatNanos},
	{"Start", units.NsPerOp, "start", "START", "time per Start, monotonic clock, median", figures.Nanoseconds, units.FormatNanos},
	{"Stop", units.NsPerOp, "stop", "STOP", "time per Stop, monotonic clock, median", figures.Nanoseconds, units.FormatNanos},
	{"PerTick", units.NsPerOp, "per-tick", "PER_TICK", "time of PerTick per timer that ends, monotonic clock, median",
		figures.Nanoseconds, units.FormatNanos},
	{"Memory", units.BytesPerTimer, "bytes", "Memory", "bytes per outstanding timer, slots included", figures.Bytes,
		units.FormatBytes},
	{units.LatencyOp, maxNs, "longest-tick", "Longest PER_TICK", "the longest tick, monotonic clock, least of the rounds",
		figures.Nanoseconds, units.FormatNanos},
}

// conditionsOf returns what the cells of one sweep share: all but the scheme, its levels, n and the service.
func conditionsOf(k results.Key) results.Key {
	k.Scheme, k.Levels, k.N, k.Service = "", "", "", ""
	return k
}

// inWords writes the conditions of a sweep.
func inWords(c results.Key) string {
	stops, more := "no stops", c
	more.Op, more.Slots, more.T, more.Dist, more.Stop = "", "", "", "", ""
	if cell, err := c.Cell(); err == nil && cell.Spec.Stop > 0 {
		stops = fmt.Sprintf("%s stopped after %s of their interval", units.FormatPercent(cell.Spec.Stop),
			units.FormatPercent(cell.Spec.StopAt))
	}
	return fmt.Sprintf("M = %s, T = %s, %s intervals, %s", c.Slots, c.T, c.Dist, stops) +
		strings.ReplaceAll(more.String(), "/", ", ")
}

// subject is a scheme or a timer with its sizes, where these differ: a row of a table, and a series of a figure.
type subject struct{ scheme, slots, levels string }

func (s subject) String() string {
	text := s.scheme
	if s.slots != "" {
		text += ", M = " + s.slots
	}
	if s.levels != "" {
		text += ", m = " + s.levels
	}
	return text
}

// competes reports whether the subject is a scheme that does something.
func (s subject) competes() bool { return s.scheme != drive.Null.Name }

// compare orders rows and curves: the null scheme first, the two that the paper recommends last, on top of the others.
func (s subject) compare(other subject) int {
	layers := map[string]int{drive.Null.Name: -1, "hashunsorted": 1, "hierarchical": 2}
	return cmp.Or(layers[s.scheme]-layers[other.scheme], strings.Compare(s.String(), other.String()))
}

// sweep is one measure under the same conditions: schemes by n.
type sweep struct {
	measure
	what  string // the conditions
	pivot Pivot[subject, atN]
}

// atN is a number of timers.
type atN int

func (n atN) String() string { return "n = " + workload.Count(n).String() }

// sweepsOf returns the sweeps of a measure in the order measured: those over several n, or else those at one n. Many at
// one n are cells of a grid, which has its own tables: then it returns none.
func sweepsOf(t *results.Table, m measure) []sweep {
	var all, several []sweep
	var done []results.Key
	for _, k := range t.Keys {
		c := conditionsOf(k)
		if k.Op != m.op || k.Dist == "" || claims.Own(k) || slices.Contains(done, c) {
			continue // services name no distribution
		}
		done = append(done, c)
		s := newSweep(t, m, c)
		if all = append(all, s); len(s.pivot.Columns) > 1 {
			several = append(several, s)
		}
	}
	if len(several) == 0 && len(all) <= 12 {
		return all
	}
	return several
}

// newSweep returns the sweep of the cells under the same conditions, without the second of an A/A pair.
func newSweep(t *results.Table, m measure, same results.Key) sweep {
	s := sweep{measure: m, what: inWords(same), pivot: Pivot[subject, atN]{Corner: "scheme"}}
	for _, k := range cellsOf(t, m.op) {
		_, again := k.Control()
		if n := atN(t.Cell(k).Spec.N); n > 0 && conditionsOf(k) == same && !again {
			s.pivot.Set(subject{scheme: k.Scheme, levels: k.Levels}, n, s.cell(t, k))
		}
	}
	slices.SortFunc(s.pivot.Rows, subject.compare)
	for _, n := range s.pivot.Columns {
		null, _ := s.pivot.get(subject{scheme: drive.Null.Name}, n)
		for _, c := range s.pivot.measured(n, subject.competes) {
			if c.estimate().Median < 2*null.estimate().Median && s.axis != figures.Bytes {
				c.Text += " °"
				c.Note += "`°`: less than twice the null scheme's, so mostly the harness's time.\n"
			}
		}
	}
	s.pivot.Bold(subject.competes)
	return s
}

// cellsOf returns the cells of an operation, measured or not, by n and T.
func cellsOf(t *results.Table, op string) []results.Key {
	keys := slices.DeleteFunc(slices.Clone(t.Keys), func(k results.Key) bool { return k.Op != op })
	for _, m := range t.Missing {
		k := m.Key
		if k.Op == units.RunOf(op) {
			k.Op = op
		}
		if k.Op == op && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	slices.SortStableFunc(keys, func(a, b results.Key) int {
		x, y := t.Cell(a).Spec, t.Cell(b).Spec
		return cmp.Or(cmp.Compare(x.N, y.N), cmp.Compare(x.T, y.T))
	})
	return keys
}

// medianCell is a cell of a median, or of the reason why there is none. The longest tick of one run is the machine's,
// so of the rounds, which have the same ticks, the least counts.
func medianCell(t *results.Table, k results.Key, unit string, show func(float64) string) Cell {
	m, missing := t.MissingOf(k)
	e, err := t.Median(k, unit)
	switch {
	case m.Fail:
		return Wrong()
	case missing:
		return None("Skipped, " + inShort(m.Why))
	case err != nil:
		return None("")
	case unit == maxNs:
		least := slices.Min(t.Samples(k, unit))
		return Cell{Text: show(least), Value: results.Estimate{Median: least, Lo: least, Hi: least, N: e.N}}
	}
	return Median(e, show)
}

// inShort says in a few words why a cell has no value. The list of cells has the numbers.
func inShort(why results.Reason) string { return cmp.Or(inFewWords[why.Kind], why.Text) }

var inFewWords = map[results.ReasonKind]string{
	results.OutOfRange: "intervals beyond the range of the wheels",
	results.TooSlow:    "too slow",
	results.TooLarge:   "too large",
}

// cell is a cell's median. Its interval is left out for memory, which hardly varies.
func (s *sweep) cell(t *results.Table, k results.Key) Cell {
	c := medianCell(t, k, s.unit, s.show)
	if e := c.estimate(); k.Op == units.TickOp && e.N > 0 { // a tick has its rate of them: by the tick all wheels look like O(n)
		rate := t.Cell(k).Spec.Rate()
		e.Median, e.Lo, e.Hi = e.Median/rate, e.Lo/rate, e.Hi/rate
		c = Median(e, s.show)
	}
	if s.axis == figures.Bytes && c.estimate().N > 0 {
		c.Text = s.show(c.estimate().Median)
	}
	if len(t.Samples(k, units.ShortLap)) > 0 {
		c.Text = "~" + c.Text
		c.Note = "`~`: in batches shorter than 100 times the clock's resolution, so partly the clock's time.\n"
	}
	return c
}

// sweepParts returns a section for each measure: figures and tables of its sweeps. The page of a choice between schemes
// 6 and 7, which shows lifetimes elsewhere, has two figures instead: of START and STOP, and of PER_TICK.
func sweepParts(t *results.Table, isChoice bool, command string) (all []section) {
	byName := map[string]figures.XY{}
	for _, m := range measures {
		part := section{Title: m.title + ": " + m.label}
		for i, s := range sweepsOf(t, m) {
			table := s.pivot.Table()
			if f, ok := s.figure(i, command); ok {
				part.Figures, byName[f.Name] = append(part.Figures, f), f
			} else {
				table.Title = s.what + "." // else the figure says it
			}
			part.Tables = append(part.Tables, table)
		}
		if !isChoice && len(part.Tables) > 0 {
			all = append(all, part)
		}
	}
	if start, stop := byName["start"], byName["stop"]; isChoice && start.Name != "" && stop.Name != "" {
		both := start
		both.Name, both.Title, both.YLabel, both.Series = "start-stop", start.Title+"; "+stop.Title, "time per operation, monotonic clock, median", nil
		both.Panels = []figures.Panel{{Title: "START", Series: start.Series}, {Title: "STOP", Series: stop.Series}}
		all = []section{{Title: "All schemes", Figures: []figures.XY{both, byName["per-tick"]}}}
	}
	return all
}

// figure draws the sweep, if it has two n or more and a time; it is the i-th of its measure, from 0.
func (s *sweep) figure(i int, command string) (figures.XY, bool) {
	name := s.file
	if i > 0 {
		name = fmt.Sprintf("%s-%d", s.file, i+1)
	}
	f := figures.XY{
		Name: name, Title: s.finding(), Caption: s.caption(), Command: command,
		XLabel: "timers outstanding, n", YLabel: s.title + ": " + s.label,
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: s.axis},
	}
	for _, row := range s.pivot.Rows {
		series := figures.Series{Style: row.scheme, Kind: figures.Both}
		for _, other := range s.pivot.Rows {
			if other != row && other.scheme == row.scheme {
				series.Name = row.String() // not the scheme's own label, which both would have
			}
		}
		for _, n := range s.pivot.Columns {
			if c, _ := s.pivot.get(row, n); c.estimate().N > 0 {
				series.Points = append(series.Points, pointOf(float64(n), c.estimate()))
			}
		}
		if len(series.Points) > 0 {
			f.Series = append(f.Series, series)
		}
	}
	return f, len(s.pivot.Columns) > 1 && len(f.Series) > 0
}

// pointOf returns an estimate at x, without a bar where the interval is unknown.
func pointOf(x float64, e results.Estimate) figures.Point {
	if !e.Bounded() {
		e.Lo, e.Hi = 0, 0
	}
	return figures.Point{X: x, Y: e.Median, Lo: e.Lo, Hi: e.Hi}
}

// finding says how the measure of scheme 7, or of the only scheme, grows with n; without it, how far the schemes are apart
// at the largest n that most of them reach.
func (s *sweep) finding() string {
	reached, at := []*Cell{}, atN(0)
	for _, n := range s.pivot.Columns {
		if cells := s.pivot.measured(n, subject.competes); len(cells) >= len(reached) {
			reached, at = cells, n
		}
	}
	if len(reached) == 0 {
		return s.title
	}
	least, most := reached[0].estimate().Median, reached[len(reached)-1].estimate().Median
	data := map[string]any{"measure": s.title, "at": at, "least": s.show(least), "most": s.show(most), "times": most / least}
	for _, row := range s.pivot.Rows {
		var measured []atN
		for _, n := range s.pivot.Columns {
			if c, _ := s.pivot.get(row, n); c.estimate().N > 0 && n >= 1_000 {
				measured = append(measured, n)
			}
		}
		if row.scheme == "hierarchical" && len(measured) > 1 {
			first, last := slices.Min(measured), slices.Max(measured)
			from, _ := s.pivot.get(row, first)
			to, _ := s.pivot.get(row, last)
			data["from"], data["to"] = s.show(from.estimate().Median), s.show(to.estimate().Median)
			data["first"], data["last"] = first, last
		}
	}
	return phrase("finding of a sweep", data)
}

// caption says what was measured, and which cells have no time.
func (s *sweep) caption() []string {
	lines := []string{phrase("caption of a sweep", map[string]any{"conditions": s.what, "longest": s.unit == maxNs})}
	cells := map[string][]string{} // by reason
	var reasons []string
	for _, row := range s.pivot.Rows {
		for _, n := range s.pivot.Columns {
			if c, set := s.pivot.get(row, n); set && c.estimate().N == 0 {
				why := cmp.Or(c.Why, "WRONG OUTCOME")
				reasons = appendNew(reasons, why)
				cells[why] = append(cells[why], fmt.Sprintf("%v at %v", row, n))
			}
		}
	}
	for _, why := range reasons {
		lines = append(lines, why+": "+strings.Join(cells[why], ", ")+".")
	}
	return lines
}

// ofSet returns the cells of a set of their own, by n, without the second of an A/A pair.
func ofSet(t *results.Table, op, set string) []results.Key {
	return slices.DeleteFunc(cellsOf(t, op), func(k results.Key) bool {
		_, again := k.Control()
		return k.Value("set") != set || again
	})
}

// lowestTable shows the longest tick of scheme 7 by the slots of its lowest wheel; empty: it was not measured.
func lowestTable(t *results.Table) *Table {
	p := Pivot[int, string]{Corner: "lowest wheel"}
	keys := ofSet(t, units.LatencyOp, "lowest")
	for _, n := range []string{"100k", "1M"} {
		for _, form := range [][2]string{{"hierarchical", "7"}, {"hierarchical-chunked", "7 chunked"},
			{"hierarchical-ahead", "7 ahead"}, {"hierarchical-ahead-chunked", "7 ahead chunked"}} {
			for _, k := range keys {
				if levels := t.Cell(k).Levels; k.N == n && k.Scheme == form[0] && len(levels) > 0 {
					c := medianCell(t, k, maxNs, units.FormatNanos)
					if most := t.Samples(k, units.MostMigrations); len(most) > 0 {
						c.Text += ", " + units.FormatNumber(most[0])
					}
					p.Set(levels[0], "n = "+n+", "+form[1], c)
				}
			}
		}
	}
	slices.Sort(p.Rows)
	return p.Table()
}

// coldTable shows lifetimes where an application uses the caches between ticks; empty: it was not measured.
func coldTable(t *results.Table) *Table {
	p := Pivot[string, string]{Corner: "n, scheme"}
	for _, k := range ofSet(t, units.LifetimeOp, "cold") {
		column := "hot"
		if touched := k.Value("touched"); touched != "" {
			column = touched + " written"
		} else if k.Value("collected") != "" {
			column = "collector on"
		}
		p.Set(k.N+", "+k.Scheme, column, medianCell(t, k, units.NsPerOp, units.FormatNanos))
	}
	order := []string{"hot", "1MiB written", "8MiB written", "collector on"}
	slices.SortFunc(p.Columns, func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) })
	return p.Table()
}

// instructionsTable shows the instructions of schemes by operation; empty: they were not counted.
func instructionsTable(t *results.Table) *Table {
	table := NewTable("scheme", "n", "slots", "T", "intervals", "START", "STOP", "empty tick", "lifetime")
	for _, k := range ofSet(t, units.LifetimeOp, emulate.Set) {
		row := []any{k.Scheme, k.N, cmp.Or(k.Levels, k.Slots), k.T, k.Dist}
		for _, op := range emulate.Ops {
			k.Op = op
			cell := medianCell(t, k, units.InstrPerOp, units.FormatNumber)
			if e := cell.estimate(); e.N > 0 {
				cell.Text = units.FormatNumber(e.Median) // the same in every run
			}
			row = append(row, cell)
		}
		table.Add(row...)
	}
	return table
}
