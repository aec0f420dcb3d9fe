package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"

	"timerlab/harness/results"
)

// Query selects what is compared, in the syntax of benchstat. Empty fields are
// benchstat's defaults.
type Query struct {
	Filter string // "*": everything
	Row    string // ".fullname"
	Col    string // ".file"
}

// byName and byFile are benchstat's keys of rows and columns.
const byName, byFile = ".fullname", ".file"

// QueryError says what is wrong with a part of a query.
type QueryError struct{ Part, Text, Why string }

func (e *QueryError) Error() string { return fmt.Sprintf("%s %q: %s", e.Part, e.Text, e.Why) }

// badQuery leaves out the lines below an error, which repeat the text and point into it.
func badQuery(part, text string, err error) error {
	why, _, _ := strings.Cut(err.Error(), "\n")
	return &QueryError{part, text, why}
}

// NewFilter parses the filter of a query. The error is a *QueryError.
func NewFilter(text string) (*benchproc.Filter, error) {
	f, err := benchproc.NewFilter(cmp.Or(text, "*"))
	if err != nil {
		return nil, badQuery("filter", text, err)
	}
	return f, nil
}

// selects reports whether a filter selects a cell of a table, and which of its units. A cell
// may have none that is a result.
func selects(f *benchproc.Filter, t *results.Table, k results.Key) (units []string, ok bool) {
	line := lineOf(File{Table: t}, k)
	ok, _ = f.Apply(line)
	return asWritten(line), ok
}

// grid holds samples by unit, row and column, as benchstat's tables do. File-level keys
// do not split it: files of two commits are to be compared.
type grid struct {
	filter        *benchproc.Filter
	row, col, all *benchproc.Projection // all: what neither a row nor a column names

	units      []string // those that the files write, in the order of first use
	rows, cols []benchproc.Key
	cells      map[place]*cell
	exact      map[string]bool
}

type place struct {
	row, col benchproc.Key
}

// cell is what one row has in one column.
type cell struct {
	samples map[string][]float64 // by unit
	residue []benchproc.Key      // more than one: benchmarks of different names are pooled
}

// newGrid parses a query.
func newGrid(q Query) (g *grid, err error) {
	g = &grid{cells: map[place]*cell{}, exact: map[string]bool{}}
	if g.filter, err = NewFilter(q.Filter); err != nil {
		return nil, err
	}
	var parser benchproc.ProjectionParser
	if g.row, err = parser.Parse(cmp.Or(q.Row, byName), g.filter); err != nil {
		return nil, badQuery("row", q.Row, err)
	}
	if g.col, err = parser.Parse(cmp.Or(q.Col, byFile), g.filter); err != nil {
		return nil, badQuery("col", q.Col, err)
	}
	g.all, err = parser.Parse(byName, nil)
	return g, err
}

// add adds what the query selects of a file.
func (g *grid) add(f File) {
	for _, k := range f.Table.Keys {
		line := lineOf(f, k)
		if ok, _ := g.filter.Apply(line); !ok {
			continue
		}
		at := place{g.row.Project(line), g.col.Project(line)}
		c := g.cells[at]
		if c == nil {
			c = &cell{samples: map[string][]float64{}}
			g.cells[at] = c
			g.rows, g.cols = appendNew(g.rows, at.row), appendNew(g.cols, at.col)
		}
		c.residue = appendNew(c.residue, g.all.Project(line))
		for _, unit := range asWritten(line) {
			g.units = appendNew(g.units, unit)
			g.exact[unit] = g.exact[unit] || f.Table.Exact(unit)
			c.samples[unit] = append(c.samples[unit], f.Table.Samples(k, unit)...)
		}
	}
}

// values returns the samples of a cell in one unit. A measured cell without an exact unit
// counted none.
func (g *grid) values(c *cell, unit string) []float64 {
	if s := c.samples[unit]; len(s) > 0 || !g.exact[unit] {
		return s
	}
	return []float64{0}
}

func appendNew[T comparable](all []T, one T) []T {
	if slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}

// lineOf returns a cell of a file as a benchmark line that benchproc can filter and
// project. It has the units, but no values.
func lineOf(f File, k results.Key) *benchfmt.Result {
	r := &benchfmt.Result{Name: benchfmt.Name(k.String()), Iters: 1}
	r.SetConfig(byFile, f.Label)
	for _, key := range slices.Sorted(maps.Keys(f.Table.Machine)) {
		r.SetConfig(key, f.Table.Machine[key])
	}
	for _, unit := range f.Table.Units(k) {
		if !results.IsRemark(unit) {
			_, tidy := benchunit.Tidy(1, unit)
			r.Values = append(r.Values, benchfmt.Value{Unit: tidy, OrigUnit: unit})
		}
	}
	return r
}

// asWritten returns the units of a line as its file has them.
func asWritten(line *benchfmt.Result) (units []string) {
	for _, v := range line.Values {
		units = append(units, v.OrigUnit)
	}
	return units
}
