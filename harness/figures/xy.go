package figures

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// XY draws series of points, measured or predicted, on axes that are linear or logarithmic: in one plot, or in several
// that share the axes.
type XY struct {
	Name           string   // of its file, without extension; without one there is no figure
	Title          string   // the finding, with its number
	Caption        []string // below the figure, one paragraph each; lines wrap
	Command        string   // the command that made the figure; an SVG keeps it as its description
	XLabel, YLabel string
	X, Y           Axis
	Series         []Series
	Panels         []Panel // instead of Series
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
	Predicted Kind = iota // a line without markers
	Measured              // markers with their intervals, without a line
	Both                  // a line through measured markers
)

// A Point is one value with its interval, in the units of the figure's axes.
type Point struct {
	X, Y   float64
	Lo, Hi float64 // ends of the interval around Y; both 0 if there is none
}

// identity leads the name of a scheme, and of its variants, with the paper's number.
func (s Series) identity() identity {
	id := identity{cmp.Or(s.Style, s.Name), cmp.Or(s.Name, s.Style)}
	if n := paperNumber(id.key); n > 0 && s.Name == "" {
		id.label = fmt.Sprintf("%d %s", n, id.key)
	}
	return id
}

// clean returns the panels without what cannot be drawn, points in the order of X, and paragraphs for the caption
// about what is not. It leaves f alone.
func (f XY) clean() (panels []Panel, notes []string) {
	lost := 0
	var missing []string
	shown := map[string]bool{} // names in the legend
	if len(f.Panels) == 0 {
		f.Panels = []Panel{{Series: f.Series}}
	}
	for _, panel := range f.Panels {
		var kept []Series
		for _, s := range panel.Series {
			given := s.Points
			s.Points = nil
			for _, p := range given {
				if (p.Lo != 0 || p.Hi != 0) && (!f.Y.holds(p.Lo) || !f.Y.holds(p.Hi) || p.Lo > p.Hi) {
					lost++
					p.Lo, p.Hi = 0, 0
				}
				if !f.X.holds(p.X) || !f.Y.holds(p.Y) {
					lost++
					continue
				}
				s.Points = append(s.Points, p)
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
	if lost > 0 {
		notes = append(notes, fmt.Sprintf("Left out, not finite or not positive on a logarithmic axis: values or bars, %d.", lost))
	}
	// What another series or panel shows under the same name is not missing.
	missing = slices.DeleteFunc(missing, func(name string) bool { return shown[name] })
	if slices.Sort(missing); len(missing) > 0 {
		notes = append(notes, "Without a point to draw: "+strings.Join(slices.Compact(missing), ", ")+".")
	}
	return panels, notes
}

// page lays f out: one wide plot, or panels in two columns.
func (f XY) page() (*page, error) {
	if len(f.Series) > 0 && len(f.Panels) > 0 {
		return nil, errors.New("figures: Series and Panels are mutually exclusive")
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

	p := &page{XY: f, rowHeight: 290}
	p.Caption = slices.Concat(f.Caption, notes)
	columns := 1
	if len(panels) > 1 {
		columns, p.rowHeight = 2, 212
	}
	shared, all := plot.New(), []*plot.Plot{} // shared has what all have, and so their common ranges
	for i, panel := range panels {
		drawn := plotters(panel, looks)
		shared.Add(drawn...)
		all = append(all, newPlot(panel.Title))
		all[i].Add(drawn...)
		if i%columns == 0 {
			p.plots = append(p.plots, make([]*plot.Plot, columns))
		}
		p.plots[i/columns][i%columns] = all[i]
	}
	width, height := float64(bodyWidth)/float64(columns)-50, float64(p.rowHeight)-30 // of the data, about
	for _, one := range all {
		f.X.set(&one.X, shared.X.Min, shared.X.Max, settings, width, 38)
		f.Y.set(&one.Y, shared.Y.Min, shared.Y.Max, nil, height, 20)
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
	return p, nil
}

// plotters returns a grid, then lines, so that none runs over a marker's bar, and then what was measured.
func plotters(panel Panel, looks map[identity]look) []plot.Plotter {
	grid := plotter.NewGrid()
	grid.Vertical, grid.Horizontal = hairLine, hairLine
	lines, measured := []plot.Plotter{grid}, []plot.Plotter{}
	for _, s := range panel.Series {
		l := looks[s.identity()]
		bars := &plotter.YErrorBars{LineStyle: draw.LineStyle{Color: rgb(l.color), Width: 0.8}, CapWidth: 4}
		markers := l.glyph(l.marker, 3)
		for _, pt := range s.Points {
			markers.XYs = append(markers.XYs, plotter.XY{X: pt.X, Y: pt.Y})
			if pt.Lo < pt.Hi { // from its lower end: the interval need not contain the value
				bars.XYs = append(bars.XYs, plotter.XY{X: pt.X, Y: pt.Lo})
				bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{0, pt.Hi - pt.Lo})
			}
		}
		switch {
		case s.Kind == Predicted && len(markers.XYs) == 1: // no line
			levels := l.glyph(level, 3)
			levels.XYs, lines = markers.XYs, append(lines, levels)
		case s.Kind != Measured:
			lines = append(lines, l.line(markers.XYs))
		}
		if s.Kind != Predicted {
			measured = append(measured, bars, markers)
		}
	}
	return append(lines, measured...)
}

// An Axis is how an XY lays out and labels the values of one direction. It begins and ends where the data
// need it, a linear one also at 0.
type Axis struct {
	Log  bool
	Unit Unit // of the labels; the zero value is Nanoseconds
}

// A Unit says how the values of an axis are written.
type Unit int

const (
	Nanoseconds Unit = iota // given in ns; labels read 50 ns, 1 µs, 2 ms
	Bytes                   // labels read 50 B, 1 kB
	Count                   // labels read 50, 1k, 4096, 2M
)

var units = [...]struct {
	first    float64 // the value of 1 with the first suffix
	suffixes []string
}{
	Nanoseconds: {1e-3, []string{" ps", " ns", " µs", " ms", " s"}},
	Bytes:       {1, []string{" B", " kB", " MB", " GB", " TB"}},
	Count:       {1, []string{"", "k", "M", "G", "T"}},
}

// label writes v with the largest SI suffix that leaves at least 1 and no more than three digits: 10k, but 4096.
func (u Unit) label(v float64) string {
	if v < 0 {
		return "\u2212" + u.label(-v) // a minus as wide as a digit
	}
	text, one := "0", units[u].first
	for i, suffix := range units[u].suffixes {
		x := v / one
		short := x > 1-1e-9 && math.Abs(x-significant(x, 3)) < 1e-9*x
		if v > 0 && (i == 0 || short) {
			text = strconv.FormatFloat(significant(x, 9), 'f', -1, 64) + suffix
		}
		one *= 1000
	}
	return text
}

// significant returns v with that many digits.
func significant(v float64, digits int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	return r
}

// holds reports whether v has a place on the axis; NaN has none. On a logarithmic axis the library panics at 0,
// and powers of ten near the ends of float64 round to 0 and to infinity.
func (a Axis) holds(v float64) bool {
	const least, most = 1e-30, 1e30
	return math.Abs(v) <= most && (!a.Log || v >= least)
}

// nice returns 1, 2 and 5 times powers of ten, from the last that is not above lo to the first not below hi.
func nice(lo, hi float64) (all []float64) {
	for decade := int(math.Floor(math.Log10(lo))) - 1; ; decade++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow10(decade)
			if v <= lo*(1+1e-9) {
				all = nil
			}
			if all = append(all, v); v >= hi*(1-1e-9) {
				return all
			}
		}
	}
}

// set gives a gonum axis, about length points long, a range that holds lo to hi, ticks, and as many labels as find
// room. On a logarithmic axis the settings are labelled if they fit, else round numbers.
func (a Axis) set(axis *plot.Axis, lo, hi float64, settings []float64, length, room float64) {
	const hair = 1e-9 // the library compares rounded places: what is exactly at an end must not fall outside
	var ticks plot.ConstantTicks
	switch {
	case !a.Log:
		if lo, hi = min(lo, 0), max(hi, 0); hi == lo { // a linear axis without its zero exaggerates differences
			hi = 1
		}
		step := nice((hi-lo)*max(0.1, room/length), 10*(hi-lo))[1] // at most ten labels
		for i := math.Ceil(lo/step - hair); i*step <= hi+hair*step; i++ {
			ticks = append(ticks, plot.Tick{Value: i * step, Label: a.Unit.label(i * step)})
		}
		axis.Min, axis.Max = lo-hair*(hi-lo), hi+hair*(hi-lo)
	default:
		// At least a decade: less would magnify noise, and the library panics on an empty range.
		widen := max(1, math.Sqrt(10/(hi/lo)))
		ends := nice(lo/widen, hi*widen)
		lo, hi = ends[0], ends[len(ends)-1]
		axis.Scale, axis.Min, axis.Max = plot.LogScale{}, lo*(1-hair), hi*(1+hair)
		ticks = a.logTicks(axis, settings, length, room)
	}
	axis.Tick.Marker = ticks
}

func (a Axis) logTicks(axis *plot.Axis, settings []float64, length, room float64) (ticks []plot.Tick) {
	settings = slices.Compact(slices.Sorted(slices.Values(settings)))
	fit := len(settings) > 1
	for i, v := range settings {
		fit = fit && (i == 0 || length*(axis.Norm(v)-axis.Norm(settings[i-1])) >= room)
		ticks = append(ticks, plot.Tick{Value: v, Label: a.Unit.label(v)})
	}
	if fit {
		return ticks
	}
	ticks = nil
	decade := length / math.Log10(axis.Max/axis.Min) // in points
	every := math.Ceil(room / decade)
	for _, v := range nice(axis.Min, axis.Max) {
		t := plot.Tick{Value: v}
		power := math.Round(math.Log10(v))
		if 0.3*decade >= room || v == math.Pow10(int(power)) && math.Mod(power, every) == 0 {
			t.Label = a.Unit.label(v)
		}
		if every == 1 || t.Label != "" {
			ticks = append(ticks, t)
		}
	}
	return ticks
}
