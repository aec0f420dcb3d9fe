package figures

import (
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A plane is a data area and the places of values in it.
type plane struct {
	vg.Rectangle
	x, y func(float64) vg.Length
}

func (l layout) plane(area vg.Rectangle) plane {
	return plane{area, l.X.place(l.x, area.Min.X, area.Max.X), l.Y.place(l.y, area.Min.Y, area.Max.Y)}
}

func (p plane) at(pt Point) vg.Point { return vg.Point{X: p.x(pt.X), Y: p.y(pt.Y)} }

func (l layout) draw(s *sheet, body vg.Rectangle) {
	s.write(label, body.Min.X, body.Max.Y-yLabelHeight/2, left, label.shortened(l.YLabel, bodyWidth))
	for i, panel := range l.plots {
		p := l.plane(l.area(body, i))
		if len(l.Panels) > 0 {
			y := p.Max.Y + l.top() - panelTitleHeight/2
			s.write(heading, p.Min.X, y, left, heading.shortened(panel.Title, l.plotWidth))
		}
		s.stroke(draw.LineStyle{Color: hair, Width: 0.5}, l.grid(p)...)
		l.drawPanel(s, panel, p)
		l.drawAxes(s, p, i%l.cols == 0)
		if i+l.cols >= len(l.plots) {
			s.axisLabel(l.XLabel, p.Rectangle)
		}
	}
	if l.Slopes {
		l.drawSlopes(s, l.plane(l.area(body, 0)))
	}
	l.below().draw(s, body)
}

// axisLabel names the x axis below area.
func (s *sheet) axisLabel(txt string, area vg.Rectangle) {
	x := centre(area).X
	room := 2 * min(x-pageMargin, pageWidth-pageMargin-x)
	s.write(label, x, area.Min.Y-25, middle, label.shortened(txt, room))
}

// grid returns the lines at labelled ticks, and between categories.
func (l layout) grid(p plane) (lines [][]vg.Point) {
	for i := 1; i < len(l.X.Names); i++ {
		lines = append(lines, upright(p.x(float64(i)-0.5), p.Min.Y, p.Max.Y))
	}
	for _, t := range l.xTicks {
		if t.Label != "" {
			lines = append(lines, upright(p.x(t.Value), p.Min.Y, p.Max.Y))
		}
	}
	for _, t := range l.yTicks {
		if t.Label != "" {
			lines = append(lines, level(p.y(t.Value), p.Min.X, p.Max.X))
		}
	}
	return lines
}

// drawAxes draws the axes with their ticks and labels; only the first plot of a row has those of y.
func (l layout) drawAxes(s *sheet, p plane, first bool) {
	length := func(t plot.Tick) vg.Length {
		if t.IsMinor() {
			return 2
		}
		return 4
	}
	lines := [][]vg.Point{{{X: p.Min.X, Y: p.Max.Y}, p.Min, {X: p.Max.X, Y: p.Min.Y}}}
	for _, t := range l.xTicks {
		lines = append(lines, upright(p.x(t.Value), p.Min.Y-length(t), p.Min.Y))
		s.write(label, p.x(t.Value), p.Min.Y-10.5, middle, t.Label)
	}
	for _, t := range l.yTicks {
		lines = append(lines, level(p.y(t.Value), p.Min.X-length(t), p.Min.X))
		if first {
			s.write(label, p.Min.X-6, p.y(t.Value), right, t.Label)
		}
	}
	s.stroke(draw.LineStyle{Color: faint, Width: 0.6}, lines...)
	l.drawNames(s, p)
}

// drawNames labels categories: in smaller letters and then cut where the longest name needs more than
// its column.
func (l layout) drawNames(s *sheet, p plane) {
	letters, room := label, l.plotWidth/vg.Length(max(1, len(l.X.Names)))-6
	for _, n := range l.X.Names {
		letters.size = min(letters.size, max(6.5, labelSize*room/max(1, label.width(n))))
	}
	for i, n := range l.X.Names {
		s.write(letters, p.x(float64(i)), p.Min.Y-10.5, middle, letters.shortened(n, room))
	}
}

// drawPanel draws lines first, so that none runs over a marker's bar, and then what was measured.
func (l layout) drawPanel(s *sheet, panel Panel, p plane) {
	look := func(series Series) style { return l.styles[slices.IndexFunc(l.distinct, series.alike)] }
	for _, series := range panel.Series {
		if series.Kind.lined() {
			s.stroke(look(series).line(), l.trace(series, p)...)
		}
	}
	for _, series := range panel.Series {
		if series.Kind.marked() {
			s.drawPoints(look(series), series.Points, p)
		}
	}
	lo := p.Min.Y
	if l.Slopes {
		lo += slopesAbove
	}
	if len(panel.Series) == 0 {
		s.write(label, centre(p.Rectangle).X, centre(p.Rectangle).Y, middle, "not measured")
	}
	s.drawEnds(p.Rectangle, l.ends(panel, p), lo)
}

// trace is a line through the points, or a level at each where a line has no meaning, between
// categories, or no second point; cut at the ends of the axes.
func (l layout) trace(series Series, p plane) [][]vg.Point {
	const half = 7
	var through []vg.Point
	var levels [][]vg.Point
	for _, pt := range series.Points {
		at := p.at(pt)
		through = append(through, at)
		levels = append(levels, level(at.Y, at.X-half, at.X+half))
	}
	if series.Kind == Both || len(l.X.Names) == 0 && len(through) > 1 {
		levels = [][]vg.Point{through}
	}
	// A hair wider than the area: rounding must not cut a line that runs along its edge.
	area := draw.Canvas{Rectangle: rect(p.Min.X-0.1, p.Min.Y-0.1, p.Max.X+0.1, p.Max.Y+0.1)}
	return area.ClipLinesXY(levels...)
}

// drawPoints draws bars, and markers on top.
func (s *sheet) drawPoints(st style, points []Point, p plane) {
	var at, lo, hi []vg.Point
	for _, pt := range points {
		at = append(at, p.at(pt))
		if pt.hasBar() {
			lo = append(lo, p.at(Point{X: pt.X, Y: pt.Lo}))
			hi = append(hi, p.at(Point{X: pt.X, Y: pt.Hi}))
		}
	}
	s.drawBars(st, lo, hi)
	s.drawMarkers(st, at)
}

// ends returns the labels right of a plot: beside a single one, its entries; beside panels, the
// paper's numbers of the schemes that were measured. A line that stops early gets no leader, which
// would cross the data.
func (l layout) ends(panel Panel, p plane) (ends []lineEnd) {
	for _, e := range l.entries {
		i := slices.IndexFunc(panel.Series, l.distinct[e.series].alike)
		if i < 0 {
			continue
		}
		at := l.end(panel.Series[i], p)
		number := styleOf(panel.Series[i].styleName()).number
		switch {
		case l.beside:
			led := at.X >= min(p.x(slices.Max(l.values)), p.Max.X)-0.5
			if e.marker != nil {
				at.X += 5
			}
			ends = append(ends, lineEnd{at, led, e.key})
		case len(l.Panels) > 0 && e.marker != nil && number > 0:
			ends = append(ends, lineEnd{at: at, key: key{text: strconv.Itoa(number), bold: true}})
		}
	}
	return ends
}

// end is the last place where a series can be seen, or the middle of the plot's height.
func (l layout) end(series Series, p plane) vg.Point {
	if series.Kind == Measured {
		return p.at(series.Points[len(series.Points)-1])
	}
	if parts := l.trace(series, p); len(parts) > 0 {
		last := parts[len(parts)-1]
		return last[len(last)-1]
	}
	return vg.Point{X: p.Min.X, Y: centre(p.Rectangle).Y}
}
