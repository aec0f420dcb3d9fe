package figures

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// XY draws series of points, measured or predicted, on axes that are linear, logarithmic or, across, a list of
// categories: in one plot, or in several that share the axes.
type XY struct {
	Frame
	XLabel, YLabel string
	X, Y           Axis
	Series         []Series
	Panels         []Panel // instead of Series
	Slopes         bool    // show in the legend how steep O(1), O(log n) and O(n) are on the axes
}

// A Panel is one of several plots.
type Panel struct {
	Title  string
	Series []Series
}

// A Series is one prediction or one series of measurements.
type Series struct {
	Name string // in the legend; by default Style, after the paper's number if that is a scheme
	// Style, by default Name, chooses the look: see looks. A Predicted and a Measured of one Style and one Name
	// share an entry of the legend.
	Style  string
	Kind   Kind
	Points []Point
}

// Kind is how a Series is drawn.
type Kind int

const (
	Predicted Kind = iota // a line without markers; a level in each column of categories
	Measured              // markers with their intervals, without a line
	Both                  // a line through measured markers
)

// A Point is one value with its interval, in the units of the figure's axes.
type Point struct {
	X, Y   float64
	Lo, Hi float64 // ends of the interval around Y; both 0 if there is none
	// Censored is -1 if the value is known only to be below Y, and 1 if above: an arrow from Y shows it, and no
	// line passes through it.
	Censored int
}

// identity leads the name of a scheme, and of its variants, with the paper's number. All that ends with "m = 2" looks
// like that.
func (s Series) identity() identity {
	id := identity{cmp.Or(s.Style, s.Name), cmp.Or(s.Name, s.Style)}
	if n := paperNumber(id.key); n > 0 && s.Name == "" {
		id.label = fmt.Sprintf("%d %s", n, id.key)
	}
	if at := strings.LastIndex(id.key, "m = "); at >= 0 {
		id.key = id.key[at:]
	}
	return id
}

// panels returns the plots of f: its series are those of one without a title.
func (f XY) panels() []Panel {
	if len(f.Panels) > 0 {
		return f.Panels
	}
	return []Panel{{Series: f.Series}}
}

