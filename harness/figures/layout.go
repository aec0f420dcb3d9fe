package figures

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

const (
	singleHeight     vg.Length = 270 // of a plot's data area
	onePanelHeight   vg.Length = 230
	panelHeight      vg.Length = 180 // of several
	plotTop          vg.Length = 6   // above a plot without tags, for half a label
	xAxisHeight      vg.Length = 34  // of x ticks, their labels and the axis label
	tickLabels       vg.Length = 16  // below a panel without an axis label
	yLabelHeight     vg.Length = 14  // the y axis label stands above its axis
	panelTitleHeight vg.Length = 15
	panelGap         vg.Length = 10  // between columns, and between rows
	endWidth         vg.Length = 14  // right of a plot: half a label, or the numbers at lines' ends
	longestLabel     vg.Length = 200 // beside a plot, which needs the rest
	leaderWidth      vg.Length = 16  // between the plot and its line labels
)

// A layout is an XY without undrawable points, with its axes' ranges and its series' looks.
type layout struct {
	XY
	plots      []Panel
	distinct   []Series // of all plots: one for those that are alike
	styles     []style  // of each distinct series
	x, y       span
	values     []float64 // every X
	last       float64   // the greatest of them
	shift      []vg.Length
	room       vg.Length // of a place in a column of categories; shift moves a distinct series to its own
	entries    []entry   // of the legend
	beside     bool      // the entries stand at the lines' ends, else below the plot
	cols, rows int
	plotHeight vg.Length
	yTicks     []plot.Tick
	tickWidth  vg.Length // of y ticks and their labels
	plotWidth  vg.Length
}

// arrange fixes everything but the place on the page.
func (l *layout) arrange() {
	l.reach()
	l.styles = stylesOf(l.distinct)
	l.entries = entriesOf(l.distinct, l.styles)
	l.beside = len(l.X.Names) == 0 && len(l.Panels) == 0
	for _, e := range l.entries {
		l.beside = l.beside && label.width(e.name) <= longestLabel
	}
	l.cols, l.plotHeight = 1, onePanelHeight
	switch {
	case len(l.Panels) == 0:
		l.plotHeight = singleHeight
		if l.beside {
			l.plotHeight = max(singleHeight, vg.Length(len(l.entries))*entryHeight)
		}
		if l.Slopes {
			l.plotHeight += slopesHeight / 2
		}
	case len(l.plots) > 1:
		l.cols, l.plotHeight = 2, panelHeight
	}
	l.rows = (len(l.plots) + l.cols - 1) / l.cols
	l.yTicks = l.Y.ticks(l.y, int(l.plotHeight/22))
	l.tickWidth = 30
	for _, t := range l.yTicks {
		l.tickWidth = max(l.tickWidth, label.width(t.Label)+8)
	}
	l.plotWidth = (bodyWidth-l.tickWidth-panelGap*vg.Length(l.cols-1))/vg.Length(l.cols) - l.rightRoom()
	l.shift, l.room = l.places()
}

// rightRoom is the width of what stands right of a plot.
func (l layout) rightRoom() vg.Length {
	width := endWidth
	if l.beside {
		for _, e := range l.entries {
			width = max(width, leaderWidth+e.key(longestLabel).width())
		}
	}
	if l.Slopes {
		width = max(width, leaderWidth+slopesWidth)
	}
	return width
}

// reach sets the axes' ranges. On a logarithmic axis, predictions and marks widen the range of what was
// measured by no more than a decade at each end, which keeps the points readable: beyond it lines are
// cut and marks become arrows at the edge.
func (l *layout) reach() {
	x, y, measuredX, measuredY := noSpan, noSpan, noSpan, noSpan
	for _, p := range l.plots {
		for _, m := range p.Marks {
			x = x.with(m.X)
		}
		for _, s := range p.Series {
			for _, pt := range s.Points {
				l.values = append(l.values, pt.X)
				ys := span{pt.Y, pt.Y}
				if pt.hasBar() {
					ys = ys.with(pt.Lo, pt.Hi)
				}
				if s.Kind.marked() && l.Y.Log {
					ys = ys.widened(1.12) // for the marker
				}
				if s.Kind.marked() {
					measuredX, measuredY = measuredX.with(pt.X), measuredY.with(ys.lo, ys.hi)
				}
				x, y = x.with(pt.X), y.with(ys.lo, ys.hi)
			}
		}
	}
	l.last = slices.Max(l.values)
	l.x, l.y = l.X.acrossRange(l.X.near(measuredX, x)), l.Y.upRange(l.Y.near(measuredY, y))
}

