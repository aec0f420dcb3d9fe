package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// An Axis is how an XY lays out and labels the values of one direction.
type Axis struct {
	Log      bool
	Unit     Unit     // of the labels; the zero value is Nanoseconds
	Min, Max float64  // ends of the axis; both 0 for those that the data need, on a linear axis with 0 among them
	Names    []string // of an x axis: categories 0, 1, 2, … instead of numbers
}

// holds reports whether v has a place on the axis; NaN has none.
func (a Axis) holds(v float64) bool {
	if a.Log {
		return placed(v)
	}
	return math.Abs(v) <= mostValue
}

// minus is as wide as a digit is; the fonts have it.
const minus = "\u2212"

func (a Axis) fixed() bool { return a.Min != 0 || a.Max != 0 }

func (a Axis) check(name string) error {
	if a.Unit < Nanoseconds || a.Unit > Count {
		return fmt.Errorf("%w: %s axis of unit %d (have 0 to %d)", ErrShape, name, a.Unit, Count)
	}
	if len(a.Names) > 0 && (a.Log || a.fixed()) {
		return fmt.Errorf("%w: %s axis of categories is neither Log nor has Min and Max", ErrShape, name)
	}
	if !a.fixed() {
		return nil
	}
	// Ends that differ by less than a label can show are a mistake, and would exhaust float64.
	least := 1e-9 * max(math.Abs(a.Min), math.Abs(a.Max))
	if !a.holds(a.Min) || !a.holds(a.Max) || a.Max-a.Min < max(least, leastValue) {
		need := "Min < Max"
		if a.Log {
			need = "0 < Min < Max"
		}
		return fmt.Errorf("%w: %s axis from %g to %g (needs %s)", ErrShape, name, a.Min, a.Max, need)
	}
	return nil
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
	case a.fixed():
		return span{a.Min, a.Max}
	case a.Log:
		// At least a decade, which holds a labelled tick.
		return s.widened(max(1.25, 1.01*math.Sqrt(10/(s.hi/s.lo))))
	}
	s = withZero(s)
	return span{s.lo * 1.03, s.hi * 1.03}
}

// upRange is the range of a y axis: the values' own, rounded outwards to labels.
func (a Axis) upRange(s span) span {
	switch {
	case a.fixed():
		return span{a.Min, a.Max}
	case a.Log:
		return bounds(s)
	}
	s = withZero(s)
	step := stepOf(s, 10)
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

// stop returns the i-th place at which an axis may begin and end: 1, 2 and 5 times powers of ten.
// stop(0) is 1, stop(3) is 10, stop(-1) is 0.5.
func stop(i int) float64 {
	decade := int(math.Floor(float64(i) / 3))
	return [...]float64{1, 2, 5}[i-3*decade] * math.Pow10(decade)
}

// bounds rounds s outwards to stops, at least a decade apart: a lesser range would magnify
// noise, and the library panics at none.
func bounds(s span) span {
	lo := 3*int(math.Floor(math.Log10(s.lo))) + 3
	for stop(lo) > s.lo*(1+1e-9) {
		lo--
	}
	hi := lo
	for stop(hi) < s.hi*(1-1e-9) {
		hi++
	}
	for n := 0; hi-lo < 3; n++ {
		if n%2 == 0 {
			hi++
		} else {
			lo--
		}
	}
	return span{min(s.lo, stop(lo)), max(s.hi, stop(hi))}
}

// stepOf is the least stop that divides s into at most this number of parts.
func stepOf(s span, most int) float64 {
	least := (s.hi - s.lo) / float64(max(1, most)) * (1 - 1e-9)
	i := 3 * int(math.Floor(math.Log10(least)))
	for stop(i) < least {
		i++
	}
	return stop(i)
}

// ticks labels at most about this number of values of s.
func (a Axis) ticks(s span, most int) []plot.Tick {
	// Less than a decade may hold nothing for logTicks to label, and is nearly linear.
	if a.Log && s.hi/s.lo >= 10*(1-1e-9) {
		return a.logTicks(s, most)
	}
	return a.linearTicks(s, most)
}

// logTicks labels the powers of ten in s, or also 2 and 5 times them when s is shorter than two
// decades, or only every second one and so on to keep to the most labels given. A crowded axis
// ticks 2 and 5 between the labels, one with room 2 to 9, and labels its ends.
func (a Axis) logTicks(s span, most int) (ticks []plot.Tick) {
	first, last := int(math.Floor(math.Log10(s.lo))), int(math.Ceil(math.Log10(s.hi)))
	step := max(1, (last-first+most)/max(1, most))
	dense := s.hi/s.lo < 100 && 3*(last-first) <= most+2
	crowded := 2*most < 3*(last-first)
	inside := span{s.lo * (1 - 1e-9), s.hi * (1 + 1e-9)}
	for d := first; d <= last; d++ {
		for k := 1; k <= 9; k++ {
			v := float64(k) * math.Pow10(d)
			if !inside.holds(v) {
				continue
			}
			round := k == 1 || k == 2 || k == 5
			end := round && !crowded && step == 1 && (v < s.lo*1.01 || v > s.hi/1.01)
			t := plot.Tick{Value: v}
			if k == 1 && (d-first)%step == 0 || dense && round || end {
				t.Label = a.label(v)
			}
			if t.Label != "" || step == 1 && (!crowded || round) {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

func (a Axis) linearTicks(s span, most int) (ticks []plot.Tick) {
	step := stepOf(s, most)
	inFull := false
	for i := math.Ceil(s.lo/step - 1e-9); i*step <= s.hi+step*1e-9; i++ {
		v := i*step + 0 // + 0 makes 0 of -0
		ticks = append(ticks, plot.Tick{Value: v, Label: a.label(v)})
		// Label's three digits may not tell neighbours apart.
		inFull = inFull || math.Abs(rounded(v)-v) > step*1e-3
	}
	if inFull {
		decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
		for i := range ticks {
			number := strconv.FormatFloat(ticks[i].Value, 'f', decimals, 64)
			ticks[i].Label = strings.Replace(number, "-", minus, 1) + [...]string{Nanoseconds: " ns", Bytes: " B", Count: ""}[a.Unit]
		}
	}
	return ticks
}

// ticksWithin is ticks for an x axis of this width: as many as their labels have room for.
// The values, if few, are settings: they are labelled themselves.
func (a Axis) ticksWithin(s span, values []float64, width vg.Length) []plot.Tick {
	if ticks := a.settings(values); len(ticks) > 1 && apart(ticks, a.place(s, 0, width)) {
		return ticks
	}
	for most := int(width / 45); ; most-- {
		ticks := a.ticks(s, most)
		if most <= 1 || apart(ticks, a.place(s, 0, width)) {
			return ticks
		}
	}
}

// settings labels each value, if they are few.
func (a Axis) settings(values []float64) (ticks []plot.Tick) {
	for _, v := range slices.Compact(slices.Sorted(slices.Values(values))) {
		if !a.Log || a.fixed() || len(ticks) == 8 {
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

// apart reports whether the labels, centred on their ticks, leave gaps.
func apart(ticks []plot.Tick, at func(float64) vg.Length) bool {
	end := vg.Length(math.Inf(-1))
	for _, t := range ticks {
		if t.Label == "" {
			continue
		}
		half := label.width(t.Label) / 2
		if at(t.Value)-half < end {
			return false
		}
		end = at(t.Value) + half + 6
	}
	return true
}

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
