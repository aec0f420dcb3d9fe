package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Curves draws the cost of several schemes against n on two logarithmic axes.
type Curves struct {
	Frame
	XLabel string // default "timers outstanding, n"
	YLabel string // "time per Start, median"
	Unit   Unit   // of Y
	Series []Series
	Growth []Growth // reference slopes, drawn from one point at the left
}

// A Series is one scheme's points.
type Series struct {
	Scheme string // chooses colour, dash and marker
	Label  string // default: the paper's number and the scheme's name
	Points []Point
}

func (s Series) label() string {
	if s.Label != "" {
		return s.Label
	}
	return styleOf(s.Scheme).label()
}

// Growth is an order of growth in n.
type Growth int

const (
	Constant Growth = iota
	Logarithmic
	Linear
)

func (g Growth) label() string {
	return [...]string{"O(1)", "O(log n)", "O(n)"}[g]
}

// factor is how much a cost of this order grows from n0 to n.
func (g Growth) factor(n0, n float64) float64 {
	switch g {
	case Logarithmic:
		return math.Log1p(n) / math.Log1p(n0)
	case Linear:
		return n / n0
	}
	return 1
}

const (
	curvesHeight vg.Length = 270 // of the plot's data area
	yTickWidth   vg.Length = 44  // of the widest label of a y axis, with its tick
	xAxisHeight  vg.Length = 34  // of x ticks, their labels and the axis label
	yLabelHeight vg.Length = 14  // the y axis label stands above its axis
	entryHeight  vg.Length = 13  // of a label at a line's end
	longestLabel vg.Length = 200 // of a line, cut at more: the plot needs the rest
	leaderWidth  vg.Length = 16  // between the plot and its line labels
)

func (f Curves) plan() (plan, error) {
	p := plan{frame: f.Frame}
	l := curvesLayout{Curves: f}
	l.Series = nil
	for _, s := range f.Series {
		var d Dropped
		s.Points, d = clean(s.Points)
		p.dropped = p.dropped.plus(d)
		if len(s.Points) > 0 {
			s.Label = shortened(lettering(labelSize, ink), s.label(), longestLabel)
			l.Series = append(l.Series, s)
			l.data, l.y = extent(s.Points, l.data, l.y)
		}
	}
	if len(l.Series) == 0 {
		return p, fmt.Errorf("%w: no curve has a point that a logarithmic axis can show (%s left out)",
			ErrEmpty, count(p.dropped.Points, "point"))
	}
	if err := l.placeFan(); err != nil {
		return p, err
	}
	l.x, l.y = padded(l.data, 1.25), bounds(l.y)
	l.entries = len(l.Series) + len(l.Growth)
	plotHeight := max(curvesHeight, vg.Length(l.entries)*entryHeight)
	p.height = yLabelHeight + l.topGap() + plotHeight + xAxisHeight
	p.draw = l.draw
	return p, nil
}

// curvesLayout is a Curves without undrawable points, and its axes' ranges.
type curvesLayout struct {
	Curves
	data, x, y span
	fan        float64 // the cost at which all reference slopes begin
	entries    int     // labels at the right
}

// placeFan lets the reference slopes begin below all data, so that they cross as little as can be.
func (l *curvesLayout) placeFan() error {
	for _, g := range l.Growth {
		if g < Constant || g > Linear {
			return fmt.Errorf("%w: growth %d, want 0 to %d", ErrShape, g, Linear)
		}
	}
	if len(l.Growth) > 0 {
		l.fan = l.y.lo / 1.4
		l.y = l.y.with(l.fan)
	}
	return nil
}

// topGap is the room above the plot: for the label of a slope that leaves it there, if one does.
func (l curvesLayout) topGap() vg.Length {
	for _, g := range l.Growth {
		if l.fan*g.factor(l.data.lo, l.x.hi) > l.y.hi {
			return tagHeight
		}
	}
	return 6
}

func (l curvesLayout) draw(body draw.Canvas) {
	labels := vg.Length(0)
	for _, s := range l.Series {
		labels = max(labels, schemeKey(style{}, s.label()).width())
	}
	area := rect(body.Min.X+yTickWidth, body.Min.Y+xAxisHeight,
		body.Max.X-leaderWidth-labels, body.Max.Y-yLabelHeight-l.topGap())
	write(body, lettering(labelSize, ink), body.Min.X, body.Max.Y-yLabelHeight/2, 0,
		shortened(lettering(labelSize, ink), l.YLabel, bodyWidth))

	p := logPlot(l.x, l.y, logTicks(l.x, 12, Count.Label), logTicks(l.y, 10, l.Unit.Label))
	labelX(p, orElse(l.XLabel, "timers outstanding, n"), area)
	p.Add(l)
	drawAt(p, body, area)
}

