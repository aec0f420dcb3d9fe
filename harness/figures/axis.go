package figures

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// An Axis is how an XY lays out and labels the values of one direction. It begins and ends where the
// data need it, a linear one also at 0.
type Axis struct {
	Log   bool
	Unit  Unit     // of the labels; the zero value is Nanoseconds
	Names []string // of an x axis: categories 0, 1, 2, … instead of numbers
}

// holds reports whether v has a place on the axis; NaN has none.
func (a Axis) holds(v float64) bool {
	if a.Log {
		return placed(v)
	}
	return math.Abs(v) <= mostValue
}

// place returns the function from values in s to places between lo and hi.
func (a Axis) place(s span, lo, hi vg.Length) func(v float64) vg.Length {
	var scale plot.Normalizer = plot.LinearScale{}
	if a.Log {
		scale = plot.LogScale{}
	}
	return func(v float64) vg.Length { return lo + (hi-lo)*vg.Length(scale.Normalize(s.lo, s.hi, v)) }
}

// acrossRange is the range of an x axis: a little more than the values need, which keeps markers off
// the frame.
func (a Axis) acrossRange(s span) span {
	switch {
	case len(a.Names) > 0:
		return span{-0.5, float64(len(a.Names)) - 0.5}
	case a.Log:
		// At least a decade, which holds a labelled tick.
		return s.widened(max(1.25, 1.01*math.Sqrt(10/(s.hi/s.lo))))
	}
	s = withZero(s)
	return span{s.lo * 1.03, s.hi * 1.03}
}

// upRange is the range of a y axis: the values' own, rounded outwards to labels.
func (a Axis) upRange(s span) span {
	if a.Log {
		return bounds(s)
	}
	s = withZero(s)
	step := nice(niceAbove((s.hi - s.lo) / 10))
	// min and max against the rounding of the products, which could leave the outermost values outside.
	return span{min(s.lo, math.Floor(s.lo/step+1e-9)*step), max(s.hi, math.Ceil(s.hi/step-1e-9)*step)}
}

// withZero widens s to 0, and to 1 if all is as good as 0. A linear axis without its zero
// exaggerates differences.
func withZero(s span) span {
	s = s.with(0)
	if s.hi-s.lo < leastValue {
		return span{0, 1}
	}
	return s
}

// nice returns the i-th of the numbers at which an axis may begin and end: 1, 2 and 5 times powers of ten.
// nice(0) is 1, nice(3) is 10, nice(-1) is 0.5.
func nice(i int) float64 {
	decade := int(math.Floor(float64(i) / 3))
	return [...]float64{1, 2, 5}[i-3*decade] * math.Pow10(decade)
}

// niceBelow returns the index of the last nice number that is not above v, rounding errors aside.
func niceBelow(v float64) int {
	i := 3*int(math.Floor(math.Log10(v))) + 3
	for nice(i) > v*(1+1e-9) {
		i--
	}
	return i
}

// niceAbove returns the index of the first nice number that is not below v.
func niceAbove(v float64) int { return niceBelow(v*(1-3e-9)) + 1 }

// bounds rounds s outwards to nice numbers, at least a decade apart: a lesser range would magnify
// noise, and the library panics at none.
func bounds(s span) span {
	lo, hi := niceBelow(s.lo), niceAbove(s.hi)
	for hi-lo < 3 {
		hi++
		if hi-lo < 3 {
			lo--
		}
	}
	return span{min(s.lo, nice(lo)), max(s.hi, nice(hi))}
}

// ticks labels as many round values of s as have room: at is their place, and room what a label takes
// up along the axis.
func (a Axis) ticks(s span, at func(float64) vg.Length, room func(string) vg.Length) []plot.Tick {
	for try := 0; ; try++ {
		ticks := a.linearTicks(s, try)
		if a.Log {
			ticks = a.logTicks(s, try)
		}
		if apart(ticks, at, room) {
			return ticks
		}
	}
}

// logTicks labels all nice numbers in s at the first try; then the powers of ten and both ends of the axis;
// then these and the lower end; then fewer and fewer powers of ten. Numbers without a label are ticks
// as long as they do not crowd.
func (a Axis) logTicks(s span, try int) (ticks []plot.Tick) {
	lo, hi := niceAbove(s.lo), niceBelow(s.hi)
	first := lo + (3-lo%3)%3 // a power of ten
	for i := lo; i <= hi; i++ {
		lowEnd, highEnd := nice(i) < s.lo*1.01, nice(i) > s.hi/1.01
		power := (i-first)%(3*max(1, try-2)) == 0
		if try == 0 || power || lowEnd && try <= 2 || highEnd && try == 1 {
			ticks = append(ticks, plot.Tick{Value: nice(i), Label: a.label(nice(i))})
		} else if try < 4 {
			ticks = append(ticks, plot.Tick{Value: nice(i)})
		}
	}
	return ticks
}

// linearTicks labels at most ten values a step apart, and fewer with every try.
func (a Axis) linearTicks(s span, try int) (ticks []plot.Tick) {
	step := nice(niceAbove((s.hi-s.lo)/10) + try)
	for i := math.Ceil(s.lo/step - 1e-9); i*step <= s.hi+step*1e-9; i++ {
		v := i*step + 0 // + 0 makes 0 of -0
		ticks = append(ticks, plot.Tick{Value: v, Label: a.label(v)})
	}
	return ticks
}

// settings labels each value of a logarithmic axis, if they are few.
func (a Axis) settings(values []float64) (ticks []plot.Tick) {
	for _, v := range slices.Compact(slices.Sorted(slices.Values(values))) {
		if !a.Log || len(ticks) == 8 {
			return nil
		}
		text := a.label(v)
		if a.Unit == Count && v >= 1 {
			text = Exact(v)
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: text})
	}
	return ticks
}

// apart reports whether the labels, centred on their ticks, do not overlap.
func apart(ticks []plot.Tick, at func(float64) vg.Length, room func(string) vg.Length) bool {
	end := vg.Length(math.Inf(-1))
	for _, t := range ticks {
		if t.Label == "" {
			continue
		}
		half := room(t.Label) / 2
		if at(t.Value)-half < end {
			return false
		}
		end = at(t.Value) + half
	}
	return true
}

// minus is as wide as a digit is; the fonts have it.
const minus = "\u2212"

// label writes v as Unit.Label does, and also what no measured cost is: zero, less than zero, or a
// share too small for it.
func (a Axis) label(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 0:
		return minus + a.label(-v)
	case a.Unit == Count && v < 1e-3 && v > 1e-8:
		return strconv.FormatFloat(rounded(v), 'f', -1, 64)
	}
	return a.Unit.Label(v)
}
