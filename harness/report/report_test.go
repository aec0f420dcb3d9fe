package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"timerlab/harness/results"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"timerlab/harness/claims"
	"timerlab/harness/figures"
)

// sweep returns a table of three schemes at three n, and a skipped cell.
func sweep(t *testing.T) *results.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	raw, err := results.CreateRaw(path, [][2]string{{"cpu", "a machine"}})
	require.NoError(t, err)
	require.NoError(t, raw.Command("the command"))
	for round := range 6 {
		require.NoError(t, raw.Round(round))
		for i, scheme := range []string{"null", "unordered", "hashunsorted", "hashunsorted-again"} {
			for j, n := range []string{"100", "1k", "10k"} {
				keys := fmt.Sprintf("scheme=%s/n=%s/M=64/T=10/dist=exp/stop=0", scheme, n)
				for _, op := range []string{"Start", "PerTick"} {
					ns := float64(1+i)*math.Pow(10, float64(j)) + float64(round)/100
					require.NoError(t, raw.Result(results.Result{Name: op + "/" + keys, Iters: 1, Values: []benchfmt.Value{{Value: ns, Unit: "ns/op"}}}))
				}
			}
		}
		latency := []benchfmt.Value{{Value: 5000, Unit: "p99-ns"}, {Value: 9000, Unit: "max-ns"}, {Value: 77, Unit: "max-at-tick"}, {Value: 2000, Unit: "limit-ns"}}
		require.NoError(t, raw.Result(results.Result{Name: "PerTickLatency/scheme=unordered/n=1k/M=64/T=10/dist=exp/stop=0", Iters: 1, Values: latency}))
	}
	require.NoError(t, raw.Skip("Operations/scheme=ordered/n=10k/M=64/T=10/dist=exp/stop=0", "predicted to take 9s a run, allowed 1s"))
	require.NoError(t, raw.Close())
	table, err := results.Load(path)
	require.NoError(t, err)
	return table
}

func TestStudy(t *testing.T) {
	page := New(sweep(t))
	all := page.Figures()
	require.Len(t, all, 2, "START and PER_TICK")
	text := page.Markdown("figures", all)
	for _, want := range []string{
		"measured by `the command`", "a machine", "Undecided: ",
		"![start](figures/start.svg)",
		"| unordered    | **2.0 ns", "n = 10000",
		"| unordered | 1k | <2 µs | 5 µs | <2 µs | 9 µs | 77 ",
		"predicted to take 9s a run",
	} {
		assert.Contains(t, flat(text), flat(want))
	}
	assert.NotContains(t, text, "**1.0 ns", "the null scheme is never the best")
}

// flat makes tables comparable whatever the widths of their columns.
func flat(text string) string {
	text = strings.ReplaceAll(text, "n = 10000", "n = 10k")
	return strings.Join(strings.Fields(text), " ")
}

// The title of a curve is what it shows at the largest n that all schemes reach.
func TestFinding(t *testing.T) {
	start := curveFigures(sweep(t), "")[0]
	dir := t.TempDir()
	paths, err := SaveFigures(dir, "svg", []Named{start})
	require.NoError(t, err)
	svg, err := os.ReadFile(paths[0])
	require.NoError(t, err)
	assert.Contains(t, string(svg), "START at n = 10k: unordered takes 200 ns, hashunsorted takes 300 ns, 1.5 times as much")
	assert.Contains(t, string(svg), "Skipped as too slow: ordered at n = 10k.")
	assert.NotContains(t, string(svg), "again", "the A/A pair is no curve")
}

// tableOf loads a file of one line for each benchmark: name, values and units as
// the format has them, in rounds.
func tableOf(t *testing.T, rounds int, lines ...string) *results.Table {
	t.Helper()
	table, err := results.Load(rawOf(t, rounds, lines...))
	require.NoError(t, err)
	return table
}

func rawOf(t *testing.T, rounds int, lines ...string) string {
	t.Helper()
	var b strings.Builder
	for round := range rounds {
		fmt.Fprintf(&b, "# round %d\n", round)
		for _, line := range lines {
			if strings.HasPrefix(line, "Benchmark") || round == 0 {
				b.WriteString(line + "\n")
			}
		}
	}
	path := filepath.Join(t.TempDir(), "raw.txt")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	return path
}

