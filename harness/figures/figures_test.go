package figures

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

var (
	logCount    = Axis{Log: true, Unit: Count}
	linearCount = Axis{Unit: Count}
)

// line returns n points of a curve, with intervals.
func line(xs []float64, f func(x float64) float64) (points []Point) {
	for _, x := range xs {
		points = append(points, Point{X: x, Y: f(x), Lo: 0.9 * f(x), Hi: 1.1 * f(x)})
	}
	return points
}

// sampleSweep has a line for each scheme.
func sampleSweep() XY {
	f := XY{
		Title: "START at n = 1M: scheme 6 takes 5 ns", Caption: []string{"M = 4096."}, Command: "bench report",
		XLabel: "timers outstanding, n", YLabel: "time per Start", X: logCount, Y: Axis{Log: true},
	}
	for i, name := range paper[1:] {
		cost := func(n float64) float64 { return float64(5+i) * math.Pow(n, float64(i%3)/3) }
		f.Series = append(f.Series, Series{Style: name, Kind: Both, Points: line([]float64{100, 1e4, 1e6}, cost)})
	}
	return f
}

// samplePanels has points alone, for numbers of levels, in three panels.
func samplePanels() XY {
	f := XY{Title: "Break-even", XLabel: "M, slots", YLabel: "T*, in M", X: logCount, Y: logCount}
	for i := range 3 {
		panel := Panel{Title: fmt.Sprint("panel ", i)}
		for _, m := range []int{2, 3, 4} {
			points := line([]float64{256, 1024, 4096, 16384}, func(x float64) float64 { return float64(m) / (x + 1) })
			panel.Series = append(panel.Series, Series{Name: fmt.Sprint("m = ", m), Kind: Measured, Points: points})
		}
		f.Panels = append(f.Panels, panel)
	}
	return f
}

// samples are figures of each kind, and valid ones that once broke a plot or could.
func samples() map[string]XY {
	many := XY{X: logCount, Y: Axis{Log: true}, YLabel: strings.Repeat("long ", 60)}
	for i := range 40 {
		points := []Point{{X: 10, Y: 10}, {X: 1000, Y: 11}}
		many.Series = append(many.Series, Series{Name: fmt.Sprint("scheme ", i), Kind: Kind(i % 3), Points: points})
	}
	long := strings.Repeat("Überlänge ", 60) + strings.Repeat("x", 300)
	all := map[string]XY{
		"sweep": sampleSweep(), "panels": samplePanels(),
		"many": many,
		"words": XY{Title: long, Caption: []string{long}, XLabel: long, YLabel: long,
			Series: []Series{{Name: long, Points: []Point{{X: 1, Y: 1}}}}},
		"zeros":      XY{Series: []Series{{Points: []Point{{}, {}}}}},
		"below zero": XY{Series: []Series{{Kind: Both, Points: []Point{{X: -3, Y: -40, Lo: -50, Hi: -1}, {X: -1, Y: -4}}}}},
		"hole":       XY{Panels: []Panel{{Title: "a", Series: sampleSweep().Series}, {Title: "nothing"}}},
	}
	for name, points := range map[string][]Point{
		"one point at 1": {{X: 1, Y: 1}},
		"one point":      {{X: 300, Y: 42, Lo: 42, Hi: 42}},
		"all equal":      {{X: 7, Y: 7}, {X: 7, Y: 7}},
		"same x":         {{X: 5, Y: 7}, {X: 5, Y: 8000}},
		"the ends":       {{X: 1e-14, Y: 1e14}, {X: 1e14, Y: 1e-14}},
		"close":          {{X: 4096, Y: 1}, {X: 4097, Y: 1.0001, Lo: 1.0002, Hi: 2}},
		"shares":         {{X: 1e-7, Y: 1e-5}, {X: 2e-7, Y: 3e-5}},
	} {
		series := []Series{{Name: "predicted", Points: points}, {Name: "counted", Kind: Measured, Points: points}}
		all[name+", log"] = XY{X: logCount, Y: logCount, Series: series}
		all[name+", linear"] = XY{X: linearCount, Y: linearCount, Series: series}
		all[name+", mixed"] = XY{X: linearCount, Y: Axis{Log: true}, Series: series}
	}
	return all
}

func render(t *testing.T, f XY) string {
	t.Helper()
	data, err := Render(f, "svg")
	require.NoError(t, err)
	return string(data)
}

