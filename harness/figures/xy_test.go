package figures

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

var (
	logCount    = Axis{Log: true, Unit: Count}
	linearCount = Axis{Unit: Count}
)

// xyOf has one line of each kind through the same points.
func xyOf(x, y Axis, points ...Point) XY {
	return XY{X: x, Y: y, Series: []Series{
		{"predicted", "tree", Predicted, points}, {"counted", "tree", Measured, points}, {"both", "", Both, points},
	}}
}

func renderXY(t *testing.T, f XY) (svg string, d omitted) {
	plan, err := f.plan()
	require.NoError(t, err)
	data, err := plan.render("svg")
	require.NoError(t, err)
	require.NotContains(t, string(data), "NaN")
	require.NotContains(t, string(data), "Inf")
	return string(data), plan.omitted
}

func TestALogAxisDropsWhatItCannotShow(t *testing.T) {
	points := []Point{{X: 1, Y: 1}, {X: 10, Y: 10, Lo: 0, Hi: 20}}
	for _, v := range badValues {
		points = append(points, Point{X: 10, Y: v}, Point{X: v, Y: 10})
	}
	svg, d := renderXY(t, xyOf(logCount, logCount, points...))
	require.Equal(t, omitted{points: 3 * 2 * len(badValues), bars: 2}, d, "a prediction has no bar to lose")
	require.Contains(t, svg, "Left out: 42 points with a value that is zero, negative or not finite")
	require.Contains(t, svg, "Left out: 2 interval bars")
}

func TestALinearAxisKeepsZero(t *testing.T) {
	svg, d := renderXY(t, xyOf(linearCount, linearCount, Point{}, Point{X: 1, Y: -1, Lo: -2, Hi: 0}, Point{X: 2, Y: 3}))
	require.Zero(t, d)
	require.NotContains(t, svg, "Left out")
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64} {
		svg, d := renderXY(t, xyOf(linearCount, linearCount, Point{X: 1, Y: 1}, Point{X: 1, Y: v}, Point{X: v, Y: 1}, Point{X: 1, Y: 1, Lo: 1, Hi: v}))
		require.Equal(t, omitted{points: 6, bars: 2}, d)
		require.Contains(t, svg, "Left out: 6 points with a value that is not finite.")
		require.NotContains(t, svg, "logarithmic")
	}
}

func TestSeriesWithoutAPointAreAnError(t *testing.T) {
	zeros := []Series{{Name: "visits of 6", Points: []Point{{X: 1, Y: 0}}}, {Name: "visits of 7"}}
	for _, f := range []XY{
		{}, {X: Axis{Names: sampleDists}}, {Series: []Series{{}}},
		{Y: logCount, Series: zeros},
	} {
		data, err := Render(f, "svg")
		require.ErrorIs(t, err, ErrEmpty)
		require.Nil(t, data)
	}
	_, err := Render(XY{Frame: Frame{Title: "the title"}, Y: logCount, Series: zeros}, "svg")
	for _, word := range []string{"the title", "visits of 6, visits of 7", "1 point left out"} {
		require.ErrorContains(t, err, word)
	}
}

func TestALineWithoutAPointIsNamed(t *testing.T) {
	f := sampleVisits()
	f.Series = append(f.Series, Series{Name: "scheme 9", Points: []Point{{X: 0, Y: 1}}}, Series{})
	svg, _ := renderXY(t, f)
	require.Contains(t, svg, "Without a point to draw: scheme 9, one without a name.")
	require.Len(t, f.Caption, 1, "the caller's caption is left alone")
}