// A cell that was wrong once is an error in every table and a point of no curve,
// whatever time it took.
func TestWrongCellsAreErrors(t *testing.T) {
	keys := func(scheme, n string) string {
		return "scheme=" + scheme + "/n=" + n + "/M=64/T=10/dist=exp/stop=0"
	}
	page := New(tableOf(t, 6,
		"BenchmarkStart/"+keys("tree", "1k")+" 10 20 ns/op", "BenchmarkStart/"+keys("tree", "10k")+" 10 30 ns/op",
		"BenchmarkStart/"+keys("ordered", "1k")+" 10 2 ns/op", "BenchmarkStart/"+keys("ordered", "10k")+" 10 90 ns/op",
		"BenchmarkPerTickLatency/"+keys("tree", "1k")+" 10 5000 p50-ns 2000 limit-ns",
		"# error Operations/"+keys("ordered", "1k")+": outcome", "# error Operations/"+keys("unordered", "10k")+": outcome",
		"# error PerTickLatency/"+keys("tree", "1k")+": outcome"))
	text := flat(page.Markdown("figures", nil))
	for _, want := range []string{
		"| tree | **20.0 ns ±0 %** | **30.0 ns ±0 %** |", "| ordered | ERROR | 90.0 ns ±0 % |", "| unordered | - | ERROR |",
		"| tree | 1k | ERROR | ERROR | ERROR | ERROR | ERROR |",
		"| ERROR | Operations/" + keys("ordered", "1k") + " | outcome |",
	} {
		assert.Contains(t, text, flat(want))
	}
	assert.NotContains(t, text, "2.0 ns")
	assert.Equal(t, 3, page.Wrong())
	for _, s := range page.Figures()[0].Figure.(figures.XY).Series {
		assert.NotContains(t, s.Points, figures.Point{X: 1000, Y: 2, Lo: 2, Hi: 2})
	}
}

// The same slots in two levels and in four are two curves, not one zigzag.
func TestLevelsAreSeriesOfTheirOwn(t *testing.T) {
	table := tableOf(t, 6,
		"BenchmarkStart/scheme=hierarchical/n=1k/M=64/m=32x32/T=10/dist=exp/stop=0 10 20 ns/op",
		"BenchmarkStart/scheme=hierarchical/n=10k/M=64/m=32x32/T=10/dist=exp/stop=0 10 30 ns/op",
		"BenchmarkStart/scheme=hierarchical/n=1k/M=64/m=16x16x16x16/T=10/dist=exp/stop=0 10 40 ns/op",
		"BenchmarkStart/scheme=hierarchical/n=10k/M=64/m=16x16x16x16/T=10/dist=exp/stop=0 10 60 ns/op",
		"BenchmarkStart/scheme=tree/n=1k/M=64/T=10/dist=exp/stop=0 10 50 ns/op",
		"BenchmarkStart/scheme=tree/n=10k/M=64/T=10/dist=exp/stop=0 10 50 ns/op",
		"# skipped Operations/scheme=hierarchical/n=100k/M=64/m=32x32/T=10/dist=exp/stop=0: why")
	curves := curveFigures(table, "")[0].Figure.(figures.XY)
	require.Len(t, curves.Series, 3)
	assert.Equal(t, []string{"", "hierarchical, m = 32x32", "hierarchical, m = 16x16x16x16"},
		[]string{curves.Series[0].Name, curves.Series[1].Name, curves.Series[2].Name})
	for _, s := range curves.Series {
		assert.Len(t, s.Points, 2)
	}
	assert.Equal(t, "START at n = 10k: hierarchical, m = 32x32 takes 30.0 ns, hierarchical, m = 16x16x16x16 takes 60.0 ns, 2 times as much", curves.Title)
	assert.Contains(t, strings.Join(curves.Caption, " "), "hierarchical, m = 32x32 at n = 100k")
	page := flat(New(table).Markdown("figures", nil))
	assert.Contains(t, page, flat("| hierarchical, m = 32x32 | **20.0 ns ±0 %** | **30.0 ns ±0 %** |"))
	assert.Contains(t, page, flat("| hierarchical, m = 16x16x16x16 | 40.0 ns ±0 % | 60.0 ns ±0 % |"))
}

// No figure overwrites another; with one share of stops, names need not tell it.
func TestFiguresHaveNamesOfTheirOwn(t *testing.T) {
	cell := func(stop string) claims.ChoiceCell { return claims.ChoiceCell{Levels: []int{2, 2}, Stop: stop} }
	names := func(cells ...claims.ChoiceCell) []string {
		c := &claims.Choice{Cells: cells}
		for _, cell := range cells {
			c.Crossovers = append(c.Crossovers, claims.Crossing{Levels: cell.Levels, Stop: cell.Stop})
		}
		var names []string
		for _, f := range choiceFigures(c, "") {
			names = append(names, f.Name)
		}
		return names
	}
	cells := []claims.ChoiceCell{cell("0"), cell("0.9@0.05"), cell("0.5@0.5")}
	assert.Equal(t, []string{"six-seven-m2", "winners-m2", "six-seven-m2-stops", "winners-m2-stops"}, names(cells[:2]...))
	assert.Equal(t, []string{"six-seven-m2", "winners-m2", "six-seven-m2-stops-0.9@0.05", "winners-m2-stops-0.9@0.05",
		"six-seven-m2-stops-0.5@0.5", "winners-m2-stops-0.5@0.5"}, names(cells...))
}