// svgText is a text element and the room that it takes.
type svgText struct {
	Text   string  `xml:",chardata"`
	X0     float64 `xml:"x,attr"`
	Y1     float64 `xml:"y,attr"`
	Size   float64 `xml:"font-size,attr"`
	Weight string  `xml:"font-weight,attr"`
	x1, y0 float64
}

// textsOf returns the texts of an SVG, which must be well-formed.
func textsOf(t *testing.T, svg string) (all []svgText, height float64) {
	t.Helper()
	var file struct {
		Height string    `xml:"height,attr"`
		Texts  []svgText `xml:"text"`
	}
	require.NoError(t, xml.Unmarshal([]byte(svg), &file))
	height, err := strconv.ParseFloat(strings.TrimSuffix(file.Height, "pt"), 64)
	require.NoError(t, err)
	for i, s := range file.Texts {
		style := labelStyle
		if s.Weight != "" {
			style = headingStyle
		}
		file.Texts[i].x1, file.Texts[i].y0 = s.X0+float64(style.Width(s.Text))*s.Size/9, s.Y1-0.72*s.Size
	}
	return file.Texts, height
}

// Texts are large enough, and none is cut or covers another. The same figure gives the same bytes, and is left alone.
func TestSamples(t *testing.T) {
	again := samples()
	for name, f := range samples() {
		before, svg := fmt.Sprintf("%v", f), render(t, f)
		assert.Equal(t, svg, render(t, again[name]), name)
		assert.Equal(t, before, fmt.Sprintf("%v", f), name)
		assert.NotRegexp(t, "NaN|Inf", svg, name)
		texts, height := textsOf(t, svg)
		assert.NotEmpty(t, texts, name)
		for i, a := range texts {
			assert.GreaterOrEqual(t, a.Size*800/600, 11., "%s: %q is too small", name, a.Text)
			assert.True(t, a.X0 >= 0 && a.x1 <= 600 && a.y0 >= 0 && a.Y1 <= height, "%s: %q is cut: %v", name, a.Text, a)
			for _, b := range texts[:i] {
				apart := max(b.X0-a.x1, a.X0-b.x1, b.y0-a.Y1, a.y0-b.Y1)
				assert.GreaterOrEqual(t, apart, -0.05, "%s: %q and %q overlap", name, a.Text, b.Text)
			}
		}
	}
}

func TestAnSVGNamesItselfAndItsFonts(t *testing.T) {
	f := sampleSweep()
	f.Title, f.Command = "a < b & \x00 \"c\"", "bench plot --title '<x>'"
	svg := render(t, f)
	assert.True(t, Made([]byte(svg)))
	assert.False(t, Made([]byte("<svg xmlns=\"http://www.w3.org/2000/svg\"/>")))
	assert.Contains(t, svg, "<title>a &lt; b &amp;   &#34;c&#34;</title>\n<desc>bench plot --title &#39;&lt;x&gt;&#39;<")
	assert.Equal(t, 1, strings.Count(svg, "font-family"))
	assert.Contains(t, svg, "font-family:'Liberation Sans',Arial,sans-serif")
	assert.NotContains(t, svg, "@font-face")
	assert.Less(t, len(svg), 40_000)
	for i, name := range paper[1:] {
		assert.Contains(t, svg, fmt.Sprintf(">%d %s</text>", i+1, name))
		assert.Contains(t, svg, fmt.Sprintf("stroke:#%06X;stroke-width:1.3", looks[name].color), name)
	}
}

func TestAPNGIsADrawingOnWhite(t *testing.T) {
	for _, f := range []XY{sampleSweep(), samplePanels()} {
		data, err := Render(f, "PNG")
		require.NoError(t, err)
		again, err := Render(f, "png")
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, again))
		assert.True(t, Made(data))
		decoded, err := png.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		w, h, dark := decoded.Bounds().Dx(), decoded.Bounds().Dy(), 0
		require.Equal(t, 1600, w)
		for y := range h {
			for x := range w {
				if r, g, b, _ := decoded.At(x, y).RGBA(); r&g&b != 0xffff {
					dark++
					require.False(t, x == 0 || x == w-1 || y == 0 || y == h-1, "something is cut at %d, %d", x, y)
				}
			}
		}
		assert.Greater(t, dark, w*h/100)
	}
}

