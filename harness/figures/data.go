package figures

import (
	"cmp"
	"fmt"
	"slices"
)

// A Point is one measured value with its interval, in the units of the figure's axes.
type Point struct {
	X, Y   float64
	Lo, Hi float64 // ends of the interval around Y; both 0 if there is none
}

// Values outside these limits have no place on a logarithmic axis: the library panics at 0, and
// powers of ten near the ends of float64 round to 0 and to infinity.
const (
	leastValue = 1e-30
	mostValue  = 1e30
)

// placed reports whether v has a place on a logarithmic axis; NaN has none.
func placed(v float64) bool { return v >= leastValue && v <= mostValue }

func (p Point) hasBar() bool { return p.Lo != 0 || p.Hi != 0 }

// clean returns the points that can be drawn, by ascending X, in a slice of its own.
// A bar that cannot be drawn is removed from its point.
func clean(points []Point) ([]Point, Dropped) { return cleanOn(points, placed, placed) }

// cleanOn is clean for axes on which x and y tell which values have a place.
func cleanOn(points []Point, x, y func(float64) bool) ([]Point, Dropped) {
	var kept []Point
	var d Dropped
	for _, p := range points {
		if !x(p.X) || !y(p.Y) {
			d.Points++
			continue
		}
		if p.hasBar() && (!y(p.Lo) || !y(p.Hi) || p.Lo > p.Hi) {
			d.Bars++
			p.Lo, p.Hi = 0, 0
		}
		kept = append(kept, p)
	}
	slices.SortStableFunc(kept, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	return kept, d
}

// note is the paragraph that tells the reader what is missing, or nothing. linear says that no
// axis is logarithmic, so that no zero is.
func (d Dropped) note(linear bool) []string {
	var s []string
	if linear {
		if d.Points > 0 {
			s = append(s, fmt.Sprintf("Left out: %s with a value that is not finite.", count(d.Points, "point")))
		}
		if d.Bars > 0 {
			s = append(s, fmt.Sprintf("Left out: %s without two finite ends.", count(d.Bars, "interval bar")))
		}
		return s
	}
	if d.Points > 0 {
		s = append(s, fmt.Sprintf("Left out: %s with a value that is zero, negative or not finite, which a logarithmic axis has no place for.",
			count(d.Points, "point")))
	}
	if d.Bars > 0 {
		s = append(s, fmt.Sprintf("Left out: %s without two finite, positive ends.", count(d.Bars, "interval bar")))
	}
	return s
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// A span is the smallest interval that holds all values it has seen; the zero span is empty.
type span struct{ lo, hi float64 }

func (s span) empty() bool { return s.hi == 0 }

func (s span) with(v float64) span {
	if s.empty() {
		return span{v, v}
	}
	return span{min(s.lo, v), max(s.hi, v)}
}

// extent returns the ranges that the points and their bars cover.
func extent(points []Point, x, y span) (span, span) {
	for _, p := range points {
		x, y = x.with(p.X), y.with(p.Y)
		if p.hasBar() {
			y = y.with(p.Lo).with(p.Hi)
		}
	}
	return x, y
}
