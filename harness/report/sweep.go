package report

import (
	"cmp"
	"fmt"
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

// conditionsAmong returns the conditions of cells, each once, in the order measured.
func conditionsAmong(keys []results.Key) (order []conditions) {
	for _, k := range keys {
		if c := conditionsOf(k); !slices.Contains(order, c) {
			order = append(order, c)
		}
	}
	return order
}

// stops writes a share of timers stopped in words.
func stops(fraction string) string {
	share, part, err := results.ParseFraction(fraction)
	if err != nil || share == 0 {
		return "no stops"
	}
	return fmt.Sprintf("%s stopped after %s of their interval", results.FormatPercent(share),
		results.FormatPercent(part))
}

// sweep is one measure under the same conditions: schemes by n.
type sweep struct {
	measure
	what  string // the conditions
	sizes string // of the wheels, in a sentence, if the conditions do not say it
	pivot Pivot  // n ascends
}

// mostAlone limits the tables of a single n for one measure: more than that are of a grid,
// which has tables of its own.
const mostAlone = 12

// sweepsOf returns the sweeps of a measure in the order measured: those over several
// n or, if there are none, those at one.
func sweepsOf(t *results.Table, m measure) []sweep {
	var keys []results.Key
	for _, k := range t.Keys {
		if k.Op == m.op && k.Dist != "" && !claims.Own(k) { // peers and services name no distribution
			keys = append(keys, k)
		}
	}
	var all, several []sweep
	for _, c := range conditionsAmong(keys) {
		s := newSweep(t, m, c.String(), func(k results.Key) bool { return conditionsOf(k) == c })
		s.sizes = "Scheme 7 has its M slots in equal wheels. "
		if all = append(all, s); len(s.pivot.Columns) > 1 {
			several = append(several, s)
		}
	}
	if len(several) == 0 && len(all) <= mostAlone {
		return all
	}
	return several
}

// newSweep returns the sweep of the cells that are chosen, without the second of an A/A pair.
func newSweep(t *results.Table, m measure, what string, chosen func(results.Key) bool) sweep {
	s := sweep{measure: m, what: what, pivot: Pivot{Corner: "scheme"}}
	for _, k := range cellsOf(t, m.op) {
		if _, err := results.ParseCount(k.N); err == nil && chosen(k) && !strings.HasSuffix(k.Scheme, results.Again) {
			s.pivot.Set(rowOf(k), "n = "+k.N, s.cell(t, k))
		}
	}
	slices.SortStableFunc(s.pivot.Rows, func(a, b string) int { return cmp.Compare(layer(a), layer(b)) })
	s.markNearNull()
	s.pivot.Bold(isScheme)
	return s
}

// cellsOf returns the cells of an operation, measured or not, by n and T.
func cellsOf(t *results.Table, op string) (keys []results.Key) {
	for _, k := range t.Keys {
		if k.Op == op {
			keys = append(keys, k)
		}
	}
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
	x, _ := results.ParseCount(a)
	y, _ := results.ParseCount(b)
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

// rowOf returns the name of a key's row: the scheme and its levels.
func rowOf(k results.Key) string {
	if k.Levels == "" {
		return k.Scheme
	}
	return k.Scheme + ", m = " + k.Levels
}

// cell is a cell's median. Its interval is left out for memory, which hardly varies.
func (s *sweep) cell(t *results.Table, k results.Key) Cell {
	c := medianCell(t, k, s.unit, s.show)
	if s.axis == figures.Bytes && c.estimate().N > 0 {
		c.Text = s.show(c.estimate().Median)
	}
	if len(t.Samples(k, results.ShortLap)) > 0 {
		c.Text = "~" + c.Text
		c.Note = "`~`: timed in batches shorter than 100 times the clock's resolution, so part of the time is " +
			"the clock's.\n"
	}
	return c
}

// markNearNull marks times less than twice that of the null scheme: most of such a
// time is the harness's.
func (s *sweep) markNearNull() {
	for _, column := range s.pivot.Columns {
		null := s.pivot.get(results.NullScheme, column)
		for _, c := range s.pivot.measured(column, isScheme) {
			if c.estimate().Median < 2*null.estimate().Median && s.axis != figures.Bytes {
				c.Text += " °"
				c.Note += "`°`: less than twice the null scheme's time, so most of it is the harness's.\n"
			}
		}
	}
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

// isGrid reports whether a sweep is of lifetimes of schemes 6 and 7 alone.
func (s sweep) isGrid() bool {
	return s.op == results.LifetimeOp && !slices.ContainsFunc(s.pivot.Rows, func(row string) bool {
		base := strings.TrimSuffix(schemeOf(row), string(claims.Chunked))
		return isScheme(row) && base != "hashunsorted" && base != "hierarchical"
	})
}

// sweepSections returns a section for each measure: figures and tables of its sweeps. The page of a choice
// between schemes 6 and 7 shows the grid of these two elsewhere.
func sweepSections(t *results.Table, choice bool, command string) (all []Section) {
	for _, m := range measures {
		section := Section{Title: m.title + ": " + m.label}
		sweeps := sweepsOf(t, m)
		if choice {
			sweeps = slices.DeleteFunc(sweeps, sweep.isGrid)
		}
		for i, s := range sweeps {
			name := m.file
			if len(sweeps) > 1 {
				name = fmt.Sprintf("%s-%d", m.file, i+1)
			}
			if f, ok := s.figure(name, s.finding(), command); ok {
				section.Figures = append(section.Figures, f)
			}
			table := s.pivot.Table()
			table.Title = s.what + ". Bold: the least, and all whose intervals overlap its own."
			section.Tables = append(section.Tables, table)
		}
		all = append(all, section)
	}
	return all
}