// TestPanelsOfPointsHaveNoOtherText: the schemes' numbers once stood at random places of such panels.
func TestPanelsOfPointsHaveNoOtherText(t *testing.T) {
	points := []Point{{X: 1, Y: 1}, {X: 10, Y: 20}, {X: 100, Y: 5}}
	series := []Series{{Style: "hashunsorted", Kind: Measured, Points: points},
		{Style: "hierarchical", Kind: Measured, Points: points}}
	f := XY{Title: "Errors", X: logCount, Y: logCount, XLabel: "time", YLabel: "error",
		Panels: []Panel{{"left", series}, {"right", series}}}
	var got []string
	texts, _ := textsOf(t, render(t, f))
	for _, s := range texts {
		if !slices.Contains(strings.Fields("1 2 5 10 20 50 100"), s.Text) {
			got = append(got, s.Text)
		}
	}
	want := []string{"Errors", "error", "left", "right", "time", "time", "6 hashunsorted", "7 hierarchical"}
	assert.ElementsMatch(t, want, got)
}

func TestUndrawableValuesAreLeftOutAndCounted(t *testing.T) {
	good := Point{X: 1, Y: 1}
	for _, v := range []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, math.MaxFloat64} {
		points := []Point{good, {X: v, Y: 2}, {X: 2, Y: v}, {X: 3, Y: 3, Lo: v, Hi: 9}, {X: 4, Y: 3, Lo: 9, Hi: 2}}
		series := []Series{{Style: "tree", Kind: Both, Points: points}}
		_, notes := XY{X: logCount, Y: logCount, Series: series}.clean()
		assert.Contains(t, notes[0], "values or bars, 4.", "%g", v)
		panels, notes := XY{Series: series}.clean()
		if v == 0 || v == -1 || v == 5e-324 {
			assert.Contains(t, notes[0], "values or bars, 1.", "%g on linear axes", v)
			assert.Len(t, panels[0].Series[0].Points, 5)
		}
		_, err := Render(XY{X: logCount, Y: logCount, Series: []Series{{Name: "bad", Points: []Point{{X: v, Y: v}}}}}, "svg")
		assert.ErrorContains(t, err, "Without a point to draw: bad.", "%g", v)
	}
}

func TestNotes(t *testing.T) {
	one := []Point{{X: 1, Y: 1}, {X: 2, Y: 3}}
	_, notes := XY{Series: []Series{{Name: "a", Points: one}, {Name: "b"}, {Name: "c"}, {}}}.clean()
	assert.Equal(t, []string{"Without a point to draw: b, c, one without a name."}, notes)
	for _, f := range []XY{ // which show the name elsewhere
		{Series: []Series{{Name: "m = 2", Points: one}, {Name: "m = 2", Kind: Measured}}},
		{Panels: []Panel{{Series: []Series{{Name: "m = 2"}}}, {Series: []Series{{Name: "m = 2", Points: one}}}}},
	} {
		_, notes := f.clean()
		assert.Empty(t, notes)
	}
}

// TestLooksAreTheSameInAllFigures: m = 3 was once drawn as m = 4 was where there was no m = 3.
func TestLooksAreTheSameInAllFigures(t *testing.T) {
	all := looksOf([]identity{{"x", "x"}, {"m = 2", "m = 2"}, {"m = 3", "m = 3"}, {"m = 4", "m = 4"}})
	for id, l := range looksOf([]identity{{"m = 2", "m = 2"}, {"m = 4", "m = 4"}}) {
		assert.Equal(t, looks[id.key], l)
		assert.Equal(t, l, all[id])
	}
	eighth := identity{"eighth", "eighth"}
	all = looksOf([]identity{{"tree", "tree"}, {"ordered", ""}, {"hashunsorted", ""}, eighth})
	assert.Equal(t, looksOf([]identity{eighth})[eighth], all[eighth])
	for id, l := range looksOf([]identity{{"m = 2", "rule"}, {"m = 2", "count"}, {"m = 4", "rule, 4"}}) {
		assert.Equal(t, looks[id.key].color, l.color, "a second series of one key keeps its colour")
		assert.Equal(t, id.label != "count", slices.Equal(looks[id.key].dashes, l.dashes), "but not its dash")
		assert.Equal(t, id.label != "count", looks[id.key].marker == l.marker, "nor its marker")
	}
}

