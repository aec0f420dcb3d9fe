package figures

import (
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

func TestStylesTellSchemesApart(t *testing.T) {
	for i, a := range styles {
		for _, b := range styles[:i] {
			require.NotEqual(t, a.color, b.color, "%s and %s", a.name, b.name)
			require.NotEqual(t, a.dash, b.dash, "%s and %s look alike in grey", a.name, b.name)
			require.NotEqual(t, a.marker, b.marker, "%s and %s look alike in grey", a.name, b.name)
		}
	}
	variant, base := styleOf("ordered-rear"), styleOf("ordered")
	require.Equal(t, base.color, variant.color)
	require.NotEqual(t, base.marker, variant.marker)
	require.NotEqual(t, base.dash, variant.dash)
	require.Equal(t, "2 ordered-rear", variant.label())
	require.Equal(t, "eighth", styleOf("eighth").label())
	require.Equal(t, 7, styles[7].number)
}

func TestSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 1 + r.IntN(12)
		want, size := make([]vg.Length, n), make([]vg.Length, n)
		for i := range n {
			want[i] = vg.Length(r.Float64()*160 - 30)
			size[i] = vg.Length(1 + r.Float64()*7)
		}
		checkSpread(t, want, size, spread(want, size, 0, 100))
	}
	require.Empty(t, spread(nil, nil, 0, 1))
}

// checkSpread requires that the intervals keep their order within 0 and 100 without overlap, and
// that those with room stay where they were wanted.
func checkSpread(t *testing.T, want, size, got []vg.Length) {
	order := make([]int, len(want))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return want[order[a]] < want[order[b]] })
	end, free := vg.Length(0), true
	for k, i := range order {
		require.GreaterOrEqual(t, float64(got[i]-size[i]/2), float64(end)-1e-9, "overlap or out of order")
		end = got[i] + size[i]/2
		free = free && want[i]-size[i]/2 >= 0 && want[i]+size[i]/2 <= 100 &&
			(k == 0 || want[i]-size[i]/2 >= want[order[k-1]]+size[order[k-1]]/2)
	}
	require.LessOrEqual(t, float64(end), 100+1e-9)
	for i := range want {
		require.True(t, !free || math.Abs(float64(got[i]-want[i])) < 1e-9, "moved without need")
	}
}

func TestSpreadShrinksWhatDoesNotFit(t *testing.T) {
	got := spread([]vg.Length{5, 5, 5, 5}, []vg.Length{10, 10, 10, 10}, 0, 20)
	require.Equal(t, []vg.Length{2.5, 7.5, 12.5, 17.5}, got)
}

func TestLabels(t *testing.T) {
	for want, got := range map[string]string{
		"10": Count.Label(10), "1k": Count.Label(1000), "999": Count.Label(999.4),
		"1.02k": Count.Label(1024), "10M": Count.Label(1e7), "2G": Count.Label(2e9), "0.5": Count.Label(0.5),
		"50 ns": Nanoseconds.Label(50), "1 µs": Nanoseconds.Label(999.9), "20 ms": Nanoseconds.Label(2e7),
		"1 s": Nanoseconds.Label(1e9), "100 ps": Nanoseconds.Label(0.1), "32 B": Bytes.Label(32), "1.5 kB": Bytes.Label(1500),
		"4096": Exact(4096), "16384": Exact(16384), "10k": Exact(1e4), "1.05M": Exact(1 << 20), "300k": Exact(3e5), "17.1": Exact(17.0859375),
		"1.32×": ratioText(1.316), "13.2×": ratioText(13.16), "132×": ratioText(131.6), "1.32k×": ratioText(1316), "10.0×": ratioText(9.996),
	} {
		require.Equal(t, want, got)
	}
	require.Equal(t, "1k", Count.Label(999.9))
}

func TestBoundsHoldTheDataAndADecade(t *testing.T) {
	for _, s := range []span{{1, 1}, {7, 7}, {0.2, 0.2}, {9.99, 10.01}, {1e-30, 1e30}, {3, 4e6}, {1e30, 1e30}, {1e-30, 1e-30}} {
		b := bounds(s)
		require.LessOrEqual(t, b.lo, s.lo)
		require.GreaterOrEqual(t, b.hi, s.hi)
		require.GreaterOrEqual(t, b.hi/b.lo, 10*(1-1e-9))
		labels := 0
		for _, tick := range logTicks(b, 10, Count.Label) {
			if tick.Label != "" {
				labels++
			}
		}
		require.Positive(t, labels, "%v has no labelled tick", s)
		require.LessOrEqual(t, labels, 11, "%v", s)
	}
}

