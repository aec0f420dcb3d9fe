package figures

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// WinnerMap draws which of schemes 6 and 7 costs less in each cell of a grid over T and the sizes of the wheels,
// and where a rule says that the winner changes.
type WinnerMap struct {
	Frame
	XLabel, YLabel string
	T              []float64 // columns, positive and ascending
	Rows           []string  // labels of the rows, the lowest first
	Cells          [][]Cell  // Cells[row][column]
	// Bound is T* in ticks for each row by the paper's bound, which names 7 from there on; nil if there is none.
	Bound []float64
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

// outcomes are the looks of cells: 6 dark and 7 light, so that they differ on a grey print.
var outcomes = [...]struct {
	letter, legend     string
	fill, text, border uint32
}{
	Missing: {"–", "– not measured", 0xFFFFFF, 0x555555, 0xCCCCCC},
	Six:     {"6", "6 hashunsorted costs less", 0x4477AA, 0xFFFFFF, 0x4477AA},
	Seven:   {"7", "7 hierarchical costs less", 0xF9C5CB, 0x222222, 0xF9C5CB},
	Tie:     {"=", "= within the noise", 0xF2F2F2, 0x222222, 0xAAAAAA},
}

// page draws the map in the space of cells, column j from j to j + 1: the library's heat map cannot be drawn on a
// logarithmic axis.
func (f WinnerMap) page() (*page, error) {
	if len(f.Cells) != len(f.Rows) || f.Bound != nil && len(f.Bound) != len(f.Rows) {
		return nil, fmt.Errorf("figures: %d rows of cells and %d T* for %d rows", len(f.Cells), len(f.Bound), len(f.Rows))
	}
	for i, row := range f.Cells {
		if len(row) != len(f.T) {
			return nil, fmt.Errorf("figures: row %d has %d cells for %d T", i, len(row), len(f.T))
		}
	}
	const cellHeight = 31
	p := newPlot("")
	p.X.Padding, p.Y.Padding, p.X.Tick.Length, p.Y.Tick.Length, p.X.Width, p.Y.Width = 0, 0, 0, 0, 0, 0
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.02, float64(len(f.T))+0.02, -0.02, float64(len(f.Rows))+0.02
	var rows, columns plot.ConstantTicks
	width := bodyWidth - 10 // of all cells
	for i, row := range f.Rows {
		row = shortened(labelStyle, row, bodyWidth/3)
		width = min(width, bodyWidth-10-labelStyle.Width(row))
		rows = append(rows, plot.Tick{Value: float64(i) + 0.5, Label: row})
	}
	width /= vg.Length(len(f.T)) // of one
	step := 1                    // between labelled columns
	for _, t := range f.T {
		step = max(step, int(math.Ceil(float64((labelStyle.Width(Count.label(t))+6)/width))))
	}
	for j := 0; j < len(f.T); j += step {
		columns = append(columns, plot.Tick{Value: float64(j) + 0.5, Label: Count.label(f.T[j])})
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = columns, rows

	page := &page{Frame: f.Frame, xLabel: f.XLabel, yLabel: f.YLabel, plots: [][]*plot.Plot{{p}},
		rowHeight: cellHeight*vg.Length(len(f.Rows)) + 16}
	for _, winner := range []Winner{Six, Seven, Tie, Missing} {
		if winner == Missing && len(page.legend) == 0 {
			return nil, errors.New("figures: no cell is measured")
		}
		if cells := f.addCells(p, winner, width); cells != nil {
			page.legend = append(page.legend, legendEntry{outcomes[winner].legend, []plot.Thumbnailer{cells}})
		}
	}
	var line plotter.XYs // along the borders of cells, so that each lies on the side that the bound names
	for i, t := range f.Bound {
		below, _ := slices.BinarySearch(f.T, t)
		line = append(line, plotter.XY{X: float64(below), Y: float64(i)}, plotter.XY{X: float64(below), Y: float64(i + 1)})
	}
	if len(line) > 0 {
		sample := &plotter.Line{XYs: line, LineStyle: draw.LineStyle{Color: ink, Width: 1.8}}
		lift := draw.LineStyle{Color: white, Width: 3.4} // off dark cells
		p.Add(&plotter.Line{XYs: line, LineStyle: lift}, sample)
		page.legend = append(page.legend, legendEntry{"paper's bound: 7 to the right", []plot.Thumbnailer{sample}})
	}
	return page, nil
}

// addCells draws the cells of one outcome with their letters, and their ratios if those fit into the width of a
// cell. It returns nil if there is no such cell.
func (f WinnerMap) addCells(p *plot.Plot, winner Winner, width vg.Length) *plotter.Polygon {
	const in = 0.015 // from a cell's border
	look := outcomes[winner]
	cells := &plotter.Polygon{Color: rgb(look.fill), LineStyle: draw.LineStyle{Color: rgb(look.border), Width: 0.5}}
	style := labelStyle
	style.Color, style.XAlign, style.YAlign = rgb(look.text), draw.XCenter, draw.YCenter
	var texts plotter.Labels
	for i, row := range f.Cells {
		for j, cell := range row {
			if cell.Winner != winner {
				continue
			}
			x, y, text := float64(j), float64(i), look.letter
			ratio := fmt.Sprintf("%#.3g×", cell.Ratio)
			if cell.Ratio >= 99.5 {
				ratio = Count.label(significant(cell.Ratio, 3)) + "×"
			}
			if winner != Missing && (Axis{Log: true}).holds(cell.Ratio) && style.Width(ratio) <= width-3 {
				text += "\n" + ratio
			}
			cells.XYs = append(cells.XYs, plotter.XYs{{X: x + in, Y: y + in}, {X: x + 1 - in, Y: y + in},
				{X: x + 1 - in, Y: y + 1 - in}, {X: x + in, Y: y + 1 - in}})
			texts.XYs = append(texts.XYs, plotter.XY{X: x + 0.5, Y: y + 0.5})
			texts.Labels, texts.TextStyle = append(texts.Labels, text), append(texts.TextStyle, style)
		}
	}
	if len(cells.XYs) == 0 {
		return nil
	}
	p.Add(cells, &texts)
	return cells
}
