package figures

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// WinnerMap draws which of schemes 6 and 7 costs less in each cell of a grid over T and the sizes of
// the wheels, and where two rules say that the winner changes.
type WinnerMap struct {
	Frame
	XLabel, YLabel string
	T              []float64 // columns, positive and ascending
	Rows           []string  // labels of the rows, the lowest first
	Cells          [][]Cell  // Cells[row][column]
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
	p.height = yLabelHeight + tagHeight + cellHeight*vg.Length(len(f.Rows)) + xAxisHeight + f.legend().height()
	p.draw = f.draw
	return p, nil
}

func (f WinnerMap) check() error {
	for i, t := range f.T {
		if !placed(t) || i > 0 && t <= f.T[i-1] {
			return fmt.Errorf("%w: T[%d] = %g (needs positive and ascending values)", ErrShape, i, t)
		}
	}
	if len(f.Cells) != len(f.Rows) {
		return fmt.Errorf("%w: %s of cells and %s", ErrShape, count(len(f.Cells), "row"), count(len(f.Rows), "label"))
	}
	for _, r := range f.rules() {
		if len(r.tStar) != len(f.Rows) {
			return fmt.Errorf("%w: %d T* for %s", ErrShape, len(r.tStar), count(len(f.Rows), "row"))
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

// A rule has a T* for each row. Its line follows the borders at which it names another scheme.
type rule struct {
	name, sides string // sides: what it says to the left and the right of its line
	dashes      []vg.Length
	shift       vg.Length // right and down, so that both lines are visible along the same border
	tStar       []float64
}

// rules returns those that the map has.
func (f WinnerMap) rules() []rule {
	all := []rule{
		{"model", "6 to the left, 7 to the right", []vg.Length{4, 2.5}, -1.4, f.Model},
		{"paper's bound", "7 to the right", nil, 1.4, f.Bound},
	}
	return slices.DeleteFunc(all, func(r rule) bool { return r.tStar == nil })
}

func (r rule) line() draw.LineStyle { return draw.LineStyle{Color: ink, Width: 1.8, Dashes: r.dashes} }

// column is the number of the ascending values below t: the border of cells where a rule with
// this T* changes its mind. It is -1 when the rule says nothing.
func column(values []float64, t float64) int {
	if math.IsNaN(t) || t <= 0 {
		return -1
	}
	below, _ := slices.BinarySearch(values, t)
	return below
}

// frontier returns the lines, in cells from the lower left corner, where a rule with a T* for each row
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