// clean returns the panels without what cannot be drawn, points in the order of X, and paragraphs for the caption
// about what is not. It leaves f alone.
func (f XY) clean() (panels []Panel, notes []string) {
	lost, censored := 0, false
	var missing []string
	shown := map[string]bool{} // names in the legend
	for _, panel := range f.panels() {
		var kept []Series
		for _, s := range panel.Series {
			given := s.Points
			s.Points = nil
			for _, p := range given {
				if p.Lo == 0 && p.Hi == 0 {
					p.Lo, p.Hi = p.Y, p.Y
				} else if !f.Y.holds(p.Lo) || !f.Y.holds(p.Hi) || p.Lo > p.Hi {
					lost++
					p.Lo, p.Hi = p.Y, p.Y
				}
				if !f.X.holds(p.X) || !f.Y.holds(p.Y) {
					lost++
					continue
				}
				s.Points = append(s.Points, p)
				censored = censored || p.Censored != 0
			}
			slices.SortStableFunc(s.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
			if label := s.identity().label; len(s.Points) > 0 {
				kept, shown[label] = append(kept, s), true
			} else {
				missing = append(missing, cmp.Or(label, "one without a name"))
			}
		}
		panels = append(panels, Panel{panel.Title, kept})
	}
	if censored {
		notes = append(notes, "Arrows: the value is beyond the range that was measured.")
	}
	if lost > 0 {
		notes = append(notes, fmt.Sprintf("Left out: %d values or ends of intervals that are not finite, or not positive on "+
			"a logarithmic axis.", lost))
	}
	// What another series or panel shows under the same name is not missing.
	missing = slices.DeleteFunc(missing, func(name string) bool { return shown[name] })
	if slices.Sort(missing); len(missing) > 0 {
		notes = append(notes, "Without a point to draw: "+strings.Join(slices.Compact(missing), ", ")+".")
	}
	if hidden := covered(panels[0].Series); len(panels) == 1 && len(hidden) > 0 {
		notes = append(notes, "Hidden: "+strings.Join(hidden, ", ")+".")
	}
	return panels, notes
}

// covered names the lines through markers that a later one covers: all points, and more than one, within 1 %.
func covered(series []Series) (names []string) {
	for i, s := range series {
		top := slices.IndexFunc(series[i+1:], func(top Series) bool {
			near := 0
			for _, p := range s.Points {
				if slices.ContainsFunc(top.Points, func(q Point) bool { return p.X == q.X && math.Abs(p.Y/q.Y-1) <= 0.01 }) {
					near++
				}
			}
			return near > 1 && near == len(s.Points) && s.Kind == Both && top.Kind == Both
		})
		if top >= 0 {
			names = append(names, s.identity().label+" under "+series[i+1+top].identity().label)
		}
	}
	return names
}

// page lays f out: one wide plot, or panels in two columns.
func (f XY) page() (*page, error) {
	if f.X.Log && len(f.X.Names) > 0 || len(f.Y.Names) > 0 || f.Slopes && !(f.X.Log && f.Y.Log) {
		return nil, errors.New("figures: categories need a linear x axis, and slopes two logarithmic axes")
	}
	if len(f.Series) > 0 && len(f.Panels) > 0 {
		return nil, errors.New("figures: both series and panels")
	}
	panels, notes := f.clean()
	kinds := map[identity]Kind{} // Both if it has lines and markers
	var ids []identity
	var settings []float64
	for _, panel := range panels {
		for _, s := range panel.Series {
			id := s.identity()
			if kind, again := kinds[id]; !again {
				kinds[id], ids = s.Kind, append(ids, id)
			} else if kind != s.Kind {
				kinds[id] = Both
			}
			for _, p := range s.Points {
				settings = append(settings, p.X)
			}
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("figures: no line of %q has a point that its axes can show: %s", f.Title,
			strings.Join(notes, " "))
	}
	rank := func(id identity) int { return cmp.Or(paperNumber(id.key), len(paper)) } // schemes first
	slices.SortStableFunc(ids, func(a, b identity) int { return rank(a) - rank(b) })
	looks := looksOf(ids)

	p := &page{Frame: f.Frame, xLabel: f.XLabel, yLabel: f.YLabel, rowHeight: 290}
	p.Caption = slices.Concat(f.Caption, notes)
	columns := 1
	if len(panels) > 1 {
		columns, p.rowHeight = 2, 212
	}
	shared, all := plot.New(), []*plot.Plot{} // shared has what all have, and so their common ranges
	for i, panel := range panels {
		plotters := f.plotters(panel, ids, looks)
		shared.Add(plotters...)
		all = append(all, newPlot(panel.Title))
		all[i].Add(plotters...)
		if i%columns == 0 {
			p.plots = append(p.plots, make([]*plot.Plot, columns))
		}
		p.plots[i/columns][i%columns] = all[i]
	}
	width, height := float64(bodyWidth)/float64(columns)-50, float64(p.rowHeight)-30 // of the data, about
	for _, one := range all {
		f.X.set(&one.X, shared.X.Min, shared.X.Max, settings, width, 45)
		f.Y.set(&one.Y, shared.Y.Min, shared.Y.Max, nil, height, 20)
		for i := range max(0, len(f.X.Names)-1) {
			between := float64(i) + 0.5
			border := plotter.XYs{{X: between, Y: one.Y.Min}, {X: between, Y: one.Y.Max}}
			one.Add(&plotter.Line{XYs: border, LineStyle: hairLine})
		}
	}
	for _, id := range ids {
		e := legendEntry{name: id.label}
		if kinds[id] != Measured {
			e.thumbs = append(e.thumbs, looks[id].line(nil))
		}
		if kinds[id] != Predicted {
			e.thumbs = append(e.thumbs, looks[id].glyph(looks[id].marker, 3))
		}
		p.legend = append(p.legend, e)
	}
	if x, y := all[0].X, all[0].Y; f.Slopes {
		across, up := math.Log(x.Max/x.Min), math.Log(y.Max/y.Min)
		rises := []float64{0, math.Log(math.Log1p(x.Max) / math.Log1p(x.Min)), across}
		for i, order := range []string{"O(1)", "O(log n)", "O(n)"} {
			steep := slope(rises[i] / up * height / width)
			p.legend = append(p.legend, legendEntry{"slope of " + order, []plot.Thumbnailer{steep}})
		}
	}
	return p, nil
}

// plotters returns a grid, then lines, so that none runs over a marker's bar, and then what was measured.
func (f XY) plotters(panel Panel, ids []identity, looks map[identity]look) []plot.Plotter {
	grid := plotter.NewGrid()
	grid.Vertical, grid.Horizontal = hairLine, hairLine
	if len(f.X.Names) > 0 {
		grid.Vertical = draw.LineStyle{}
	}
	lines, measured := []plot.Plotter{grid}, []plot.Plotter{}
	var keys []string
	for _, id := range ids {
		if !slices.Contains(keys, id.key) {
			keys = append(keys, id.key)
		}
	}
	for _, s := range panel.Series {
		id := s.identity()
		l, shift := looks[id], 0.0
		if n := len(keys); len(f.X.Names) > 0 { // each look has a place of its own in a category's column
			shift = (float64(slices.Index(keys, id.key)) - float64(n-1)/2) * min(0.2, 0.84/float64(n))
		}
		bars := &plotter.YErrorBars{LineStyle: draw.LineStyle{Color: rgb(l.color), Width: 0.8}, CapWidth: 4}
		exact, below, above := l.glyph(l.marker, 3), l.glyph(down, 12), l.glyph(up, 12)
		for _, pt := range s.Points {
			at := plotter.XY{X: pt.X + shift, Y: pt.Y}
			switch {
			case pt.Censored < 0:
				below.XYs = append(below.XYs, at)
			case pt.Censored > 0:
				above.XYs = append(above.XYs, at)
			default:
				exact.XYs = append(exact.XYs, at)
			}
			if pt.Lo < pt.Hi { // from its lower end: the interval need not contain the value
				bars.XYs = append(bars.XYs, plotter.XY{X: at.X, Y: pt.Lo})
				bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{0, pt.Hi - pt.Lo})
			}
		}
		switch {
		case s.Kind == Predicted && (len(f.X.Names) > 0 || len(exact.XYs) == 1): // a line has no meaning
			levels := l.glyph(level, 3)
			levels.XYs, lines = exact.XYs, append(lines, levels)
		case s.Kind != Measured && len(exact.XYs) > 0:
			lines = append(lines, l.line(exact.XYs))
		}
		if s.Kind != Predicted {
			measured = append(measured, bars, exact, below, above)
		}
	}
	return append(lines, measured...)
}

// A slope is the sample of a legend that shows how steep an order of growth is on the axes. A line through the
// plot would look like data.
type slope float64

// Thumbnail draws the slope as long as c allows. It implements plot.Thumbnailer.
func (s slope) Thumbnail(c *draw.Canvas) {
	size := c.Size()
	w := min(size.X, size.Y/max(vg.Length(s), 1e-3))
	x, y, h := c.Center().X-w/2, c.Center().Y-w*vg.Length(s)/2, w*vg.Length(s)
	c.StrokeLine2(draw.LineStyle{Color: rgb(0x888888), Width: 0.8}, x, y, x+w, y+h)
}