func TestBadXYsAreErrors(t *testing.T) {
	change := func(f func(*XY)) XY {
		l := sampleVisits()
		f(&l)
		return l
	}
	at := func(x float64) []Series { return []Series{{Points: []Point{{X: x, Y: 1}}}} }
	bad := map[string]XY{
		"no such kind":        change(func(f *XY) { f.Series[1].Kind = 3 }),
		"a negative kind":     change(func(f *XY) { f.Series[1].Kind = -1 }),
		"no such unit":        change(func(f *XY) { f.X.Unit = 9 }),
		"categories upwards":  change(func(f *XY) { f.Y = Axis{Names: sampleDists} }),
		"a log of categories": {X: Axis{Log: true, Names: sampleDists}, Series: at(1)},
	}
	for _, v := range []float64{-1, 6, 0.5, math.NaN(), math.Inf(1)} {
		bad[fmt.Sprint("category ", v)] = XY{X: Axis{Names: sampleDists}, Series: at(v)}
	}
	for name, f := range bad {
		_, err := Render(f, "svg")
		require.ErrorIs(t, err, ErrShape, name)
	}
}

// oddXYs are valid, and each could break a plot.
func oddXYs() map[string]XY {
	all := map[string]XY{}
	sets := map[string][]Point{
		"one point":       {{X: 300, Y: 42, Lo: 42, Hi: 42}},
		"one point at 1":  {{X: 1, Y: 1}},
		"all equal":       {{X: 7, Y: 7}, {X: 7, Y: 7}},
		"same x":          {{X: 5, Y: 7}, {X: 5, Y: 8000}},
		"the ends":        {{X: 1e-30, Y: 1e30}, {X: 1e30, Y: 1e-30}},
		"close":           {{X: 4096, Y: 1}, {X: 4097, Y: 1.0001}},
		"shares":          {{X: 1e-7, Y: 1e-5}, {X: 2e-7, Y: 3e-5}},
		"with categories": {{X: 0, Y: 3}, {X: 5, Y: 400, Lo: 300, Hi: 1e5}, {X: 5, Y: 1}},
	}
	for name, points := range sets {
		all[name+" log"] = xyOf(logCount, logCount, points...)
		all[name+" linear"] = xyOf(linearCount, linearCount, points...)
		all[name+" mixed"] = xyOf(linearCount, logCount, points...)
	}
	names := append([]string{"", strings.Repeat("long ", 20)}, sampleDists[2:]...)
	all["categories"] = xyOf(Axis{Names: names}, logCount, sets["with categories"]...)
	all["one category"] = xyOf(Axis{Names: names[:1]}, linearCount, Point{Y: 5})
	all["zeros"] = xyOf(linearCount, linearCount, Point{}, Point{})
	all["below zero"] = xyOf(linearCount, linearCount, Point{X: -3, Y: -4000, Lo: -5000, Hi: -1}, Point{X: -1, Y: -4000})
	many := XY{X: Axis{}, Y: Axis{}, YLabel: strings.Repeat("long ", 60)}
	for i := range 30 {
		many.Series = append(many.Series, Series{fmt.Sprint("line ", i), "", Kind(i % 3), []Point{{X: 1, Y: float64(i)}, {X: 2, Y: 30}}})
	}
	all["many"] = many
	many.Series = slices.Clone(many.Series[:3])
	many.Series[1].Name = strings.Repeat("a long name ", 8)
	all["long names"] = many
	many.Series[2].Name = strings.Repeat("a long name ", 80)
	all["longer names"] = many
	many.X.Names = make([]string, 40)
	all["forty categories"] = many
	return all
}

func TestOddXYs(t *testing.T) {
	for name, f := range oddXYs() {
		svg, _ := renderXY(t, f)
		require.Contains(t, svg, "</svg>", name)
		if *saveTo != "" {
			err := Save(filepath.Join(*saveTo, "odd-xy-"+strings.ReplaceAll(name, " ", "-")+".png"), f)
			require.NoError(t, err)
		}
	}
}

