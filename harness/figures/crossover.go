package figures

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Crossover draws the cost per timer of schemes 6 and 7 against T, one panel for each M, on
// logarithmic axes that all panels share.
type Crossover struct {
	Frame
	XLabel string // default "mean time a timer stays, T (ticks)"
	YLabel string // default "time per timer"
	Unit   Unit   // of Y
	Panels []Panel
}

// A Panel is one M: what was measured, what a model predicts, and where the two schemes cost the same.
type Panel struct {
	Title                string  // "M = 256, m = 4"
	Six, Seven           []Point // measured: X is T in ticks
	SixModel, SevenModel []Point // predicted, without intervals; none joins the measured points instead

	// The crossover T* in ticks, by the paper's rule, by the refined rule and as measured.
	// One that is zero, negative or not finite is not drawn.
	Paper, Refined, Measured float64
	MeasuredLo, MeasuredHi   float64 // the interval of Measured, drawn as a band; both 0 if there is none
}

// The marks of the three crossovers; the winner map draws the two rules in the same way.
var (
	paperLine    = draw.LineStyle{Color: ink, Width: 1.1}
	refinedLine  = draw.LineStyle{Color: ink, Width: 1.1, Dashes: []vg.Length{4, 2.5}}
	measuredLine = draw.LineStyle{Color: rgb(0xBBBBBB), Width: 3}
)

const (
	panelTitleHeight vg.Length = 15
	panelGap         vg.Length = 10 // between columns, and between rows
	endWidth         vg.Length = 12 // for the "6" and "7" at the lines' ends
	tickLabels       vg.Length = 16 // below a panel without an axis label
)

func (f Crossover) plan() (plan, error) {
	p := plan{frame: f.Frame}
	l := crossLayout{Crossover: f}
	l.Panels = nil
	for _, panel := range f.Panels {
		for _, points := range []*[]Point{&panel.Six, &panel.Seven, &panel.SixModel, &panel.SevenModel} {
			kept, d := clean(*points)
			*points = kept
			p.dropped = p.dropped.plus(d)
		}
		l.Panels = append(l.Panels, panel)
		l.x, l.y = extent(panel.Six, l.x, l.y)
		l.x, l.y = extent(panel.Seven, l.x, l.y)
	}
	if l.x.empty() {
		return p, fmt.Errorf("%w: no panel has a measured point that a logarithmic axis can show (%s left out)",
			ErrEmpty, count(p.dropped.Points, "point"))
	}
	l.reach()
	l.arrange()
	l.legend = l.keys()
	p.height = yLabelHeight + vg.Length(l.rows)*l.rowHeight() - tickLabels - panelGap + xAxisHeight + l.legend.height()
	p.draw = l.draw
	return p, nil
}

// crossLayout is a Crossover without undrawable points, with its axes' ranges and its rows of panels.
type crossLayout struct {
	Crossover
	x, y        span
	cols, rows  int
	panelHeight vg.Length // of a data area
	legend      legend
}

// reach widens the ranges that the measured points need to what models and crossovers add, but
// by no more than a factor that keeps the points readable: beyond it lines are cut and marks
// become arrows at the edge.
func (l *crossLayout) reach() {
	x, y := widened(l.x, 10), widened(l.y, 2)
	for _, p := range l.Panels {
		for _, t := range []float64{p.Paper, p.Refined, p.Measured} {
			if t >= x.lo && t <= x.hi {
				l.x = l.x.with(t)
			}
		}
		for _, m := range append(p.SixModel[:len(p.SixModel):len(p.SixModel)], p.SevenModel...) {
			l.y = l.y.with(min(max(m.Y, y.lo), y.hi))
		}
	}
	l.x, l.y = padded(l.x, 1.35), bounds(l.y)
}

// arrange chooses rows of at most three panels, four as two by two.
func (l *crossLayout) arrange() {
	n := len(l.Panels)
	l.cols, l.panelHeight = min(n, 3), 165
	switch n {
	case 1:
		l.panelHeight = 230
	case 2, 4:
		l.cols, l.panelHeight = 2, 180
	}
	l.rows = (n + l.cols - 1) / l.cols
}

// rowHeight is the height of a row of panels and of the gap below it.
func (l crossLayout) rowHeight() vg.Length {
	return panelTitleHeight + tagHeight + l.panelHeight + tickLabels + panelGap
}

// keys lists what the panels show.
func (l crossLayout) keys() legend {
	var models bool
	var marks [3]bool
	for _, p := range l.Panels {
		models = models || len(p.SixModel)+len(p.SevenModel) > 0
		for i, m := range p.marks() {
			marks[i] = marks[i] || placed(m.t)
		}
	}
	var keys legend
	for _, s := range []style{styleOf("hashunsorted"), styleOf("hierarchical")} {
		if models {
			keys = append(keys, markerKey(s, s.label()+", measured"), flatKey(s.line(), "predicted"))
		} else {
			keys = append(keys, schemeKey(s, s.label()))
		}
	}
	for i, m := range (Panel{}).marks() {
		if marks[i] {
			keys = append(keys, uprightKey(m.line, m.legend))
		}
	}
	return keys
}

func (l crossLayout) draw(body draw.Canvas) {
	write(body, lettering(labelSize, ink), body.Min.X, body.Max.Y-yLabelHeight/2, 0,
		shortened(lettering(labelSize, ink), orElse(l.YLabel, "time per timer"), bodyWidth))
	width := (bodyWidth - yTickWidth - panelGap*vg.Length(l.cols-1)) / vg.Length(l.cols)
	top := body.Max.Y - yLabelHeight
	for i, panel := range l.Panels {
		col, row := i%l.cols, i/l.cols
		x := body.Min.X + yTickWidth + vg.Length(col)*(width+panelGap)
		y := top - vg.Length(row)*l.rowHeight()
		heading := bold(lettering(labelSize, ink))
		write(body, heading, x, y-panelTitleHeight/2, 0, shortened(heading, panel.Title, width))
		high := y - panelTitleHeight - tagHeight
		area := rect(x, high-l.panelHeight, x+width-endWidth, high)
		l.drawPanel(body, panel, area, col == 0, i+l.cols >= len(l.Panels))
	}
	l.legend.draw(body)
}

// drawPanel draws one panel's axes and data; the first of a row has the y labels, the last of a
// column the axis label.
func (l crossLayout) drawPanel(body draw.Canvas, panel Panel, area vg.Rectangle, first, last bool) {
	xTicks := logTicks(l.x, int((area.Max.X-area.Min.X)/30), Count.Label)
	yTicks := logTicks(l.y, int(l.panelHeight/18), l.Unit.Label)
	if !first {
		yTicks = unlabelled(yTicks)
	}
	p := logPlot(l.x, l.y, xTicks, yTicks)
	if last {
		labelX(p, orElse(l.XLabel, "mean time a timer stays, T (ticks)"), area)
	}
	p.Add(panelPlotter{panel, l.tagSize()})
	drawAt(p, body, area)
}

// tagSize is the size of the crossovers' labels: three must fit above one panel.
func (l crossLayout) tagSize() vg.Length {
	if l.cols > 2 {
		return labelSize - 1.5
	}
	return labelSize - 0.5
}
