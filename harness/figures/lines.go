package figures

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Lines draws what was predicted and what was counted, on axes that are linear, logarithmic or,
// across, a list of categories.
type Lines struct {
	Frame
	XLabel, YLabel string
	X, Y           Axis
	Lines          []Line
}

// A Line is one prediction or one series of measurements.
type Line struct {
	Name   string  // in the legend or at the line's end; default: the label of the scheme that Like names
	Points []Point // with categories, X is the category's index
	Kind   LineKind
	// Like chooses the look: a scheme's name gives the scheme's colour, dash and marker, any other
	// name or "" a look that is still free. Lines with the same Like, but for "", share a colour;
	// a Predicted and a Counted that also have the same Name share a legend entry.
	Like string
}

// LineKind is how a Line is drawn.
type LineKind int

const (
	Predicted LineKind = iota // a line without markers; a level in each column of categories
	Counted                   // markers with their intervals, without a line: what was measured
	Both                      // a line through markers
)

func (k LineKind) lined() bool  { return k != Counted }
func (k LineKind) marked() bool { return k != Predicted }

func (l Line) name() string { return orElse(l.Name, styleOf(l.Like).label()) }

func (f Lines) plan() (plan, error) {
	p := plan{frame: f.Frame, linear: !f.X.Log && !f.Y.Log}
	if err := f.check(); err != nil {
		return p, err
	}
	l := linesLayout{Lines: f}
	l.Lines.Lines = nil
	var missing []string // lines without a point
	for _, ln := range f.Lines {
		var d Dropped
		ln.Points, d = cleanOn(ln.pointsOfKind(), f.X.holds, f.Y.holds)
		p.dropped = p.dropped.plus(d)
		if len(ln.Points) > 0 {
			l.Lines.Lines = append(l.Lines.Lines, ln)
		} else {
			missing = append(missing, orElse(ln.name(), "one without a name"))
		}
	}
	if len(l.Lines.Lines) == 0 {
		return p, fmt.Errorf("%w: no line of %q has a point that its axes can show (lines: %s; %s left out)",
			ErrEmpty, f.Title, orElse(strings.Join(missing, ", "), "none"), count(p.dropped.Points, "point"))
	}
	l.arrange()
	p.frame.Caption = append(slices.Clone(f.Caption), l.notes(missing)...)
	p.height = yLabelHeight + plotTop + l.plotHeight() + xAxisHeight + l.below().height()
	p.draw = l.draw
	return p, nil
}

// pointsOfKind are the line's points without what its kind does not show: a prediction has no interval.
func (l Line) pointsOfKind() []Point {
	if l.Kind != Predicted {
		return l.Points
	}
	points := slices.Clone(l.Points)
	for i := range points {
		points[i].Lo, points[i].Hi = 0, 0
	}
	return points
}

func (f Lines) check() error {
	if err := f.X.check("x"); err != nil {
		return err
	}
	if err := f.Y.check("y"); err != nil {
		return err
	}
	if len(f.Y.Names) > 0 {
		return fmt.Errorf("%w: categories on the y axis, want them on the x axis", ErrShape)
	}
	for _, ln := range f.Lines {
		if ln.Kind < Predicted || ln.Kind > Both {
			return fmt.Errorf("%w: line %q has kind %d, want 0 to %d", ErrShape, ln.Name, ln.Kind, Both)
		}
		for _, p := range ln.Points {
			if n := len(f.X.Names); n > 0 && !(p.X >= 0 && p.X < float64(n) && p.X == math.Trunc(p.X)) {
				return fmt.Errorf("%w: line %q has a point at category %g, want 0 to %d", ErrShape, ln.Name, p.X, n-1)
			}
		}
	}
	return nil
}

// linesLayout is a Lines without undrawable points, with its axes' ranges and its lines' looks.
type linesLayout struct {
	Lines
	x, y    span
	last    float64     // the greatest X of all points
	styles  []style     // of each line
	shift   []vg.Length // of each line, to the right: its place in a column of categories
	room    vg.Length   // of a place in a column, across
	entries []entry     // of the legend
	beside  bool        // the entries stand at the lines' ends, else below the plot
}

// arrange fixes everything but the size of the plot.
func (l *linesLayout) arrange() {
	var xs, ys []float64
	for _, ln := range l.Lines.Lines {
		for _, p := range ln.Points {
			xs, ys = append(xs, p.X), append(ys, p.Y)
			if p.hasBar() {
				ys = append(ys, p.Lo, p.Hi)
			}
		}
	}
	l.last = slices.Max(xs)
	l.x, l.y = l.X.across(xs), l.Y.upwards(ys)
	l.styles = stylesOf(l.Lines.Lines)
	l.entries = entriesOf(l.Lines.Lines, l.styles)
	l.beside = len(l.X.Names) == 0
	for _, e := range l.entries {
		l.beside = l.beside && lettering(labelSize, ink).Width(printable(e.name)) <= longestLabel
	}
	l.shift, l.room = l.places()
}

// places gives each line with markers a place of its own in the columns, and each prediction that
// of the markers that are Like it, which it is to be compared with.
func (l linesLayout) places() (shift []vg.Length, room vg.Length) {
	lines := l.Lines.Lines
	shift = make([]vg.Length, len(lines))
	if len(l.X.Names) == 0 {
		return shift, 0
	}
	place, places := make([]int, len(lines)), 0
	for _, ofMarked := range []bool{true, false} {
		for i, ln := range lines {
			if ln.Kind.marked() != ofMarked {
				continue
			}
			mate := slices.IndexFunc(lines, func(o Line) bool { return o.Kind.marked() && o.Like == ln.Like && o.Like != "" })
			if !ofMarked && mate >= 0 {
				place[i] = place[mate]
				continue
			}
			place[i] = places
			places++
		}
	}
	column := (bodyWidth - yTickWidth) / vg.Length(len(l.X.Names))
	room = min(26, 0.84*column/vg.Length(places))
	for i := range shift {
		shift[i] = (vg.Length(place[i]) - vg.Length(places-1)/2) * room
	}
	return shift, room
}

// notes are the paragraphs on what the axes' limits and the lack of points keep from the reader.
func (l linesLayout) notes(missing []string) []string {
	var s []string
	outside := 0
	for _, ln := range l.Lines.Lines {
		if ln.Kind.marked() {
			outside += len(ln.Points) - len(l.inside(ln.Points))
		}
	}
	if outside > 0 {
		s = append(s, fmt.Sprintf("Outside the axes' range: %s.", count(outside, "point")))
	}
	if len(missing) > 0 {
		s = append(s, "Without a point to draw: "+strings.Join(missing, ", ")+".")
	}
	return s
}

// inside returns the points within the axes' ranges, their bars cut at the range's ends.
func (l linesLayout) inside(points []Point) []Point {
	var in []Point
	for _, p := range points {
		if p.X < l.x.lo || p.X > l.x.hi || p.Y < l.y.lo || p.Y > l.y.hi {
			continue
		}
		if p.hasBar() {
			p.Lo, p.Hi = max(p.Lo, l.y.lo), min(p.Hi, l.y.hi)
		}
		in = append(in, p)
	}
	return in
}

// below is the legend under the plot, if it is not at the lines' ends.
func (l linesLayout) below() legend {
	var keys legend
	if !l.beside {
		for _, e := range l.entries {
			keys = append(keys, e.key(bodyWidth-wideSample-sampleGap))
		}
	}
	return keys
}

func (l linesLayout) plotHeight() vg.Length {
	if !l.beside {
		return curvesHeight
	}
	return max(curvesHeight, vg.Length(len(l.entries))*entryHeight)
}
