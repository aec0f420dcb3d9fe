package figures

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// An Axis is how an XY lays out and labels the values of one direction. It begins and ends where the data
// need it, a linear one also at 0.
type Axis struct {
	Log   bool
	Unit  Unit     // of the labels; the zero value is Nanoseconds
	Names []string // of an x axis: categories 0, 1, 2, … instead of numbers
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
	case len(a.Names) > 0:
		axis.Min, axis.Max = -0.5, float64(len(a.Names))-0.5
		for i, name := range a.Names {
			width := vg.Length(length/float64(len(a.Names))) - 6
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: shortened(labelStyle, name, width)})
		}
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
		// At least a decade: less would magnify noise, and the library panics at none.
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