// Rows that differ in a key of their names have a column for it.
func TestRowsCanBeToldApart(t *testing.T) {
	var lines []string
	for _, T := range []string{"1k", "10k"} {
		for _, slots := range []string{"64", "256"} {
			keys := "/n=1k/M=" + slots + "%s/T=" + T + "/dist=exp/stop=0"
			for _, line := range []string{"PerTickLatency/scheme=tree%s 10 5000 p50-ns 2000 limit-ns", "Start/scheme=hashunsorted%s 10 20 ns/op"} {
				lines = append(lines, "Benchmark"+fmt.Sprintf(line, fmt.Sprintf(keys, "")))
			}
			lines = append(lines, "BenchmarkStart/scheme=hierarchical"+fmt.Sprintf(keys, "/m=8x8")+" 10 20 ns/op")
		}
	}
	text := flat(New(tableOf(t, 6, lines...)).Markdown("figures", nil))
	for _, want := range []string{
		"| scheme | n | M | T | p50 |", "| tree | 1k | 64 | 10k | 5 µs |", "| tree | 1k | 256 | 1k | 5 µs |",
		"| n | M | levels of 7 | T | START of 6 |", "| 1k | 64 | 8x8 | 10k | 20.0 ns", "| 1k | 256 | 8x8 | 1k | 20.0 ns",
	} {
		assert.Contains(t, text, want)
	}
	assert.Equal(t, "M = 64, T = 10, exp intervals, stop = 0, restart=0.1@0.5, arrivals=poisson",
		shared(results.ParseKey("Start/scheme=a/n=1/M=64/T=10/dist=exp/stop=0/restart=0.1@0.5/arrivals=poisson")).String())
}

// What the clock or the harness has a good part in is marked, and the mark explained.
func TestDoubtfulTimesAreMarked(t *testing.T) {
	keys := func(scheme, n string) string {
		return "scheme=" + scheme + "/n=" + n + "/M=64/T=10/dist=exp/stop=0"
	}
	lines := []string{
		"BenchmarkStart/" + keys("null", "1k") + " 10 5 ns/op", "BenchmarkStart/" + keys("null", "10k") + " 10 5 ns/op",
		"BenchmarkStart/" + keys("tree", "1k") + " 10 20 ns/op 320 short-lap-ns", "BenchmarkStart/" + keys("tree", "10k") + " 10 20 ns/op",
	}
	plain := flat(New(tableOf(t, 6, lines...)).Markdown("figures", nil))
	assert.Contains(t, plain, "| tree | **~20.0 ns ±0 %** | **20.0 ns ±0 %** |")
	assert.Contains(t, plain, "`~`: timed in batches shorter than 100 times")
	assert.NotContains(t, plain, "°")

	lines[3] = "BenchmarkStart/" + keys("tree", "10k") + " 10 9.9 ns/op"
	marked := flat(New(tableOf(t, 6, lines...)).Markdown("figures", nil))
	assert.Contains(t, marked, "| tree | **~20.0 ns ±0 %** | **9.9 ns ±0 % °** |")
	assert.Contains(t, marked, "`°`: less than twice the null scheme's time")
	assert.Contains(t, marked, "| null | 5.0 ns ±0 % | 5.0 ns ±0 % |", "the null scheme is no doubt")
}

// Reasons are those that were recorded, not guessed: what takes too much memory is
// neither too slow nor out of range.
func TestCaptionsGiveTheReasons(t *testing.T) {
	keys := func(scheme string) string { return "scheme=" + scheme + "/n=10k/M=64/T=10/dist=exp/stop=0" }
	table := tableOf(t, 1, "BenchmarkStart/"+keys("tree")+" 10 20 ns/op",
		"# skipped Operations/"+keys("ordered")+": predicted to take 9000 MB, allowed 8192",
		"# skipped Operations/"+keys("hashsorted")+": no timer ends within the run",
		"# error Operations/"+keys("unordered")+": outcome", "# error Operations/"+keys("unordered")+": other outcome")
	assert.Equal(t, []string{"Skipped as too large: ordered at n = 10k.", "Skipped, no timer ends within the run: hashsorted at n = 10k.", "WRONG OUTCOME: unordered at n = 10k."},
		curves[0].caption(table, shared(table.Keys[0]))[1:])
}

