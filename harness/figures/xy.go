package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// XY draws series of points, measured or predicted, on axes that are linear, logarithmic or, across,
// a list of categories: in one plot, or in several that share the axes.
type XY struct {
	Frame
	XLabel, YLabel string
	X, Y           Axis
	Series         []Series
	Panels         []Panel // instead of Series
	Slopes         bool    // show beside the plot how steep O(1), O(log n) and O(n) are on its axes
}

// A Panel is one of several plots.
type Panel struct {
	Title  string
	Series []Series
}

// A Series is one prediction or one series of measurements.
type Series struct {
	Name string // in the legend or at the line's end; default: the label of the scheme that Style names
	// Style, by default Name, chooses the look: a scheme of the paper or a variant of one looks the same
	// in all figures, any other name has a look that no scheme has. Series of one Style share a colour; a
	// Predicted and a Measured that also have the same Name share a legend entry.
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

func (k Kind) lined() bool  { return k != Measured }
func (k Kind) marked() bool { return k != Predicted }

func (s Series) styleName() string { return cmp.Or(s.Style, s.Name) }
func (s Series) label() string     { return cmp.Or(s.Name, styleOf(s.Style).label()) }

// alike reports whether s and o are the same line in two panels.
func (s Series) alike(o Series) bool {
	return s.styleName() == o.styleName() && s.label() == o.label() && s.Kind == o.Kind
}

func (f XY) plan() (plan, error) {
	p := plan{frame: f.Frame, linear: !f.X.Log && !f.Y.Log}
	if err := f.check(); err != nil {
		return p, err
	}
	l := layout{XY: f}
	missing := l.clean(&p.omitted)
	if len(l.distinct) == 0 {
		return p, fmt.Errorf("%w: no line of %q has a point that its axes can show (lines: %s; %s left out)",
			ErrEmpty, f.Title, cmp.Or(strings.Join(missing, ", "), "none"), count(p.omitted.points, "point"))
	}
	l.arrange()
	p.frame.Caption = append(slices.Clone(f.Caption), l.notes(missing)...)
	p.height = l.height()
	p.draw = l.draw
	return p, nil
}

func (f XY) check() error {
	switch {
	case len(f.Y.Names) > 0:
		return fmt.Errorf("%w: categories on the y axis (only the x axis has them)", ErrShape)
	case len(f.X.Names) > 0 && f.X.Log:
		return fmt.Errorf("%w: an axis of categories is logarithmic", ErrShape)
	case len(f.Series) > 0 && len(f.Panels) > 0:
		return fmt.Errorf("%w: both series and panels", ErrShape)
	case f.Slopes && !(f.X.Log && f.Y.Log):
		return fmt.Errorf("%w: slopes on axes that are not both logarithmic", ErrShape)
	}
	err := cmp.Or(within("unit", int(f.X.Unit), int(Count)), within("unit", int(f.Y.Unit), int(Count)))
	for _, panel := range f.panels() {
		for _, s := range panel.Series {
			err = cmp.Or(err, s.check(len(f.X.Names)))
		}
	}
	return err
}

// within returns an error if a value is not one of those from 0 to last.
func within(what string, value, last int) error {
	if value < 0 || value > last {
		return fmt.Errorf("%w: %s %d (have 0 to %d)", ErrShape, what, value, last)
	}
	return nil
}

// check checks a series on an x axis with this number of categories, 0 for none.
func (s Series) check(categories int) error {
	for _, p := range s.Points {
		if categories > 0 && !(p.X >= 0 && p.X < float64(categories) && p.X == math.Trunc(p.X)) {
			return fmt.Errorf("%w: series %q has a point in category %g (have 0 to %d)", ErrShape, s.Name, p.X,
				categories-1)
		}
	}
	return within("kind of series", int(s.Kind), int(Both))
}

// panels returns the plots of f: its series are those of one without a title.
func (f XY) panels() []Panel {
	if len(f.Panels) > 0 {
		return f.Panels
	}
	return []Panel{{Series: f.Series}}
}

// clean sets the panels without undrawable points and the distinct series of them all, and returns the
// names of series without a point in any panel.
func (l *layout) clean(o *omitted) (missing []string) {
	l.plots = slices.Clone(l.panels())
	for i := range l.plots {
		panel := &l.plots[i]
		panel.Series = slices.Clone(panel.Series)
		for j := range panel.Series {
			s := &panel.Series[j]
			s.Points = o.clean(s.Points, l.X.holds, l.Y.holds, s.Kind)
			if len(s.Points) > 0 && !slices.ContainsFunc(l.distinct, s.alike) {
				l.distinct = append(l.distinct, *s)
			}
		}
	}
	for i := range l.plots {
		for _, s := range l.plots[i].Series {
			name := cmp.Or(s.label(), "one without a name")
			if !slices.ContainsFunc(l.distinct, s.alike) && !slices.Contains(missing, name) {
				missing = append(missing, name)
			}
		}
		l.plots[i].Series = slices.DeleteFunc(l.plots[i].Series, func(s Series) bool { return len(s.Points) == 0 })
	}
	return missing
}

// notes are the paragraphs on what a lack of points and lines on top of each other keep from the reader.
func (l layout) notes(missing []string) (notes []string) {
	if len(missing) > 0 {
		notes = append(notes, "Without a point to draw: "+strings.Join(missing, ", ")+".")
	}
	if len(l.Panels) > 0 {
		return notes
	}
	var hidden []string
	for i, s := range l.distinct {
		for _, top := range slices.Backward(l.distinct[i+1:]) {
			if s.under(top) {
				hidden = append(hidden, s.label()+" under "+top.label())
				break
			}
		}
	}
	if len(hidden) > 0 {
		notes = append(notes, "Hidden: "+strings.Join(hidden, ", ")+".")
	}
	return notes
}

// under reports whether all points of s, and more than one, are within 1 % of points of o, and both are
// lines through markers.
func (s Series) under(o Series) bool {
	apart := func(p Point) bool {
		near := func(q Point) bool { return p.X == q.X && math.Abs(p.Y-q.Y) <= 0.01*math.Abs(q.Y) }
		return !slices.ContainsFunc(o.Points, near)
	}
	return s.Kind == Both && o.Kind == Both && len(s.Points) > 1 && !slices.ContainsFunc(s.Points, apart)
}
