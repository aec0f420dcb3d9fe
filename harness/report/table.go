package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"timerlab/harness/results"
)

// Table is rows of cells. Every table of the project is one, whatever it is written as.
type Table struct {
	Title string   // above the table: what it is of
	Heads []string // nouns with their units: "ns/timer", "vs best"
	Rows  [][]Cell
	Notes []string // below the table: what marks in it mean
}

// Cell is one entry of a table.
type Cell struct {
	Text  string
	Value any    // for programs: a number, an Estimate; nil means the text
	Best  bool   // the best of its column
	Why   string // why there is no value; numbered below the table
	Note  string // what the marks in the text mean, a line each; below the table
}

// String returns the cell's text.
func (c Cell) String() string { return c.Text }

// NewTable returns a table without rows.
func NewTable(heads ...string) *Table { return &Table{Heads: heads} }

// Add appends a row of Cells, and of other values as fmt prints them.
func (t *Table) Add(values ...any) {
	row := make([]Cell, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case Cell:
			row[i] = v
		case string:
			row[i] = Cell{Text: v}
		default:
			row[i] = Cell{Text: fmt.Sprint(v), Value: v}
		}
	}
	t.Rows = append(t.Rows, row)
}

// None is the cell of what was not measured, with the reason, or "".
func None(why string) Cell { return Cell{Text: "-", Why: why} }

// Wrong is the cell of a run with a wrong outcome, whose time is not shown.
func Wrong() Cell { return Cell{Text: "ERROR"} }

// Median is a cell of a median with the larger side of its interval in percent. Pivot.Bold compares such cells.
func Median(e results.Estimate, show func(float64) string) Cell {
	c := Cell{Text: show(e.Median), Value: e}
	side := max(e.Hi-e.Median, e.Median-e.Lo) / math.Abs(e.Median)
	switch {
	case e.Lo == 0 && e.Hi == 0: // nothing was counted
	case math.IsInf(side, 0) || math.IsNaN(side):
		c.Text += " ± ?"
	case side > 1: // the median says little
		c.Text += " ± over 100 %"
	default:
		c.Text += fmt.Sprintf(" ± %.0f %%", 100*side)
	}
	return c
}

// Interval is a cell of a median with both ends of its interval.
func Interval(e results.Estimate, show func(float64) string) Cell {
	switch {
	case e.N == 0:
		return None("")
	case !e.Bounded():
		return Cell{Text: show(e.Median) + " ± ?", Value: e, Note: "± ?: a 95 % interval needs 6 rounds."}
	}
	return Cell{Text: fmt.Sprintf("%s (%s to %s)", show(e.Median), show(e.Lo), show(e.Hi)), Value: e}
}

// estimate returns the cell's value if it is an Estimate; else one of no samples.
func (c Cell) estimate() results.Estimate {
	e, _ := c.Value.(results.Estimate)
	return e
}

// Pivot collects cells by their row and column, which are written as fmt writes them.
type Pivot[Row, Column comparable] struct {
	Corner  string // heading of the rows
	Rows    []Row  // in the order of first use
	Columns []Column
	cells   map[[2]any]*Cell // by row and column
}

// Set puts a cell into its place.
func (p *Pivot[Row, Column]) Set(row Row, column Column, c Cell) {
	if p.cells == nil {
		p.cells = map[[2]any]*Cell{}
	}
	p.Rows, p.Columns = appendNew(p.Rows, row), appendNew(p.Columns, column)
	p.cells[[2]any{row, column}] = &c
}

// get returns a cell and whether it was set; else it has no value.
func (p *Pivot[Row, Column]) get(row Row, column Column) (c *Cell, ok bool) {
	if c, ok = p.cells[[2]any{row, column}]; !ok {
		c = &Cell{Text: "-"}
	}
	return c, ok
}

// measured returns the cells of a column that have an estimate, of the rows that compete, the least median first.
func (p *Pivot[Row, Column]) measured(column Column, competes func(Row) bool) (cells []*Cell) {
	for _, row := range p.Rows {
		if c, _ := p.get(row, column); c.estimate().N > 0 && competes(row) {
			cells = append(cells, c)
		}
	}
	slices.SortStableFunc(cells, func(a, b *Cell) int {
		return cmp.Compare(a.estimate().Median, b.estimate().Median)
	})
	return cells
}

// Bold marks the best of each column: the least median, and all whose intervals overlap its own, since none of these
// is known to be better. Rows that compete reports false for take no part.
func (p *Pivot[Row, Column]) Bold(competes func(Row) bool) {
	for _, column := range p.Columns {
		cells := p.measured(column, competes)
		for _, c := range cells {
			e, best := c.estimate(), cells[0].estimate()
			c.Best = e.Median == best.Median || e.Bounded() && best.Bounded() && e.Lo <= best.Hi
		}
	}
}

// Table returns the cells as a table, with "-" where there is none. It is empty if the pivot is.
func (p *Pivot[Row, Column]) Table() *Table {
	t := NewTable(p.Corner)
	for _, column := range p.Columns {
		t.Heads = append(t.Heads, fmt.Sprint(column))
	}
	for _, row := range p.Rows {
		cells := []any{fmt.Sprint(row)}
		for _, column := range p.Columns {
			c, _ := p.get(row, column)
			cells = append(cells, *c)
		}
		t.Add(cells...)
	}
	return t
}
