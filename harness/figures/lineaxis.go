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

// An Axis is how a Lines lays out and labels the values of one direction.
type Axis struct {
	Log      bool
	Unit     Unit     // of the labels; the zero value is Nanoseconds
	Min, Max float64  // ends of the axis; both 0 for those that the data need, on a linear axis with 0 among them
	Names    []string // across only: categories 0, 1, 2, … instead of numbers
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
		return fmt.Errorf("%w: %s axis of unit %d, want 0 to %d", ErrShape, name, a.Unit, Count)
	}
	if len(a.Names) > 0 && (a.Log || a.fixed()) {
		return fmt.Errorf("%w: %s axis of categories, want neither Log nor Min and Max", ErrShape, name)
	}
	if !a.fixed() {
		return nil
	}
	// Ends that differ by less than a label can show are a mistake, and would exhaust float64.
	least := 1e-9 * max(math.Abs(a.Min), math.Abs(a.Max))
	if !a.holds(a.Min) || !a.holds(a.Max) || a.Max-a.Min < max(least, leastValue) {
		want := "Min < Max"
		if a.Log {
			want = "0 < Min < Max"
		}
		return fmt.Errorf("%w: %s axis from %g to %g, want %s", ErrShape, name, a.Min, a.Max, want)
	}
	return nil
}

// across is the range of an x axis: a little more than the values need, which keeps markers off
// the frame.
func (a Axis) across(values []float64) span {
	s := span{slices.Min(values), slices.Max(values)}
	switch {
	case len(a.Names) > 0:
		return span{-0.5, float64(len(a.Names)) - 0.5}
	case a.fixed():
		return span{a.Min, a.Max}
	case a.Log:
		return padded(s, 1.25)
	}
	s = withZero(s)
	return span{s.lo * 1.03, s.hi * 1.03}
}

// upwards is the range of a y axis: the values' own, rounded outwards to labels.
func (a Axis) upwards(values []float64) span {
	s := span{slices.Min(values), slices.Max(values)}
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
	s = span{min(s.lo, 0), max(s.hi, 0)}
	if s.hi-s.lo < leastValue {
		return span{0, 1}
	}
	return s
}

// stepOf is the least of 1, 2 and 5 times a power of ten that divides s into at most so many parts.
func stepOf(s span, most int) float64 {
	least := (s.hi - s.lo) / float64(max(1, most)) * (1 - 1e-9)
	i := 3 * int(math.Floor(math.Log10(least)))
	for stop(i) < least {
		i++
	}
	return stop(i)
}

// ticks labels at most about so many values of s.
func (a Axis) ticks(s span, most int) plot.ConstantTicks {
	// Less than a decade may hold nothing for logTicks to label, and is nearly linear.
	if a.Log && s.hi/s.lo >= 10 {
		return logTicks(s, most, a.label)
	}
	return a.linearTicks(s, most)
}

func (a Axis) linearTicks(s span, most int) plot.ConstantTicks {
	step := stepOf(s, most)
	var ticks plot.ConstantTicks
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
func (a Axis) ticksWithin(s span, width vg.Length) plot.ConstantTicks {
	most := int(width / 45)
	for {
		ticks := a.ticks(s, most)
		labels := vg.Length(0)
		for _, t := range ticks {
			if t.Label != "" {
				labels++
			}
		}
		if most <= 1 || labels*(widest(ticks)+8) <= width {
			return ticks
		}
		most--
	}
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

// nameTicks labels categories in columns of this width: in smaller letters and then cut where the
// longest name needs more.
func nameTicks(names []string, column vg.Length) (ticks plot.ConstantTicks, size vg.Length) {
	s := lettering(labelSize, ink)
	longest := vg.Length(0)
	for _, n := range names {
		longest = max(longest, s.Width(printable(n)))
	}
	if room := column - 6; longest > room {
		s.Font.Size = max(6.5, labelSize*room/longest)
	}
	for i, n := range names {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: orElse(shortened(s, n, column-6), " ")})
	}
	return ticks, s.Font.Size
}

// widest is the width of the longest label.
func widest(ticks plot.ConstantTicks) vg.Length {
	w := vg.Length(0)
	for _, t := range ticks {
		w = max(w, lettering(labelSize, ink).Width(t.Label))
	}
	return w
}
