package figures

import (
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
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
	require.Equal(t, 2, styleOf("ordered-rear").number)
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
		for _, tick := range logCount.logTicks(b, 2) {
			if tick.Label != "" {
				labels++
			}
		}
		require.Positive(t, labels, "%v has no labelled tick", s)

	}
}

func TestWrap(t *testing.T) {
	s := lettering{size: 10}
	text := "the quick brown fox\njumps  over " + strings.Repeat("é", 80)
	for _, lines := range [][]string{s.wrap(text, 100), s.balanced(text, 100)} {
		joined := strings.Join(lines, "")
		require.Equal(t, strings.Join(strings.Fields(text), ""), strings.ReplaceAll(joined, " ", ""))
		for _, line := range lines {
			require.LessOrEqual(t, float64(s.width(line)), 100.0)
		}
	}
	require.Empty(t, s.wrap(" \n ", 100))
	require.Equal(t, []string{"é", "é"}, s.wrap("éé", 1), "a rune wider than the line stays whole")
	require.Equal(t, "the quick", s.shortened("the quick", 100))
	cut := s.shortened(text, 60)
	require.True(t, strings.HasSuffix(cut, "…") && s.width(cut) <= 60, cut)
}

func TestFrontierSeparatesWhatTheRuleSays(t *testing.T) {
	values := []float64{16, 64, 256}
	require.Equal(t, 0, column(values, 5))
	require.Equal(t, 0, column(values, 16), "at T* itself the rule no longer names 6")
	require.Equal(t, 1, column(values, 17))
	require.Equal(t, 3, column(values, math.Inf(1)))
	require.Equal(t, -1, column(values, math.NaN()))
	require.Equal(t, -1, column(values, 0))

	steps := WinnerMap{T: values}.frontier([]float64{17, 100, math.NaN(), 1e9})
	require.Equal(t, [][]vg.Point{
		{{X: 1, Y: 0}, {X: 1, Y: 1}, {X: 2, Y: 1}, {X: 2, Y: 2}},
		{{X: 3, Y: 3}, {X: 3, Y: 4}},
	}, steps)
}

func TestFontHasWhatTheDocPromises(t *testing.T) {
	s := label.style()
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
