package figures

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSameInputSameBytes(t *testing.T) {
	again := samples()
	for name, f := range samples() {
		formats := []string{"svg", "png"}
		if strings.HasPrefix(name, "crossover") && name != "crossover1" {
			formats = formats[:1] // a PNG takes its time
		}
		for _, format := range formats {
			a, err := Render(f, format)
			require.NoError(t, err)
			b, err := Render(again[name], format)
			require.NoError(t, err)
			require.True(t, bytes.Equal(a, b), "%s.%s differs from run to run", name, format)
		}
	}
}

func TestRenderLeavesItsInputAlone(t *testing.T) {
	f := sampleCrossover(64)
	six := f.Panels[0].Series[2].Points
	six[0].Lo = math.NaN()
	six[3], six[4] = six[4], six[3]
	before := fmt.Sprintf("%v", f)
	plan, err := f.plan()
	require.NoError(t, err)
	require.Equal(t, omitted{bars: 1}, plan.omitted)
	_, err = plan.render("svg")
	require.NoError(t, err)
	require.Equal(t, before, fmt.Sprintf("%v", f))
}

func TestSVGIsWellFormedAndNamesItsFonts(t *testing.T) {
	f := sampleStart()
	f.Title, f.Command = "a < b & \x00 \"c\"", "bench plot --title '<x>'"
	f.Series[0].Name = "<&>"
	data, err := Render(f, "svg")
	require.NoError(t, err)
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
	svg := string(data)
	require.Contains(t, svg, "font-family:'Liberation Sans',Arial,sans-serif")
	require.Equal(t, 1, strings.Count(svg, "font-family"))
	require.NotContains(t, svg, "@font-face")
	require.Contains(t, svg, `style="fill:#FFFFFF"`, "the background is explicit")
	require.Contains(t, svg, "<desc>bench plot --title &#39;&lt;x&gt;&#39;</desc>")
}

func TestPNGIsADrawingOnWhite(t *testing.T) {
	for name, f := range samples() {
		data, err := Render(f, "png")
		require.NoError(t, err)
		decoded, err := png.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		require.Equal(t, 1600, decoded.Bounds().Dx())
		require.True(t, decoded.(interface{ Opaque() bool }).Opaque())
		dark := 0
		w, h := decoded.Bounds().Dx(), decoded.Bounds().Dy()
		for y := range h {
			for x := range w {
				if r, g, b, _ := decoded.At(x, y).RGBA(); r&g&b != 0xffff {
					dark++
					if x == 0 || x == w-1 || y == 0 || y == h-1 {
						t.Fatalf("%s: something is cut at %d, %d", name, x, y)
					}
				}
			}
		}
		require.Greater(t, dark, w*h/100, "%s is blank", name)
	}
}

var badValues = []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, math.MaxFloat64}

func TestUndrawableValuesAreDroppedAndCounted(t *testing.T) {
	f := XY{X: logCount, Y: Axis{Log: true}, Slopes: true, Series: []Series{{Style: "tree", Kind: Both, Points: []Point{{X: 1, Y: 1}}}}}
	for _, v := range badValues {
		f.Series[0].Points = append(f.Series[0].Points, Point{X: 10, Y: v}, Point{X: v, Y: 10})
		if v != 0 {
			f.Series[0].Points = append(f.Series[0].Points, Point{X: 10, Y: 10, Lo: v, Hi: 20}, Point{X: 10, Y: 10, Lo: 5, Hi: v})
		}
	}
	plan, err := f.plan()
	require.NoError(t, err)
	require.Equal(t, omitted{points: 2 * len(badValues), bars: 2 * (len(badValues) - 1)}, plan.omitted)
	data, err := plan.render("svg")
	require.NoError(t, err)
	require.Contains(t, string(data), "Left out: 14 points")
	require.Contains(t, string(data), "Left out: 12 interval bars")
}

