package figures

import (
	"slices"

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

// moved is p with all places a distance to the right.
func (p plane) moved(by vg.Length) plane {
	x := p.x
	p.x = func(v float64) vg.Length { return x(v) + by }
	return p
}

func (l layout) draw(s *sheet, body vg.Rectangle) {
	s.write(label, body.Min.X, body.Max.Y-yLabelHeight/2, left, label.shortened(l.YLabel, bodyWidth))
	for i, panel := range l.plots {
		area := l.area(body, i)
		if len(l.Panels) > 0 {
			s.write(heading, area.Min.X, area.Max.Y+l.top()-panelTitleHeight/2, left, heading.shortened(panel.Title, l.plotWidth))
		}
		s.stroke(draw.LineStyle{Color: hair, Width: 0.5}, l.grid(l.plane(area))...)
		l.drawPanel(s, panel, l.plane(area))
		l.drawAxes(s, area, i%l.cols == 0)
		if i+l.cols >= len(l.plots) {
			s.axisLabel(l.XLabel, area)
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
	for _, t := range l.xTicks() {
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

func (l layout) xTicks() []plot.Tick {
	if len(l.X.Names) > 0 {
		return nil
	}
	return l.X.ticksWithin(l.x, l.values, l.plotWidth)
}

// drawAxes draws the axes with their ticks and labels; only the first plot of a row has those of y.
func (l layout) drawAxes(s *sheet, area vg.Rectangle, first bool) {
	const long, short = 4, 2
	p := l.plane(area)
	lines := [][]vg.Point{{{X: area.Min.X, Y: area.Max.Y}, area.Min, {X: area.Max.X, Y: area.Min.Y}}}
	for _, t := range l.xTicks() {
		length := vg.Length(short)
		if t.Label != "" {
			length = long
			s.write(label, p.x(t.Value), area.Min.Y-10.5, middle, t.Label)
		}
		lines = append(lines, upright(p.x(t.Value), area.Min.Y-length, area.Min.Y))
	}
	for _, t := range l.yTicks {
		length := vg.Length(short)
		if t.Label != "" {
			length = long
			if first {
				s.write(label, area.Min.X-6, p.y(t.Value), right, t.Label)
			}
		}
		lines = append(lines, level(p.y(t.Value), area.Min.X-length, area.Min.X))
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

// drawPanel draws marks, then lines, so that none runs over a marker's bar, and then what was measured.
func (l layout) drawPanel(s *sheet, panel Panel, p plane) {
	l.drawMarks(s, panel.Marks, p)
	clip := l.clip(s, p)
	for _, series := range panel.Series {
		if series.Kind.lined() {
			i := slices.IndexFunc(l.distinct, series.alike)
			s.stroke(l.styles[i].line(), clip.ClipLinesXY(l.trace(series, p.moved(l.shift[i]))...)...)
		}
	}
	for _, series := range panel.Series {
		if series.Kind.marked() {
			i := slices.IndexFunc(l.distinct, series.alike)
			s.drawPoints(l.styles[i], l.inside(series.Points), p.moved(l.shift[i]))
		}
	}
	switch {
	case len(panel.Series) == 0:
		s.write(label, centre(p.Rectangle).X, centre(p.Rectangle).Y, middle, "not measured")
	case l.beside:
		s.drawEnds(p.Rectangle, l.ends(s, p), p.Min.Y+l.slopesAbove(p))
	case len(l.Panels) > 0:
		s.drawEnds(p.Rectangle, l.numbers(panel, p), p.Min.Y)
	}
}

// clip is a hair wider than the area: rounding must not cut a line that runs along its edge.
func (l layout) clip(s *sheet, p plane) *draw.Canvas {
	return &draw.Canvas{Canvas: s.Canvas.Canvas, Rectangle: rect(p.Min.X-0.1, p.Min.Y-0.1, p.Max.X+0.1, p.Max.Y+0.1)}
}

// trace is a line through the points, or a level at each where a line has no meaning, between
// categories, or no second point.
func (l layout) trace(series Series, p plane) [][]vg.Point {
	half := max(5, 0.44*l.room)
	var through []vg.Point
	var levels [][]vg.Point
	for _, pt := range series.Points {
		at := p.at(pt)
		through = append(through, at)
		levels = append(levels, level(at.Y, at.X-half, at.X+half))
	}
	if series.Kind == Predicted && (len(l.X.Names) > 0 || len(through) == 1) {
		return levels
	}
	return [][]vg.Point{through}
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

// drawMarks draws the marks from bottom to top, and their labels above.
func (l layout) drawMarks(s *sheet, marks []Mark, p plane) {
	var tags []tag
	within := func(v float64) vg.Length { return p.x(min(max(v, l.x.lo), l.x.hi)) }
	for _, m := range marks {
		if (m.Lo != 0 || m.Hi != 0) && l.X.holds(m.Lo) && l.X.holds(m.Hi) && m.Lo <= m.Hi {
			s.fill(rgb(0xEDEDED), rect(within(m.Lo), p.Min.Y, within(m.Hi), p.Max.Y))
		}
	}
	for _, m := range marks {
		text := m.Label
		switch {
		case m.X < l.x.lo:
			text = "← " + text
		case m.X > l.x.hi:
			text += " →"
		default:
			s.stroke(sources[m.By].line, upright(p.x(m.X), p.Min.Y, p.Max.Y))
		}
		tags = append(tags, tag{text, within(m.X)})
	}
	s.drawTags(tags, p.Max.Y, p.Min.X-4, p.Max.X+endWidth)
}

// ends returns where each entry's line stops. One that stops early gets no leader, which would
// cross the data.
func (l layout) ends(s *sheet, p plane) []lineEnd {
	edge := min(p.x(l.last), p.Max.X) - 0.5
	var ends []lineEnd
	for _, e := range l.entries {
		at := l.end(s, p, l.distinct[e.series])
		led := at.X >= edge
		if e.marked {
			at.X += 5
		}
		ends = append(ends, lineEnd{at, led, e.key(longestLabel)})
	}
	return ends
}

// end is the last place where a series can be seen, or the middle of the plot's height.
func (l layout) end(s *sheet, p plane, series Series) vg.Point {
	if series.Kind.lined() {
		if parts := l.clip(s, p).ClipLinesXY(l.trace(series, p)...); len(parts) > 0 {
			last := parts[len(parts)-1]
			return last[len(last)-1]
		}
	}
	if in := l.inside(series.Points); len(in) > 0 {
		return p.at(in[len(in)-1])
	}
	return vg.Point{X: p.Min.X, Y: centre(p.Rectangle).Y}
}

// numbers labels what was measured in a panel with the paper's numbers of the schemes.
func (l layout) numbers(panel Panel, p plane) (ends []lineEnd) {
	for _, series := range panel.Series {
		in := l.inside(series.Points)
		if st := styleOf(series.styleName()); series.Kind.marked() && st.number > 0 && len(in) > 0 {
			ends = append(ends, lineEnd{at: p.at(in[len(in)-1]), key: key{text: st.label()[:1], bold: true}})
		}
	}
	return ends
}
