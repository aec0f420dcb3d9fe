package figures

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A mark is one crossover of a panel.
type mark struct {
	t            float64 // ticks
	name, legend string
	line         draw.LineStyle
}

func (p Panel) marks() [3]mark {
	return [3]mark{
		{p.Measured, "measured", "T* measured", measuredLine},
		{p.Refined, "refined", "T* by the refined rule", refinedLine},
		{p.Paper, "paper", "T* by the paper's rule", paperLine},
	}
}

type panelPlotter struct {
	Panel
	tagSize vg.Length
}

// Plot draws marks, models and measured points, in this order; it makes panelPlotter a plot.Plotter.
func (p panelPlotter) Plot(c draw.Canvas, pl *plot.Plot) {
	p.drawMarks(c, pl)
	var ends []vg.Length
	var names []string
	for _, s := range []struct {
		style    style
		measured []Point
		model    []Point
	}{
		{styleOf("hashunsorted"), p.Six, p.SixModel},
		{styleOf("hierarchical"), p.Seven, p.SevenModel},
	} {
		line := s.measured
		if len(s.model) > 0 {
			line = s.model
		}
		for _, part := range clipped(c, pl, line) {
			stroke(c, s.style.line(), part)
		}
		drawSeries(c, pl, s.style, s.measured, false)
		if n := len(s.measured); n > 0 {
			_, ty := pl.Transforms(&c)
			ends, names = append(ends, ty(s.measured[n-1].Y)), append(names, s.style.label()[:1])
		}
	}
	if len(ends) == 0 {
		write(c, lettering(labelSize, faint), c.Center().X, c.Center().Y, -0.5, "not measured")
	}
	for i, y := range spread(ends, []vg.Length{11, 11}[:len(ends)], c.Min.Y, c.Max.Y) {
		write(c, bold(lettering(labelSize, ink)), c.Max.X+4, y, 0, names[i])
	}
}

// clipped returns the parts of a line that lie inside the data area.
func clipped(c draw.Canvas, p *plot.Plot, points []Point) [][]vg.Point {
	tx, ty := p.Transforms(&c)
	var line []vg.Point
	for _, pt := range points {
		line = append(line, vg.Point{X: tx(pt.X), Y: ty(pt.Y)})
	}
	return c.ClipLinesXY(line)
}

// drawMarks draws the crossovers from bottom to top and writes their T above the panel.
func (p panelPlotter) drawMarks(c draw.Canvas, pl *plot.Plot) {
	tx, _ := pl.Transforms(&c)
	within := func(t float64) vg.Length { return min(max(tx(t), c.Min.X), c.Max.X) }
	if placed(p.MeasuredLo) && placed(p.MeasuredHi) && p.MeasuredLo <= p.MeasuredHi && placed(p.Measured) {
		fill(c, rgb(0xEDEDED), rect(within(p.MeasuredLo), c.Min.Y, within(p.MeasuredHi), c.Max.Y))
	}
	var tags []tag
	for _, m := range p.marks() {
		if !placed(m.t) {
			continue
		}
		text := m.name + " " + Count.Label(m.t)
		switch {
		case m.t < pl.X.Min:
			text = "← " + text
		case m.t > pl.X.Max:
			text += " →"
		default:
			stroke(c, m.line, []vg.Point{{X: tx(m.t), Y: c.Min.Y}, {X: tx(m.t), Y: c.Max.Y}})
		}
		tags = append(tags, tag{text, within(m.t)})
	}
	drawTags(c, tags, c.Max.Y, c.Min.X-4, c.Max.X+endWidth, p.tagSize, ink)
}