func TestNothingToDrawIsAnError(t *testing.T) {
	log := func(s ...Series) XY { return XY{X: logCount, Y: logCount, Series: s} }
	empty := map[string]Figure{
		"no figure":       nil,
		"no series":       XY{},
		"no points":       log(Series{Style: "tree"}),
		"empty panels":    XY{Panels: []Panel{{Title: "M = 64"}, {}}},
		"no cells":        WinnerMap{},
		"cells of no T":   WinnerMap{Rows: []string{"64"}, Cells: [][]Cell{{}}},
		"no cell is full": WinnerMap{T: []float64{1}, Rows: []string{"64"}, Cells: [][]Cell{{{}}}},
	}
	for _, v := range badValues {
		s := Series{Style: "tree", Kind: Both, Points: []Point{{X: 10, Y: v}, {X: 20, Y: v}}}
		empty[fmt.Sprint("series of ", v)] = log(s)
		empty[fmt.Sprint("panel of ", v)] = XY{X: logCount, Y: logCount, Panels: []Panel{{Series: []Series{s}}}}
	}
	for name, f := range empty {
		data, err := Render(f, "svg")
		require.ErrorIs(t, err, ErrEmpty, name)
		require.Nil(t, data)
	}
}

func TestBadShapesAreErrors(t *testing.T) {
	change := func(f func(*WinnerMap)) WinnerMap {
		m := sampleMap()
		f(&m)
		return m
	}
	for name, f := range map[string]Figure{
		"a row too few":      change(func(m *WinnerMap) { m.Cells = m.Cells[1:] }),
		"a cell too few":     change(func(m *WinnerMap) { m.Cells[2] = m.Cells[2][1:] }),
		"a T* too few":       change(func(m *WinnerMap) { m.Bound = m.Bound[1:] }),
		"T descends":         change(func(m *WinnerMap) { m.T = []float64{64, 16} }),
		"T is not a number":  change(func(m *WinnerMap) { m.T = []float64{math.NaN()} }),
		"a label too few":    change(func(m *WinnerMap) { m.Rows = []string{"M = 64"} }),
		"no such winner":     change(func(m *WinnerMap) { m.Cells[0][0].Winner = 9 }),
		"slopes on linear":   XY{Series: sampleStart().Series, Slopes: true},
		"series and panels":  XY{Series: sampleStart().Series, Panels: []Panel{{}}},
		"a negative outcome": change(func(m *WinnerMap) { m.Cells[0][0].Winner = -1 }),
	} {
		_, err := Render(f, "svg")
		require.ErrorIs(t, err, ErrShape, name)
	}
}