func TestLooksDifferInOneFigure(t *testing.T) {
	for _, keys := range [][]string{
		append([]string{"null", "ordered-rear"}, paper[1:]...),
		{"tree", "tree-4ary", "tree-bst", "unordered", "ordered", "hashunsorted", "hierarchical", "null"},
		{"hashunsorted", "hashunsorted-lazy", "hashunsorted-chunked", "hashunsorted-absolute"},
		{"hierarchical", "hierarchical-interval", "hierarchical-nomigrate", "hierarchical-once", "hierarchical-chunked"},
		{"hashunsorted", "hierarchical", "hierarchical-nomigrate", "hierarchical-ahead"},
		{"hashunsorted", "hierarchical", "hashunsorted-chunked", "hierarchical-chunked", "hierarchical-ahead",
			"hierarchical-ahead-chunked"},
		{"m = 1", "m = 2", "m = 3", "m = 4", "m = 5"},
		{"none", "of", "these", "is", "known"},
	} {
		var ids []identity
		for _, key := range keys {
			ids = append(ids, identity{key, key})
		}
		all := looksOf(ids)
		for i, a := range ids {
			for _, b := range ids[:i] {
				assert.NotEqual(t, all[a].color, all[b].color, "%s and %s", a.key, b.key)
				assert.NotEqual(t, all[a].dashes, all[b].dashes, "%s and %s look alike in grey", a.key, b.key)
			}
		}
	}
}

func TestAxisLabels(t *testing.T) {
	for _, c := range []struct {
		axis     Axis
		lo, hi   float64
		settings []float64
		want     string
	}{
		{linearCount, 1e6, 3e6, nil, "0 500k 1M 1.5M 2M 2.5M 3M"},
		{linearCount, -1000, 2000, nil, "−1k −500 0 500 1k 1.5k 2k"},
		{linearCount, 1e-5, 2e-5, nil, "0 0.000005 0.00001 0.000015 0.00002"},
		{Axis{}, 0, 4000, nil, "0 500 ns 1 µs 1.5 µs 2 µs 2.5 µs 3 µs 3.5 µs 4 µs"},
		{Axis{Unit: Bytes}, 5, 20, nil, "0 5 B 10 B 15 B 20 B"},
		{logCount, 1, 10, nil, "1 2 5 10"},
		{logCount, 300, 400, nil, "100 200 500 1k 2k"},
		{logCount, 1, 1e6, nil, "1 10 100 1k 10k 100k 1M"},
		{logCount, 1, 1e20, nil, "1 1k 1M 1G 1T 1000T 1000000T"},
		{logCount, 256, 16384, []float64{16384, 256, 1024, 256}, "256 1024 16384"},
		{logCount, 1, 20, []float64{10, 11, 12}, "1 2 5 10 20"},
	} {
		axis := &plot.New().X
		c.axis.set(axis, c.lo, c.hi, c.settings, 300, 36)
		var labels []string
		for _, tick := range axis.Tick.Marker.Ticks(axis.Min, axis.Max) {
			if tick.Label != "" && tick.Value >= axis.Min && tick.Value <= axis.Max {
				labels = append(labels, tick.Label)
			}
		}
		assert.Equal(t, c.want, strings.Join(labels, " "))
		assert.True(t, axis.Min <= c.lo && axis.Max >= c.hi, "%g to %g", axis.Min, axis.Max)
	}
}

// A bar reaches from one end of an interval to the other, also where the value is outside.
func TestBarsSpanIntervals(t *testing.T) {
	for _, y := range []float64{1, 5, 11} {
		panel := Panel{Series: []Series{{Name: "a", Kind: Measured, Points: []Point{{X: 1, Y: y, Lo: 2, Hi: 11}}}}}
		drawn := plotters(panel, looksOf([]identity{panel.Series[0].identity()}))
		bars := drawn[len(drawn)-2].(*plotter.YErrorBars)
		_, _, low, high := bars.DataRange()
		assert.Equal(t, []float64{2, 11}, []float64{low, high}, "around %v", y)
	}
}

func TestErrors(t *testing.T) {
	for want, f := range map[string]XY{
		"mutually exclusive":             XY{Series: sampleSweep().Series, Panels: []Panel{{}}},
		`no line of "" has a point`:      XY{},
		`no line of "empty" has a point`: XY{Title: "empty", Panels: []Panel{{}, {}}},
	} {
		data, err := Render(f, "svg")
		assert.ErrorContains(t, err, want)
		assert.Nil(t, data)
	}
	for _, format := range []string{"gif", ""} {
		_, err := Render(sampleSweep(), format)
		assert.ErrorContains(t, err, fmt.Sprintf("unknown format %q (have svg, png)", format))
	}
}
