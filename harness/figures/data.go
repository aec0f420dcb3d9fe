package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A Point is one value with its interval, in the units of the figure's axes.
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

// omitted counts what a figure was given but could not draw.
type omitted struct {
	points int // points with a coordinate outside 1e-30 … 1e30, on a linear axis outside ±1e30
	bars   int // interval bars with such an end, or upside down; their points are drawn
}

// clean returns the points that can be drawn, by ascending X, in a slice of its own, and counts the
// others. x and y report which values have a place. A bar that cannot be drawn is removed from its point,
// and so is a prediction's.
func (o *omitted) clean(points []Point, x, y func(float64) bool, kind Kind) []Point {
	var kept []Point
	for _, p := range points {
		if !x(p.X) || !y(p.Y) {
			o.points++
			continue
		}
		if kind == Predicted {
			p.Lo, p.Hi = 0, 0
		}
		if p.hasBar() && (!y(p.Lo) || !y(p.Hi) || p.Lo > p.Hi) {
			o.bars++
			p.Lo, p.Hi = 0, 0
		}
		kept = append(kept, p)
	}
	slices.SortStableFunc(kept, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	return kept
}

// note says in the caption what is missing. linear says that no axis is logarithmic, so that no
// zero is.
func (o omitted) note(linear bool) []string {
	point, bar := "zero, negative or not finite, which a logarithmic axis has no place for", "finite, positive"
	if linear {
		point, bar = "not finite", "finite"
	}
	var s []string
	if o.points > 0 {
		s = append(s, fmt.Sprintf("Left out: %s with a value that is %s.", count(o.points, "point"), point))
	}
	if o.bars > 0 {
		s = append(s, fmt.Sprintf("Left out: %s without two %s ends.", count(o.bars, "interval bar"), bar))
	}
	return s
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// A span is the smallest interval that holds all values it has seen; noSpan has seen none.
type span struct{ lo, hi float64 }

var noSpan = span{math.Inf(1), math.Inf(-1)}

func (s span) empty() bool { return s.lo > s.hi }

func (s span) with(values ...float64) span {
	for _, v := range values {
		s = span{min(s.lo, v), max(s.hi, v)}
	}
	return s
}

// widened moves the ends of s outwards by a factor.
func (s span) widened(factor float64) span { return span{s.lo / factor, s.hi * factor} }
