package figures

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	plotTop vg.Length = 6  // above the plot, for half a label
	endRoom vg.Length = 14 // right of a plot without line labels, for half a label
)

func (l linesLayout) draw(body draw.Canvas) {
	s := lettering(labelSize, ink)
	write(body, s, body.Min.X, body.Max.Y-yLabelHeight/2, 0, shortened(s, l.YLabel, bodyWidth))
	yTicks := l.Y.ticks(l.y, int(l.plotHeight()/26))
	right := endRoom
	if l.beside {
		right = leaderWidth
		for _, e := range l.entries {
			right = max(right, leaderWidth+e.key(longestLabel).width())
		}
	}
	below := l.below()
	area := rect(body.Min.X+max(yTickWidth, widest(yTicks)+10), body.Min.Y+xAxisHeight+below.height(),
		body.Max.X-right, body.Max.Y-yLabelHeight-plotTop)
	p := l.plot(area.Max.X-area.Min.X, yTicks)
	labelX(p, l.XLabel, area)
	p.Add(l)
	drawAt(p, body, area)
	below.draw(body)
}

// plot returns the axes and their grid, for a data area of this width.
func (l linesLayout) plot(width vg.Length, yTicks plot.ConstantTicks) *plot.Plot {
	p := newPlot()
	p.X.Min, p.X.Max = l.x.lo, l.x.hi
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = l.y.lo, l.y.hi, yTicks
	if l.X.Log {
		p.X.Scale = plot.LogScale{}
	}
	if l.Y.Log {
		p.Y.Scale = plot.LogScale{}
	}
	grid := &plotter.Grid{Horizontal: draw.LineStyle{Color: hair, Width: 0.5}}
	if n := len(l.X.Names); n > 0 {
		ticks, size := nameTicks(l.X.Names, width/vg.Length(n))
		p.X.Tick.Marker, p.X.Tick.Label.Font.Size = ticks, size
		p.X.Tick.Color, p.X.Tick.Width = color.White, 0.01 // a gap of the tick's length but no visible tick
	} else {
		grid.Vertical = grid.Horizontal
		p.X.Tick.Marker = l.X.ticksWithin(l.x, width)
	}
	p.Add(grid)
	return p
}

// Plot draws predictions first, so that no line runs over a marker's bar, and then what was
// counted; it makes l a plot.Plotter.
func (l linesLayout) Plot(c draw.Canvas, p *plot.Plot) {
	l.drawColumns(c, p)
	lines := l.Lines.Lines
	for i, ln := range lines {
		if ln.Kind.lined() {
			stroke(c, l.styles[i].line(), l.trace(c, p, i)...)
		}
	}
	for i, ln := range lines {
		if ln.Kind.marked() {
			drawSeries(l.shifted(c, i), p, l.styles[i], l.inside(ln.Points), false)
		}
	}
	if l.beside {
		drawLabels(c, l.ends(c, p))
	}
}

// drawColumns parts the categories.
func (l linesLayout) drawColumns(c draw.Canvas, p *plot.Plot) {
	tx, _ := p.Transforms(&c)
	var borders [][]vg.Point
	for i := 1; i < len(l.X.Names); i++ {
		x := tx(float64(i) - 0.5)
		borders = append(borders, []vg.Point{{X: x, Y: c.Min.Y}, {X: x, Y: c.Max.Y}})
	}
	stroke(c, draw.LineStyle{Color: hair, Width: 0.5}, borders...)
}

// shifted is c moved to the i-th line's place in the columns.
func (l linesLayout) shifted(c draw.Canvas, i int) draw.Canvas {
	c.Rectangle = c.Rectangle.Add(vg.Point{X: l.shift[i]})
	return c
}

// trace is the i-th line cut to the data area: through its points, or a level at each where a line
// has no meaning, between categories, or no second point.
func (l linesLayout) trace(c draw.Canvas, p *plot.Plot, i int) [][]vg.Point {
	ln, moved := l.Lines.Lines[i], l.shifted(c, i)
	tx, ty := p.Transforms(&moved)
	half := max(5, 0.44*l.room)
	var through []vg.Point
	var levels [][]vg.Point
	for _, pt := range ln.Points {
		at := vg.Point{X: tx(pt.X), Y: ty(pt.Y)}
		through = append(through, at)
		levels = append(levels, []vg.Point{{X: at.X - half, Y: at.Y}, {X: at.X + half, Y: at.Y}})
	}
	// A hair wider than the area: rounding must not cut a line that runs along its edge.
	clip := draw.Canvas{Canvas: c.Canvas, Rectangle: rect(c.Min.X-0.1, c.Min.Y-0.1, c.Max.X+0.1, c.Max.Y+0.1)}
	if ln.Kind == Predicted && (len(l.X.Names) > 0 || len(through) == 1) {
		return clip.ClipLinesXY(levels...)
	}
	return clip.ClipLinesXY(through)
}

// ends returns where each entry's line stops. One that stops early gets no leader, which would
// cross the data.
func (l linesLayout) ends(c draw.Canvas, p *plot.Plot) []lineEnd {
	tx, _ := p.Transforms(&c)
	edge := min(tx(l.last), c.Max.X) - 0.5
	var ends []lineEnd
	for _, e := range l.entries {
		at := l.end(c, p, e.line)
		led := at.X >= edge
		if e.marks {
			at.X += 5
		}
		ends = append(ends, lineEnd{at, led, e.key(longestLabel)})
	}
	return ends
}

// end is the last place where the i-th line can be seen, or the middle of the plot's height.
func (l linesLayout) end(c draw.Canvas, p *plot.Plot, i int) vg.Point {
	tx, ty := p.Transforms(&c)
	ln := l.Lines.Lines[i]
	if ln.Kind.lined() {
		if parts := l.trace(c, p, i); len(parts) > 0 {
			last := parts[len(parts)-1]
			return last[len(last)-1]
		}
	}
	if in := l.inside(ln.Points); len(in) > 0 {
		return vg.Point{X: tx(in[len(in)-1].X), Y: ty(in[len(in)-1].Y)}
	}
	return vg.Point{X: c.Min.X, Y: c.Center().Y}
}