// areaPlotter remembers the data area that it was given.
type areaPlotter struct{ got vg.Rectangle }

func (a *areaPlotter) Plot(c draw.Canvas, _ *plot.Plot) { a.got = c.Rectangle }

func TestDrawAtHitsTheArea(t *testing.T) {
	want := rect(50, 40, 500, 300)
	p := logPlot(span{8, 1.1e7}, span{1, 5e4}, logTicks(span{8, 1.1e7}, 12, Count.Label), logTicks(span{1, 5e4}, 10, Nanoseconds.Label))
	labelX(p, "n", want)
	var a areaPlotter
	p.Add(&a)
	drawAt(p, draw.New(vgsvg.New(600, 400)), want)
	for _, d := range []vg.Length{a.got.Min.X - want.Min.X, a.got.Min.Y - want.Min.Y, a.got.Max.X - want.Max.X, a.got.Max.Y - want.Max.Y} {
		require.InDelta(t, 0, float64(d), 0.01)
	}
}

func TestWrap(t *testing.T) {
	s := lettering(10, ink)
	text := "the quick brown fox\njumps  over " + strings.Repeat("é", 80)
	for _, lines := range [][]string{wrap(s, text, 100), balanced(s, text, 100)} {
		joined := strings.Join(lines, "")
		require.Equal(t, strings.Join(strings.Fields(text), ""), strings.ReplaceAll(joined, " ", ""))
		for _, line := range lines {
			require.LessOrEqual(t, float64(s.Width(line)), 100.0)
		}
	}
	require.Empty(t, wrap(s, " \n ", 100))
	require.Equal(t, []string{"é", "é"}, wrap(s, "éé", 1), "a rune wider than the line stays whole")
	require.Equal(t, "the quick", shortened(s, "the quick", 100))
	cut := shortened(s, text, 60)
	require.True(t, strings.HasSuffix(cut, "…") && s.Width(cut) <= 60, cut)
}

func TestFrontierSeparatesWhatTheRuleSays(t *testing.T) {
	values := []float64{16, 64, 256}
	require.Equal(t, 0, column(values, 5))
	require.Equal(t, 0, column(values, 16), "at T* itself the rule no longer names 6")
	require.Equal(t, 1, column(values, 17))
	require.Equal(t, 3, column(values, math.Inf(1)))
	require.Equal(t, -1, column(values, math.NaN()))
	require.Equal(t, -1, column(values, 0))

	steps := rule{tStar: []float64{17, 100, math.NaN(), 1e9}}.steps(values)
	require.Equal(t, [][]vg.Point{
		{{X: 1, Y: 0}, {X: 1, Y: 1}, {X: 2, Y: 1}, {X: 2, Y: 2}},
		{{X: 3, Y: 3}, {X: 3, Y: 4}},
	}, steps)
}

func TestMergePathsKeepsOthersApart(t *testing.T) {
	in := "<path d=\"M0,0L1,1\" style=\"fill:none;a\" />\n<path d=\"M2,2L3,3\" style=\"fill:none;a\" />\n" +
		"<text/>\n<path d=\"M4,4\" style=\"fill:none;a\" />\n<path d=\"M5,5\" style=\"fill:none;b\" />\n<path d=\"M6,6\" style=\"fill:#F\" />\n"
	want := "<path d=\"M0,0L1,1M2,2L3,3\" style=\"fill:none;a\" />\n" +
		"<text/>\n<path d=\"M4,4\" style=\"fill:none;a\" />\n<path d=\"M5,5\" style=\"fill:none;b\" />\n<path d=\"M6,6\" style=\"fill:#F\" />\n"
	require.Equal(t, want, string(mergePaths([]byte(in))))
}

func TestFontHasWhatTheDocPromises(t *testing.T) {
	s := lettering(10, ink)
	face := s.Handler.Cache().Lookup(s.Font, 10).Face
	has := func(r rune) bool {
		i, err := face.GlyphIndex(nil, r)
		return err == nil && i != 0
	}
	for _, r := range "µ×·–…≤≥≈←→“”αβγλμσΩ¹²³" {
		require.True(t, has(r), "%c", r)
	}
	require.False(t, has('⁹'))
}