func TestStyleFixesTheLook(t *testing.T) {
	series := []Series{{Name: "a", Kind: Both}, {Style: "ordered-rear", Kind: Both}, {Style: "hashsorted", Kind: Measured}, {Style: "eighth"},
		{Style: "hashsorted"}, {Style: "eighth", Kind: Measured}, {Name: "b", Kind: Both}}
	got := stylesOf(series)
	require.Equal(t, styleOf("hashsorted"), got[2], "a scheme looks as it does everywhere, whatever stands before it")
	require.Equal(t, styleOf("hashsorted"), got[4])
	require.Equal(t, styleOf("ordered").color, got[1].color)
	for i, s := range got {
		for j := range i {
			require.Equal(t, series[i].styleName() == series[j].styleName(), s.color == got[j].color, "%d and %d", i, j)
		}
	}
	require.Equal(t, got, stylesOf(series))
	slices.Reverse(series)
	require.Equal(t, styleOf("hashsorted"), stylesOf(series)[2])
}

func TestSeriesDifferInGrey(t *testing.T) {
	var lines []Series
	for _, like := range []string{"tree", "tree-bst", "tree-4ary", "ordered-rear", "hashsorted", "tree", "", ""} {
		lines = append(lines, Series{Style: like, Kind: Both})
	}
	all := stylesOf(lines)
	for i, a := range all {
		for _, b := range all[:i] {
			require.NotEqual(t, a.dash, b.dash)
			require.NotEqual(t, a.marker, b.marker)
		}
	}
	require.Equal(t, styleOf("tree"), all[0])
	require.Equal(t, all[0].color, all[5].color)
}

func TestOtherLooksAreNoSchemes(t *testing.T) {
	for _, s := range styles {
		for _, other := range others {
			require.NotEqual(t, s.color, other.color)
			require.NotEqual(t, s.dash, other.dash)
			require.NotEqual(t, s.marker, other.marker)
		}
	}
	require.NotEqual(t, styleOf("ordered").color, styleOf("eighth").color)
	require.Equal(t, styleOf("eighth"), stylesOf([]Series{{Style: "tree"}, {Style: "eighth"}})[1], "the same look in every figure")
}

func TestAPredictionAndItsCountsShareAnEntry(t *testing.T) {
	f := sampleVisits()
	entries := entriesOf(f.Series, stylesOf(f.Series))
	require.Len(t, entries, 4)
	require.Equal(t, "1 unordered", entries[0].text)
	require.Equal(t, styleOf("unordered").line(), entries[0].line)
	require.Equal(t, styleOf("unordered").marker, entries[0].marker.marker)
	for i := range f.Series {
		f.Series[i].Style = fmt.Sprint(i)
	}
	require.Len(t, entriesOf(f.Series, stylesOf(f.Series)), 8, "two looks need two entries")
	require.Equal(t, "7 hierarchical", Series{Style: "hierarchical"}.label())
}

// TestColumnsKeepMarkersApart draws all at one height, where only the places part them.
func TestColumnsKeepMarkersApart(t *testing.T) {
	l := layout{XY: sampleSpreads()}
	l.clean(&omitted{})
	l.arrange()
	p := l.plane(rect(0, 0, l.plotWidth, 100))
	for i, a := range l.plots[0].Series {
		for _, b := range l.plots[0].Series[:i] {
			apart := math.Abs(float64(p.x(a.Points[0].X) - p.x(b.Points[0].X)))
			if a.Style == b.Style {
				require.Zero(t, apart, "a prediction stands where its counts do")
			} else {
				require.Greater(t, apart, float64(2*1.3*markerRadius))
			}
		}
		require.Less(t, math.Abs(a.Points[0].X), 0.45, "in its column")
	}
}

func labels(ticks []plot.Tick) []string {
	var all []string
	for _, t := range ticks {
		if t.Label != "" {
			all = append(all, t.Label)
		}
	}
	return all
}

