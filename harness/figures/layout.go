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
	entries    []entry  // of the legend
	beside     bool     // the entries stand at the lines' ends, else below the plot
	x, y       span
	values     []float64 // every X
	cols, rows int
	plotHeight vg.Length
	plotWidth  vg.Length
	tickWidth  vg.Length // of y ticks and their labels
	xTicks     []plot.Tick
	yTicks     []plot.Tick
}

// arrange fixes everything but the place on the page.
func (l *layout) arrange() {
	l.dodge()
	l.reach()
	l.styles = stylesOf(l.distinct)
	l.entries = entriesOf(l.distinct, l.styles)
	l.beside = len(l.X.Names) == 0 && len(l.Panels) == 0
	for _, e := range l.entries {
		l.beside = l.beside && label.width(e.text) <= longestLabel
	}
	l.cols, l.plotHeight = 1, onePanelHeight
	switch {
	case len(l.plots) > 1:
		l.cols, l.plotHeight = 2, panelHeight
	case l.beside:
		l.plotHeight = max(singleHeight, vg.Length(len(l.entries))*entryHeight+slopesAbove)
	case len(l.Panels) == 0:
		l.plotHeight = singleHeight
	}
	l.rows = (len(l.plots) + l.cols - 1) / l.cols
	tall := func(string) vg.Length { return 22 }
	l.yTicks = l.Y.ticks(l.y, l.Y.place(l.y, 0, l.plotHeight), tall)
	l.tickWidth = 30
	for _, t := range l.yTicks {
		l.tickWidth = max(l.tickWidth, label.width(t.Label)+8)
	}
	l.plotWidth = (bodyWidth-l.tickWidth-panelGap*vg.Length(l.cols-1))/vg.Length(l.cols) - l.rightRoom()
	if len(l.X.Names) > 0 {
		return
	}
	wide := func(txt string) vg.Length { return label.width(txt) + 6 }
	place := l.X.place(l.x, 0, l.plotWidth)
	l.xTicks = l.X.settings(l.values)
	if len(l.xTicks) < 2 || !apart(l.xTicks, place, wide) {
		l.xTicks = l.X.ticks(l.x, place, wide)
	}
}

// dodge gives each style a place of its own in the columns of categories.
func (l *layout) dodge() {
	var names []string
	for _, s := range l.distinct {
		if !slices.Contains(names, s.styleName()) {
			names = append(names, s.styleName())
		}
	}
	for i := range l.plots {
		for _, s := range l.plots[i].Series {
			place := float64(slices.Index(names, s.styleName())) - float64(len(names)-1)/2
			for j := range s.Points {
				if len(l.X.Names) > 0 {
					s.Points[j].X += place * min(0.2, 0.84/float64(len(names)))
				}
			}
		}
	}
}

// rightRoom is the width of what stands right of a plot.
func (l layout) rightRoom() vg.Length {
	width := endWidth
	if l.beside {
		for _, e := range l.entries {
			width = max(width, leaderWidth+e.width())
		}
	}
	if l.Slopes {
		width = max(width, leaderWidth+slopesWidth)
	}
	return width
}

// reach sets the axes' ranges. On a logarithmic axis, predictions widen the range of what was measured
// by no more than a decade at each end, which keeps the points readable: beyond it lines are cut.
func (l *layout) reach() {
	x, y, measuredX, measuredY := noSpan, noSpan, noSpan, noSpan
	for _, p := range l.plots {
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
	l.x, l.y = l.X.acrossRange(l.X.near(measuredX, x)), l.Y.upRange(l.Y.near(measuredY, y))
}

// near returns the range of all points, which on a logarithmic axis ends a decade beyond those measured.
func (a Axis) near(measured, all span) span {
	if !a.Log || measured.empty() {
		return all
	}
	return span{max(all.lo, measured.lo/10), min(all.hi, measured.hi*10)}
}

// top is the height of what stands above a plot.
func (l layout) top() vg.Length {
	height := plotTop
	if len(l.Panels) > 0 {
		height += panelTitleHeight
	}
	return height
}

func (l layout) height() vg.Length {
	rows := vg.Length(l.rows)
	plots := rows*(l.top()+l.plotHeight) + (rows-1)*(tickLabels+panelGap)
	return yLabelHeight + plots + xAxisHeight + l.below().height()
}

// below is the legend under the plots, of what is not named at the lines' ends.
func (l layout) below() legend {
	var keys legend
	if !l.beside {
		for _, e := range l.entries {
			keys = append(keys, e.key)
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