// oddFigures are valid, and each once broke a plot or could.
func oddFigures() map[string]Figure {
	log := func(points ...Point) XY {
		return XY{X: logCount, Y: Axis{Log: true}, Slopes: true, Series: []Series{{Style: "hashunsorted", Kind: Both, Points: points}}}
	}
	panels := func(panels ...Panel) XY { return XY{X: logCount, Y: Axis{Log: true}, Panels: panels} }
	six := func(points ...Point) []Series {
		return []Series{{Style: "hashunsorted", Kind: Measured, Points: points}}
	}
	long := strings.Repeat("Überlänge ", 60) + strings.Repeat("x", 300)
	words := log(Point{X: 1, Y: 1})
	words.Frame, words.XLabel, words.YLabel, words.Series[0].Name = Frame{Title: long, Caption: []string{long}}, long, long, long
	many := log()
	for i := range 40 {
		many.Series = append(many.Series, Series{Style: fmt.Sprintf("scheme%d", i), Kind: Both, Points: []Point{{X: 10, Y: 10}, {X: 1000, Y: 11}}})
	}
	wild := append(six(Point{X: 9, Y: 9}, Point{X: 99, Y: 10}), Series{Style: "hashunsorted", Points: []Point{{X: 1e-9, Y: 1e-9}, {X: 1e9, Y: 1e9}}})
	wide := WinnerMap{Bound: []float64{math.NaN(), 5}, Model: []float64{math.Inf(1), -1}, Rows: []string{"1", "1M"}, Cells: make([][]Cell, 2)}
	for i := range 60 {
		wide.T = append(wide.T, math.Pow(1.5, float64(i)))
		wide.Cells[0] = append(wide.Cells[0], Cell{Six, 1.5})
		wide.Cells[1] = append(wide.Cells[1], Cell{Tie, math.NaN()})
	}
	return map[string]Figure{
		"one point at 1":    log(Point{X: 1, Y: 1}),
		"one point":         log(Point{X: 300, Y: 42, Lo: 42, Hi: 42}),
		"all equal":         log(Point{X: 10, Y: 7}, Point{X: 20, Y: 7}),
		"the ends":          log(Point{X: 1e-30, Y: 1e30}, Point{X: 1e30, Y: 1e-30}),
		"same x":            log(Point{X: 5, Y: 7}, Point{X: 5, Y: 8000}),
		"long words":        words,
		"many curves":       many,
		"a hole":            panels(samplePanel(64), Panel{Title: long}, Panel{Series: six(Point{X: 9, Y: 9})}, Panel{}, Panel{}),
		"seven panels":      sampleCrossover(16, 32, 64, 128, 256, 512, 1024),
		"no models":         panels(Panel{Title: "M = 64", Series: samplePanel(64).Series[2:]}),
		"only a model":      panels(Panel{Series: []Series{{Points: []Point{{X: 1, Y: 1}}}}}),
		"wild model":        panels(Panel{Series: wild}),
		"one cell":          WinnerMap{T: []float64{3}, Rows: []string{"4"}, Cells: [][]Cell{{{Seven, 123456}}}, Bound: []float64{1}, Model: []float64{1}},
		"narrow cells":      wide,
		"labelled rows":     WinnerMap{T: []float64{3}, Rows: []string{"M = 16384, m = 2", "M = 16384, m = 4"}, Cells: [][]Cell{{{Six, 2}}, {{Seven, 3}}}},
		"pointer to figure": &many,
	}
}

func TestOddFigures(t *testing.T) {
	for name, f := range oddFigures() {
		data, err := Render(f, "svg")
		require.NoError(t, err, name)
		require.NotContains(t, string(data), "NaN", name)
		require.NotContains(t, string(data), "Inf", name)
		if *saveTo != "" {
			err := Save(filepath.Join(*saveTo, "odd-"+strings.ReplaceAll(name, " ", "-")+".png"), f)
			require.NoError(t, err)
		}
	}
}

type panicking struct{}

func (panicking) plan() (plan, error) { panic("as the library does") }

func TestAPanicIsAnError(t *testing.T) {
	_, err := Render(panicking{}, "svg")
	require.ErrorContains(t, err, "as the library does")
	_, err = Render((*XY)(nil), "svg")
	require.Error(t, err)
}

func TestSaveIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.svg")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))

	err := Save(path, XY{})
	require.ErrorIs(t, err, ErrEmpty)
	require.ErrorContains(t, err, path)
	err = Save(filepath.Join(dir, "a.gif"), sampleStart())
	require.ErrorIs(t, err, ErrFormat)
	err = Save(filepath.Join(dir, "a"), sampleStart())
	require.ErrorIs(t, err, ErrFormat)
	err = Save(filepath.Join(dir, "none", "a.svg"), sampleStart())
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "d.svg"), 0o755))
	err = Save(filepath.Join(dir, "d.svg"), sampleStart())
	require.Error(t, err, "a folder is in the way")

	old, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "old", string(old))
	require.Equal(t, []string{"a.svg", "d.svg"}, names(t, dir), "nothing else is left behind")

	err = Save(path, sampleStart())
	require.NoError(t, err)
	want, err := Render(sampleStart(), "SVG")
	require.NoError(t, err)
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, []string{"a.svg", "d.svg"}, names(t, dir))
}

func names(t *testing.T, dir string) []string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