func TestAxisLabels(t *testing.T) {
	room := func(string) vg.Length { return 22 }
	for _, c := range []struct {
		axis Axis
		span span
		want string
	}{
		{linearCount, span{0, 3e6}, "0 1M 2M 3M"},
		{linearCount, span{0, 1500}, "0 500 1k 1.5k"},
		{linearCount, span{-1000, 2000}, minus + "1k 0 1k 2k"},
		{linearCount, span{0, 2e-5}, "0 0.000005 0.00001 0.000015 0.00002"},
		{Axis{}, span{0, 4000}, "0 1 µs 2 µs 3 µs 4 µs"},
		{Axis{Unit: Bytes}, span{0, 20}, "0 B 5 B 10 B 15 B 20 B"},
		{logCount, span{1, 10}, "1 2 5 10"},
		{logCount, span{0.2, 50}, "0.2 1 10 50"},
		{logCount, span{1, 1e6}, "1 100 10k 1M"},
	} {
		ticks := c.axis.ticks(c.span, c.axis.place(c.span, 0, 100), room)
		require.Equal(t, strings.Replace(c.want, "0 B ", "0 ", 1), strings.Join(labels(ticks), " "), "%v", c.span)
	}
	face := label.style()
	glyph, err := face.Handler.Cache().Lookup(face.Font, 10).Face.GlyphIndex(nil, []rune(minus)[0])
	require.NoError(t, err)
	require.NotZero(t, glyph)
}

func TestTicksHaveRoom(t *testing.T) {
	room := func(txt string) vg.Length { return label.width(txt) + 6 }
	for _, a := range []Axis{linearCount, logCount, {}, {Log: true}} {
		for _, s := range []span{{1e-7, 2e-6}, {1, 10}, {1, 1e7}, {0.001, 1e12}, {1, 99}} {
			for _, width := range []vg.Length{30, 150, 330, 520} {
				ticks := a.ticks(s, a.place(s, 0, width), room)
				require.NotEmpty(t, labels(ticks))
				require.True(t, apart(ticks, a.place(s, 0, width), room), "%v", labels(ticks))
			}
		}
	}
}

func TestFewSettingsAreLabelled(t *testing.T) {
	require.Equal(t, []string{"1", "2", "4", "8", "64", "4096"}, labels(logCount.settings([]float64{1, 2, 4, 8, 64, 4096, 1})))
	require.Empty(t, logCount.settings([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9}))
	require.Empty(t, linearCount.settings([]float64{1, 2}))
}

func TestLinearRangesHoldTheirData(t *testing.T) {
	for i := range 3000 {
		hi := 1e-3 * float64(i+1) * math.Pow10(i%7)
		s := linearCount.upRange(span{-hi / 3, hi})
		require.True(t, s.lo <= -hi/3 && s.hi >= hi, "%v for %g", s, hi)
	}
	require.Equal(t, 1e30, linearCount.upRange(span{1e30, 1e30}).hi)
}

func TestLinearRangesBeginAtZero(t *testing.T) {
	for _, c := range []struct{ data, want span }{
		{span{3, 9}, span{0, 9}}, {span{0, 0}, span{0, 1}}, {span{7, 7}, span{0, 7}}, {span{-3, -2}, span{-3, 0}},
		{span{-3, 12}, span{-4, 12}}, {span{0, 1e-300}, span{0, 1}}, {span{0.1, 0.93}, span{0, 1}},
	} {
		got := linearCount.upRange(c.data)
		require.InDelta(t, c.want.lo, got.lo, 1e-9, "%v", c.data)
		require.InDelta(t, c.want.hi, got.hi, 1e-9, "%v", c.data)
		across := linearCount.acrossRange(c.data)
		require.LessOrEqual(t, across.lo, min(0, c.data.lo))
		require.GreaterOrEqual(t, across.hi, c.data.hi)
	}
}

// TestAFlatLineAlongTheEdgeIsDrawn: rounding must not take a line at the axis's end for one outside.
func TestAFlatLineAlongTheEdgeIsDrawn(t *testing.T) {
	for _, y := range []float64{0.1, 0.7, 1} {
		flat := Series{Points: []Point{{X: 0, Y: y}, {X: 3, Y: y}}}
		l := layout{XY: XY{Series: []Series{flat}}}
		l.clean(&omitted{})
		l.arrange()
		p := l.plane(rect(10, 10, 417, 311))
		require.Len(t, l.trace(flat, p), 1)
	}
}
