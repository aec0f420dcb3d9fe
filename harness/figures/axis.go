package figures

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Unit says how the values of an axis are written.
type Unit int

const (
	Nanoseconds Unit = iota // given in ns; labels read 50 ns, 1 µs, 2 ms
	Bytes                   // labels read 50 B, 1 kB
	Count                   // labels read 50, 1k, 2M
)

// Label writes v with three significant digits and its unit.
func (u Unit) Label(v float64) string {
	switch u {
	case Nanoseconds:
		num, prefix := scaled(v*1e-9, []string{"p", "n", "µ", "m", ""}, 1e-12)
		return num + " " + prefix + "s"
	case Bytes:
		num, prefix := scaled(v, []string{"", "k", "M", "G", "T"}, 1)
		return num + " " + prefix + "B"
	}
	num, prefix := scaled(v, []string{"", "k", "M", "G", "T"}, 1)
	return num + prefix
}

// scaled writes v with the largest prefix that leaves at least 1; the first stands for unit and
// each further one for 1000 times more.
func scaled(v float64, prefixes []string, unit float64) (num, prefix string) {
	v = rounded(v) // first, so that 999.9 becomes 1k
	i := 0
	for i+1 < len(prefixes) && v >= unit*1000*(1-1e-9) {
		unit *= 1000
		i++
	}
	return strconv.FormatFloat(v/unit, 'g', 3, 64), prefixes[i]
}

// stops are the multiples of a power of ten at which an axis may begin and end.
var stops = []float64{1, 2, 5}

// stop returns the i-th axis stop; stop(0) is 1, stop(3) is 10, stop(-1) is 0.5.
func stop(i int) float64 {
	decade := int(math.Floor(float64(i) / 3))
	return stops[i-3*decade] * math.Pow10(decade)
}

// bounds rounds s outwards to axis stops, at least a decade apart: a lesser range would magnify
// noise, and the library panics at none.
func bounds(s span) span {
	lo := 3*int(math.Floor(math.Log10(s.lo))) + 3
	for stop(lo) > s.lo {
		lo--
	}
	hi := lo
	for stop(hi) < s.hi {
		hi++
	}
	for n := 0; hi-lo < 3; n++ {
		if n%2 == 0 {
			hi++
		} else {
			lo--
		}
	}
	return span{stop(lo), stop(hi)}
}

// widened moves the ends of s outwards by a factor.
func widened(s span, factor float64) span { return span{s.lo / factor, s.hi * factor} }

// padded is s widened to keep markers off the frame, and to at least a decade, which holds a
// labelled tick.
func padded(s span, factor float64) span {
	if ratio := s.hi / s.lo; ratio < 10 {
		factor = max(factor, math.Sqrt(10/ratio)*1.01)
	}
	return widened(s, factor)
}

// Exact writes a setting rather than a measurement: 10k and 1M in short, but whole numbers below a
// million in full where Label would round them, 4096 to 4.1k.
func Exact(v float64) string {
	if v != rounded(v) && v == math.Trunc(v) && math.Abs(v) < 1e6 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return Count.Label(v)
}

// rounded is v with three significant digits.
func rounded(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
	return r
}

// logTicks labels the powers of ten in s, or also 2 and 5 times them when s is shorter than two
// decades, or only every second one and so on to keep to the most labels given. A crowded axis
// ticks 2 and 5 between the labels, one with room 2 to 9.
func logTicks(s span, most int, label func(float64) string) plot.ConstantTicks {
	first, last := int(math.Floor(math.Log10(s.lo))), int(math.Ceil(math.Log10(s.hi)))
	step := max(1, (last-first+most)/max(1, most))
	dense := s.hi/s.lo < 100 && 3*(last-first) <= most+2
	crowded := 2*most < 3*(last-first)
	var ticks plot.ConstantTicks
	for d := first; d <= last; d++ {
		for k := 1; k <= 9; k++ {
			v := float64(k) * math.Pow10(d)
			if v < s.lo*(1-1e-9) || v > s.hi*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			if k == 1 && (d-first)%step == 0 || dense && (k == 2 || k == 5) {
				t.Label = label(v)
			}
			if t.Label != "" || step == 1 && (!crowded || k == 1 || k == 2 || k == 5) {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

// newPlot returns an empty plot in the suite's look, without a title or a background of its own.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding = 0
		a.LineStyle = draw.LineStyle{Color: faint, Width: 0.6}
		a.Tick.LineStyle = a.LineStyle
		a.Tick.Length = 4
		align := a.Tick.Label
		a.Tick.Label = lettering(labelSize, ink)
		a.Tick.Label.XAlign, a.Tick.Label.YAlign = align.XAlign, align.YAlign
	}
	return p
}

// logPlot returns a plot with two logarithmic axes and a grid.
func logPlot(x, y span, xTicks, yTicks plot.ConstantTicks) *plot.Plot {
	p := newPlot()
	p.X.Min, p.X.Max, p.X.Scale, p.X.Tick.Marker = x.lo, x.hi, plot.LogScale{}, xTicks
	p.Y.Min, p.Y.Max, p.Y.Scale, p.Y.Tick.Marker = y.lo, y.hi, plot.LogScale{}, yTicks
	grid := plotter.NewGrid()
	grid.Vertical = draw.LineStyle{Color: hair, Width: 0.5}
	grid.Horizontal = grid.Vertical
	p.Add(grid)
	return p
}

// labelX names the x axis of a plot drawn at area.
func labelX(p *plot.Plot, txt string, area vg.Rectangle) {
	s := lettering(labelSize, ink)
	p.X.Label.Text = shortened(s, txt, area.Max.X-area.Min.X)
	p.X.Label.TextStyle.Font = s.Font
	p.X.Label.TextStyle.Color = ink
	p.X.Label.Padding = 3
}

// unlabelled returns the ticks without their labels but with their lengths and grid lines.
func unlabelled(ticks plot.ConstantTicks) plot.ConstantTicks {
	out := make(plot.ConstantTicks, len(ticks))
	for i, t := range ticks {
		out[i].Value = t.Value
		if !t.IsMinor() {
			out[i].Label = " "
		}
	}
	return out
}

// drawAt draws p so that its data area is exactly r. The library goes the other way, from the
// outer rectangle to the data area, so this corrects the outer one until they agree.
func drawAt(p *plot.Plot, c draw.Canvas, r vg.Rectangle) {
	outer := draw.Canvas{Canvas: c.Canvas, Rectangle: r}
	for range 8 {
		got := p.DataCanvas(outer)
		outer.Min = outer.Min.Add(r.Min.Sub(got.Min))
		outer.Max = outer.Max.Add(r.Max.Sub(got.Max))
	}
	p.Draw(outer)
}