// Title and caption leave out no M: one without a crossover is no exception in silence.
func TestTitleTellsOfEveryM(t *testing.T) {
	c := &claims.Choice{Ratio: results.Estimate{Median: 2}, Crossovers: []claims.Crossing{
		{Slots: 256, Levels: []int{2, 2}, Stop: "0", Measured: math.NaN(), Note: "below 64"},
		{Slots: 1024, Levels: []int{2, 2}, Stop: "0", Measured: 512},
		{Slots: 4096, Levels: []int{2, 2}, Stop: "0", Measured: 4096},
	}}
	k := seriesKey{2, "0"}
	assert.Equal(t, "Scheme 6 is cheaper up to T = 0.5 to 1 M at 2 of 3 sizes; the paper's rule says 4 M", crossoverTitle(c, k))
	assert.Equal(t, []string{"T* outside the measured grid: for M = 256 it is below 64 ticks."}, outsideGrid(c, k))
	c.Crossovers = c.Crossovers[1:2]
	assert.Equal(t, "Scheme 6 is cheaper up to T = 0.5 M; the paper's rule says 4 M", crossoverTitle(c, k))
	assert.Empty(t, outsideGrid(c, k))
	c.Crossovers[0].Measured, c.Crossovers[0].Note = math.NaN(), "above 9"
	assert.Equal(t, "Schemes 6 and 7: no crossover measured, m = 2, stop = 0", crossoverTitle(c, k))
	assert.Equal(t, []string{"T* outside the measured grid: for M = 1024 it is above 9 ticks."}, outsideGrid(c, k))
}

// Of two whose intervals overlap neither is the best, so both are bold.
func TestBoldAreAllThatMayBeTheBest(t *testing.T) {
	m := &medians{curve: curves[0], series: []figures.Series{
		{Style: "null", Points: []figures.Point{{X: 1, Y: 1, Lo: 1, Hi: 1}}},
		{Style: "tree", Points: []figures.Point{{X: 1, Y: 10, Lo: 9, Hi: 12}, {X: 2, Y: 10}}},
		{Style: "ordered", Points: []figures.Point{{X: 1, Y: 13, Lo: 12, Hi: 20}, {X: 2, Y: 11}}},
		{Style: "unordered", Points: []figures.Point{{X: 1, Y: 13, Lo: 12.5, Hi: 14}}},
	}}
	var bold []bool
	for _, s := range m.series[1:] {
		for _, p := range s.Points {
			bold = append(bold, m.isBest(p))
		}
	}
	assert.Equal(t, []bool{true, true, true, false, false}, bold)
}

// The probe decides whether the page warns, before the verdict.
func TestNoisyMachines(t *testing.T) {
	of := func(spins ...string) string {
		text := ""
		for i, spin := range spins {
			text += fmt.Sprintf("# round %d\nBenchmarkSpin 10 %s ns/op\n", i, spin)
		}
		path := filepath.Join(t.TempDir(), "raw.txt")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		table, err := results.Load(path)
		require.NoError(t, err)
		return New(table).Verdict()
	}
	assert.True(t, strings.HasPrefix(of("2", "2.5", "2"), "**Noisy machine**: a fixed loop took up to 25 % longer in one round than in another, allowed 10 %."))
	assert.NotContains(t, of("2", "2.2", "2"), "Noisy")
}

func TestSaveIntoNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	_, err := SaveFigures(filepath.Join(file, "below"), "svg", curveFigures(sweep(t), ""))
	assert.Error(t, err)
	_, err = SaveFigures(t.TempDir(), "gif", curveFigures(sweep(t), ""))
	assert.ErrorContains(t, err, "gif")
}

func TestWorstTick(t *testing.T) {
	assert.Equal(t, "-", worstTick(nil))
	assert.Equal(t, "4096", worstTick([]float64{4096, 17, 4096}))
	assert.Equal(t, "varies", worstTick([]float64{4096, 17, 3}))
	assert.Equal(t, "varies", worstTick([]float64{4096, 17}))
}

func TestFormats(t *testing.T) {
	for v, want := range map[float64]string{0.5: "0.5 ns", 99: "99.0 ns", 123.4: "123 ns", 4800: "4.8 µs", 2.5e6: "2.5 ms", 3e9: "3 s", math.Inf(1): "-"} {
		assert.Equal(t, want, ns(v))
	}
	assert.Equal(t, "5.0 ns (± unknown: 2 rounds, 6 needed)", interval(results.Estimate{Median: 5, Lo: math.Inf(-1), Hi: math.Inf(1), N: 2}, ns))
	assert.Equal(t, "5.0 ns (4.0 ns to 6.0 ns)", interval(results.Estimate{Median: 5, Lo: 4, Hi: 6, N: 10}, ns))
	assert.Equal(t, "-", interval(results.Estimate{}, ns))
	assert.Equal(t, "| a | bb |\n|---|----|\n| c | d  |\n", table([]string{"a", "bb"}, [][]string{{"c", "d"}}))
}
