package figures

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
)

// WinnerMap draws which of schemes 6 and 7 costs less in each cell of a grid over T and M, and
// where two rules say that the winner changes.
type WinnerMap struct {
	Frame
	XLabel, YLabel string
	T, M           []float64 // columns and rows, both positive and ascending; the first M is the lowest row
	Rows           []string  // labels of the rows instead of M, which then need not ascend
	Cells          [][]Cell  // Cells[row][column]: one row for each M, one cell for each T
	// T* in ticks for each row, by the paper's bound and by the model; nil if there is none.
	// The model names 6 where T < T*; +Inf names 6 everywhere. A row whose T* is NaN, zero or
	// negative interrupts the line.
	Bound, Model []float64
}

// A Cell is one measured comparison.
type Cell struct {
	Winner Winner
	Ratio  float64 // the loser's cost over the winner's; not written if it is not positive and finite
}

// Winner is what a cell found.
type Winner int

const (
	Missing Winner = iota // not measured
	Six
	Seven
	Tie // the difference is within the noise
)

func (f WinnerMap) plan() (plan, error) {
	p := plan{frame: f.Frame}
	if err := f.check(); err != nil {
		return p, err
	}
	p.height = yLabelHeight + tagHeight + cellHeight*vg.Length(len(f.M)) + xAxisHeight + f.legend().height()
	p.draw = f.draw
	return p, nil
}

func (f WinnerMap) check() error {
	rows := ascending("M", f.M)
	if f.Rows != nil {
		rows = nil
		if len(f.Rows) != len(f.M) {
			rows = fmt.Errorf("%w: %s for %d M", ErrShape, count(len(f.Rows), "row label"), len(f.M))
		}
	}
	if err := cmp.Or(ascending("T", f.T), rows); err != nil {
		return err
	}
	if len(f.Cells) != len(f.M) {
		return fmt.Errorf("%w: %s of cells for %d M", ErrShape, count(len(f.Cells), "row"), len(f.M))
	}
	for _, tStar := range f.rules() {
		if tStar != nil && len(tStar) != len(f.M) {
			return fmt.Errorf("%w: %d T* for %d M", ErrShape, len(tStar), len(f.M))
		}
	}
	measured := false
	for i, row := range f.Cells {
		if len(row) != len(f.T) {
			return fmt.Errorf("%w: row %d has %s for %d T", ErrShape, i, count(len(row), "cell"), len(f.T))
		}
		for _, c := range row {
			if err := within("winner", int(c.Winner), int(Tie)); err != nil {
				return err
			}
			measured = measured || c.Winner != Missing
		}
	}
	if !measured {
		return fmt.Errorf("%w: no cell is measured", ErrEmpty)
	}
	return nil
}

// ascending returns an error if the values of an axis are not positive and ascending.
func ascending(name string, values []float64) error {
	for i, v := range values {
		if !placed(v) || i > 0 && v <= values[i-1] {
			return fmt.Errorf("%w: %s[%d] = %g (needs positive and ascending values)", ErrShape, name, i, v)
		}
	}
	return nil
}

// rules returns the T* of each source, nil if it has none.
func (f WinnerMap) rules() [len(sources)][]float64 {
	return [...][]float64{ByModel: f.Model, ByBound: f.Bound}
}

// column is the number of the ascending values below t: the border of cells where a rule with
// this T* changes its mind. It is -1 when the rule says nothing.
func column(values []float64, t float64) int {
	if math.IsNaN(t) || t <= 0 {
		return -1
	}
	n := 0
	for n < len(values) && values[n] < t {
		n++
	}
	return n
}

// frontier returns the lines, in cells from the lower left corner, where a rule with a T* for each M
// changes its mind: along borders, so that every cell lies on the side that the rule names for it.
func (f WinnerMap) frontier(tStar []float64) (lines [][]vg.Point) {
	open := false
	for row, t := range tStar {
		col := column(f.T, t)
		if col >= 0 && !open {
			lines = append(lines, nil)
		}
		if open = col >= 0; open {
			last := &lines[len(lines)-1]
			*last = append(*last, upright(vg.Length(col), vg.Length(row), vg.Length(row+1))...)
		}
	}
	return lines
}