// near is all, but on a logarithmic axis no more than a decade beyond what was measured.
func (a Axis) near(measured, all span) span {
	if !a.Log || measured.empty() {
		return all
	}
	return span{max(all.lo, measured.lo/10), min(all.hi, measured.hi*10)}
}

// places gives each series with markers a place of its own in the columns of categories, and each
// prediction that of the markers of its style, which it is to be compared with.
func (l layout) places() (shift []vg.Length, room vg.Length) {
	shift = make([]vg.Length, len(l.distinct))
	if len(l.X.Names) == 0 {
		return shift, 0
	}
	place, places := make([]int, len(l.distinct)), 0
	for _, ofMarked := range []bool{true, false} {
		for i, s := range l.distinct {
			if s.Kind.marked() != ofMarked {
				continue
			}
			mate := slices.IndexFunc(l.distinct, func(o Series) bool {
				return o.Kind.marked() && o.styleName() == s.styleName() && o.styleName() != ""
			})
			if !ofMarked && mate >= 0 {
				place[i] = place[mate]
				continue
			}
			place[i] = places
			places++
		}
	}
	column := l.plotWidth / vg.Length(len(l.X.Names))
	room = min(26, 0.84*column/vg.Length(places))
	for i := range shift {
		shift[i] = (vg.Length(place[i]) - vg.Length(places-1)/2) * room
	}
	return shift, room
}

// inside returns the points within the axes' ranges, their bars cut at the range's ends.
func (l layout) inside(points []Point) []Point {
	var in []Point
	for _, p := range points {
		if !l.x.holds(p.X) || !l.y.holds(p.Y) {
			continue
		}
		if p.hasBar() {
			p.Lo, p.Hi = max(p.Lo, l.y.lo), min(p.Hi, l.y.hi)
		}
		in = append(in, p)
	}
	return in
}

// top is the height of what stands above a plot.
func (l layout) top() vg.Length {
	height := plotTop
	if slices.ContainsFunc(l.plots, func(p Panel) bool { return len(p.Marks) > 0 }) {
		height = tagHeight
	}
	if len(l.Panels) > 0 {
		height += panelTitleHeight
	}
	return height
}

func (l layout) height() vg.Length {
	rows := vg.Length(l.rows)
	return yLabelHeight + rows*(l.top()+l.plotHeight) + (rows-1)*(tickLabels+panelGap) + xAxisHeight + l.below().height()
}

// below is the legend under the plots, of what is not named at the lines' ends.
func (l layout) below() legend {
	var keys legend
	if !l.beside {
		for _, e := range l.entries {
			keys = append(keys, e.key(bodyWidth-wideSample-sampleGap))
		}
	}
	for by, look := range sources {
		isBy := func(m Mark) bool { return m.By == Source(by) }
		if slices.ContainsFunc(l.plots, func(p Panel) bool { return slices.ContainsFunc(p.Marks, isBy) }) {
			keys = append(keys, uprightKey(look.line, look.legend))
		}
	}
	return keys
}

// area returns the data area of the i-th plot.
func (l layout) area(body vg.Rectangle, i int) vg.Rectangle {
	col, row := vg.Length(i%l.cols), vg.Length(i/l.cols)
	x := body.Min.X + l.tickWidth + col*(l.plotWidth+l.rightRoom()+panelGap)
	y := body.Max.Y - yLabelHeight - row*(l.top()+l.plotHeight+tickLabels+panelGap) - l.top()
	return rect(x, y-l.plotHeight, x+l.plotWidth, y)
}