// Plot draws the curves into the data area c and their labels beside it; it makes l a plot.Plotter.
func (l curvesLayout) Plot(c draw.Canvas, p *plot.Plot) {
	ends := l.drawGrowth(c, p)
	for _, s := range l.Series {
		drawSeries(c, p, styleOf(s.Scheme), s.Points, true)
	}
	drawLabels(c, append(ends, l.seriesEnds(c, p)...))
}

// drawSeries draws bars, a line if joined, and markers on top.
func drawSeries(c draw.Canvas, p *plot.Plot, s style, points []Point, joined bool) {
	tx, ty := p.Transforms(&c)
	var at, lo, hi []vg.Point
	for _, pt := range points {
		x := tx(pt.X)
		at = append(at, vg.Point{X: x, Y: ty(pt.Y)})
		if pt.hasBar() {
			lo, hi = append(lo, vg.Point{X: x, Y: ty(pt.Lo)}), append(hi, vg.Point{X: x, Y: ty(pt.Hi)})
		}
	}
	drawBars(c, s, lo, hi)
	if joined && len(at) > 1 {
		stroke(c, s.line(), at)
	}
	drawMarkers(c, s, at)
}

// drawGrowth draws the reference slopes. It labels those that leave the plot on top, and returns
// the ends of the others.
func (l curvesLayout) drawGrowth(c draw.Canvas, p *plot.Plot) []lineEnd {
	tx, ty := p.Transforms(&c)
	ls := draw.LineStyle{Color: rgb(0x888888), Width: 0.6, Dashes: []vg.Length{2, 2}}
	var tags []tag
	var ends []lineEnd
	for _, g := range l.Growth {
		var line []vg.Point
		for i := range 33 {
			n := l.data.lo * math.Pow(l.x.hi/l.data.lo, float64(i)/32)
			line = append(line, vg.Point{X: tx(n), Y: ty(l.fan * g.factor(l.data.lo, n))})
		}
		if g != Logarithmic {
			line = []vg.Point{line[0], line[32]} // straight on two logarithmic axes
		}
		line = c.ClipLinesXY(line)[0] // one piece: it begins inside and ascends
		stroke(c, ls, line)
		if end := line[len(line)-1]; end.X < c.Max.X-1 {
			tags = append(tags, tag{g.label(), end.X})
		} else {
			ends = append(ends, lineEnd{end, true, flatKey(ls, g.label())})
		}
	}
	drawTags(c, tags, c.Max.Y, c.Min.X, c.Max.X, labelSize-0.5, faint)
	return ends
}

// A lineEnd is where a line stops, and its label.
type lineEnd struct {
	at  vg.Point
	led bool // a leader ties the label to the line
	key key
}

// seriesEnds returns the ends of the curves. One that stops early gets no leader, which would
// cross the data.
func (l curvesLayout) seriesEnds(c draw.Canvas, p *plot.Plot) []lineEnd {
	tx, ty := p.Transforms(&c)
	var ends []lineEnd
	for _, s := range l.Series {
		last := s.Points[len(s.Points)-1]
		ends = append(ends, lineEnd{vg.Point{X: tx(last.X) + 5, Y: ty(last.Y)}, last.X == l.data.hi,
			schemeKey(styleOf(s.Scheme), s.label())})
	}
	return ends
}

// drawLabels names the lines at the right, as near to the heights of their ends as others allow.
func drawLabels(c draw.Canvas, ends []lineEnd) {
	var want, size []vg.Length
	for _, e := range ends {
		want, size = append(want, e.at.Y), append(size, entryHeight)
	}
	x := c.Max.X + leaderWidth
	for i, y := range spread(want, size, c.Min.Y, c.Max.Y) {
		if ends[i].led {
			stroke(c, draw.LineStyle{Color: rgb(0xAAAAAA), Width: 0.5},
				[]vg.Point{ends[i].at, {X: c.Max.X + 1, Y: want[i]}, {X: x - 3, Y: y}})
		}
		ends[i].key.draw(c, x, y)
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
