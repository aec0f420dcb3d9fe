package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/figures"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes/ordered"
	"timerlab/schemes/simplewheel"
)

// sweepTable returns a table of three schemes at three n, and a skipped cell.
func sweepTable(t *testing.T) *results.Table {
	t.Helper()
	const workload = "/M=64/T=10/dist=exp/stop=0"
	lines := []string{"cpu: a machine", `# argv ["the","command"]`,
		"BenchmarkPerTickLatency/scheme=unordered/n=1k" + workload + " 1 5000 p99-ns 9000 max-ns 77 max-at-tick 2000 limit-ns",
		"# skipped Operations/scheme=ordered/n=10k" + workload + " slow: predicted to take 9 s a run, allowed 1 s"}
	for i, scheme := range []string{"null", "unordered", "hashunsorted", "hashunsorted-again"} {
		for j, n := range []string{"100", "1k", "10k"} {
			for _, op := range []string{"Start", "PerTick"} {
				lines = append(lines, fmt.Sprintf("Benchmark%s/scheme=%s/n=%s%s 1 %v ns/op 7 passes 3 within-%% 1.1 wall/cpu", op, scheme, n, workload,
					float64(1+i)*math.Pow(10, float64(j))))
			}
		}
	}
	return tableOf(t, 6, lines...)
}

func TestStudy(t *testing.T) {
	study := NewStudy(sweepTable(t))
	require.Len(t, study.Page("").Figures(), 2, "START and PER_TICK")
	text := study.Page("again").Markdown(".")
	containsAll(t, flat(text),
		"measured by `the command`", "a machine", "Schemes 6 and 7 were not compared: that needs lifetimes of both at one n, with uniform intervals and with others.",
		"![START at n = 10k takes 200 ns to 300 ns, 1.5 times as much](figures/start.svg)",
		"| unordered | **2 ns", "n = 10k",
		"| ordered | - | - | - (1) |", "(1) Skipped, too slow.",
		"- skipped: Operations/scheme=ordered/n=10k/M=64/T=10/dist=exp/stop=0: too slow", "- [schemes.csv](schemes.csv): 29 rows. A row for each cell and unit")
	assert.NotContains(t, text, "**1 ns", "the null scheme is never the best")
	for _, s := range firstFigure(t, study.Table).Series {
		assert.NotContains(t, s.Style, "again", "the A/A pair is no curve")
	}
}

// keys are those of a cell of a sweep.
func keys(scheme, n string) string {
	return "scheme=" + scheme + "/n=" + n + "/M=64/T=10/dist=exp/stop=0"
}

// containsAll demands each of the parts of a text.
func containsAll(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		assert.Contains(t, text, part)
	}
}

// flat makes tables comparable whatever the widths of their columns.
func flat(text string) string {
	return strings.Join(strings.Fields(text), " ")
}

// firstFigure returns the first figure of the first measure that a table has.
func firstFigure(t *testing.T, table *results.Table) figures.XY {
	t.Helper()
	return NewStudy(table).Page("").Figures()[0]
}

// tableOf loads a file of one line for each benchmark: name, values and units as the format has them, in rounds.
func tableOf(t *testing.T, rounds int, lines ...string) *results.Table {
	t.Helper()
	return load(t, rawOf(t, rounds, lines...))
}

func load(t *testing.T, paths ...string) *results.Table {
	t.Helper()
	table, err := results.Load(paths...)
	require.NoError(t, err)
	return table
}

// fileOf writes a raw file.
func fileOf(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
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
	return fileOf(t, b.String())
}

// A cell that was wrong once is an error in every table and a point of no curve, whatever time it took.
func TestWrongCellsAreErrors(t *testing.T) {
	page := NewStudy(tableOf(t, 6,
		"BenchmarkStart/"+keys("tree", "1k")+" 10 20 ns/op", "BenchmarkStart/"+keys("tree", "10k")+" 10 30 ns/op",
		"BenchmarkStart/"+keys("ordered", "1k")+" 10 2 ns/op", "BenchmarkStart/"+keys("ordered", "10k")+" 10 90 ns/op",
		"BenchmarkPerTickLatency/"+keys("tree", "1k")+" 10 5000 p50-ns 2000 limit-ns",
		"# error Operations/"+keys("ordered", "1k")+": outcome", "# error Operations/"+keys("unordered", "10k")+": outcome",
		"# error PerTickLatency/"+keys("tree", "1k")+": outcome"))
	text := flat(page.Page("again").Markdown("."))
	containsAll(t, text,
		"| tree | **20 ns ± 0 %** | **30 ns ± 0 %** |", "| ordered | ERROR | 90 ns ± 0 % |", "| unordered | - | ERROR |",
		"- ERROR: Operations/scheme=ordered/n=1k/M=64/T=10/dist=exp/stop=0 and others, 3 cells in all: outcome")
	assert.NotContains(t, text, "| 2 ns")
	for _, s := range page.Page("").Figures()[0].Series {
		assert.NotContains(t, s.Points, figures.Point{X: 1000, Y: 2, Lo: 2, Hi: 2})
	}
}

// The figure of the longest tick has the least of the rounds.
func TestLongestTick(t *testing.T) {
	var lines []string
	for scheme, ns := range map[string]int{"hashunsorted/n=%s/M=1024": 60, "hierarchical-nomigrate/n=%s/M=1024/m=256x256x256x256": 50,
		"hierarchical/n=%s/M=1024/m=256x256x256x256": 9000, "hierarchical-ahead/n=%s/M=1024/m=128x128x128x256": 40} {
		for i, n := range []string{"10k", "100k"} {
			lines = append(lines, fmt.Sprintf("BenchmarkPerTickLatency/scheme="+scheme+"/T=1k/dist=exp/stop=0 10 %d max-ns 9 limit-ns", n, ns*(i+1)))
		}
	}
	raw := rawOf(t, 3, lines...)
	slower := rawOf(t, 3, strings.ReplaceAll(strings.Join(lines, "\n"), "0 max-ns", "000 max-ns")) // on a busy machine
	table := load(t, slower, raw)
	f := firstFigure(t, table)
	require.Len(t, f.Series, 4)
	assert.Equal(t, "Longest PER_TICK of scheme 7 takes 9 µs at n = 10k, 18 µs at n = 100k", f.Title)
	assert.Contains(t, NewStudy(table).Page("").Markdown("."), "| hierarchical-ahead, m = 128x128x128x256 |")
}

// Cells of sets of their own have their tables: the longest tick by the lowest wheel, the least of the rounds, and an
// application that uses the caches.
func TestTablesOfTheirOwn(t *testing.T) {
	const lowest, cold = "BenchmarkPerTickLatency/scheme=%s/n=1M/M=%d/m=%dx256x256/T=100k/dist=exp/stop=0/set=lowest 10 %d max-ns 9 limit-ns 7000 most-migrations",
		"BenchmarkLifetime/scheme=%s/n=1M/M=1024/T=10k/dist=exp/stop=0%s/set=cold 10 %d ns/op"
	lines := []string{"BenchmarkPerTickLatency/scheme=null/n=1M/M=4096/T=100k/dist=exp/stop=0/set=lowest 10 9 max-ns 9 limit-ns"}
	for i, scheme := range []string{"hierarchical-ahead", "hierarchical"} {
		for _, wheel := range []int{4096, 16} {
			lines = append(lines, fmt.Sprintf(lowest, scheme, wheel+512, wheel, wheel*(i+1)))
		}
	}
	for i, keys := range []string{"/collected=1024MiB", "/touched=8MiB", "/touched=1MiB", ""} {
		lines = append(lines, fmt.Sprintf(cold, "tree", keys, 10+i), fmt.Sprintf(cold, "null", keys, i+1))
	}
	slower := rawOf(t, 3, strings.ReplaceAll(strings.Join(lines, "\n"), " max-ns", "00 max-ns"))
	table := load(t, slower, rawOf(t, 3, lines...))
	text := flat(NewStudy(table).Page("").Markdown("."))
	containsAll(t, text,
		"| lowest wheel | n = 1M, 7 | n = 1M, 7 ahead |", "| 16 | 32 ns, 7,000 | 16 ns, 7,000 |", "| 4096 | 8.19 µs, 7,000 | 4.1 µs, 7,000 |",
		"| n, scheme | hot | 1MiB written | 8MiB written | collector on |",
		"| 1M, tree | 13 ns ± 0 % | 12 ns ± 0 % | 11 ns ± 0 % | 10 ns ± 0 % |", "| 1M, null | 4 ns ± 0 % |")
	assert.NotContains(t, text, "All schemes", "their cells are in no other table")
}

// The same slots in two levels and in four are two curves, not one zigzag.
func TestLevelsAreSeriesOfTheirOwn(t *testing.T) {
	lines := []string{"# skipped Operations/scheme=hierarchical/n=100k/M=64/m=32x32/T=10/dist=exp/stop=0 other: why"}
	for row, ns := range map[string][2]int{
		"hierarchical/n=%s/M=64/m=32x32": {20, 30}, "hierarchical/n=%s/M=64/m=16x16x16x16": {40, 60}, "tree/n=%s/M=64": {50, 50},
	} {
		for i, n := range []string{"1k", "10k"} {
			lines = append(lines, fmt.Sprintf("BenchmarkStart/scheme="+row+"/T=10/dist=exp/stop=0 10 %d ns/op", n, ns[i]))
		}
	}
	table := tableOf(t, 6, lines...)
	curves := firstFigure(t, table)
	require.Len(t, curves.Series, 3)
	assert.Equal(t, []string{"", "hierarchical, m = 16x16x16x16", "hierarchical, m = 32x32"},
		[]string{curves.Series[0].Name, curves.Series[1].Name, curves.Series[2].Name})
	for _, s := range curves.Series {
		assert.Len(t, s.Points, 2)
	}
	assert.Equal(t, "START of scheme 7 takes 20 ns at n = 1k, 30 ns at n = 10k", curves.Title)
	assert.Contains(t, strings.Join(curves.Caption, " "), "hierarchical, m = 32x32 at n = 100k")
	page := flat(NewStudy(table).Page("again").Markdown("."))
	containsAll(t, page, flat("| hierarchical, m = 32x32 | **20 ns ± 0 %** | **30 ns ± 0 %** | - (1) |"),
		flat("| hierarchical, m = 16x16x16x16 | 40 ns ± 0 % | 60 ns ± 0 % | - |"))
}

// A title names no scheme, as several may be alike.
func TestFinding(t *testing.T) {
	var lines []string
	for scheme, bytes := range map[string]string{"unordered": "32.9", "hashsorted": "85.7", "hashunsorted": "85.7"} {
		for _, n := range []string{"1k", "10k"} {
			lines = append(lines, "BenchmarkMemory/"+keys(scheme, n)+" 1 "+bytes+" B/timer")
		}
	}
	assert.Equal(t, "Memory at n = 10k takes 32.9 B to 85.7 B, 2.6 times as much", firstFigure(t, tableOf(t, 6, lines...)).Title)
}

// Rows that differ in a key of their names are in tables of their own, which say it. Of a single n there are no curves.
func TestRowsCanBeToldApart(t *testing.T) {
	var lines []string
	for _, T := range []string{"1k", "10k"} {
		for _, slots := range []string{"64", "256"} {
			for _, row := range []string{"hashunsorted/n=1k/M=" + slots, "hierarchical/n=1k/M=" + slots + "/m=8x8"} {
				lines = append(lines, "BenchmarkStart/scheme="+row+"/T="+T+"/dist=exp/stop=0 10 20 ns/op")
			}
		}
	}
	page := NewStudy(tableOf(t, 6, lines...)).Page("again")
	assert.Empty(t, page.Figures())
	text := flat(page.Markdown("."))
	containsAll(t, text, "M = 64, T = 10k, exp intervals, no stops. | scheme |",
		"M = 256, T = 1k, exp intervals, no stops. | scheme |")
	assert.Equal(t, "M = 64, T = 10, exp intervals, no stops, restart=0.1, restart-after=0.5, arrivals=poisson",
		inWords(conditionsOf(results.ParseKey("Start/scheme=a/n=1/M=64/T=10/dist=exp/stop=0/restart=0.1/restart-after=0.5/arrivals=poisson"))))
}

// What the clock or the harness has a good part in is marked, and the mark explained.
func TestDoubtfulTimesAreMarked(t *testing.T) {
	lines := []string{
		"BenchmarkStart/" + keys("null", "1k") + " 10 5 ns/op", "BenchmarkStart/" + keys("null", "10k") + " 10 5 ns/op",
		"BenchmarkStart/" + keys("tree", "1k") + " 10 20 ns/op 320 short-lap-ns", "BenchmarkStart/" + keys("tree", "10k") + " 10 20 ns/op",
	}
	plain := flat(NewStudy(tableOf(t, 6, lines...)).Page("again").Markdown("."))
	containsAll(t, plain, "| tree | **~20 ns ± 0 %** | **20 ns ± 0 %** |",
		"`~`: in batches shorter than 100 times")
	assert.NotContains(t, plain, "°")

	lines[3] = "BenchmarkStart/" + keys("tree", "10k") + " 10 9.9 ns/op"
	marked := flat(NewStudy(tableOf(t, 6, lines...)).Page("again").Markdown("."))
	containsAll(t, marked, "| tree | **~20 ns ± 0 %** | **9.9 ns ± 0 % °** |",
		"`°`: less than twice the null scheme's, so")
	assert.Contains(t, marked, "| null | 5 ns ± 0 % | 5 ns ± 0 % |", "the null scheme is no doubt")
}

// Reasons are those of the limits that skipped a cell, not guessed: what takes too much memory is neither too slow nor
// out of range. The caption names the cells.
func TestReasons(t *testing.T) {
	trace, err := workload.Spec{N: 10, T: 10, Ticks: 10}.Trace()
	require.NoError(t, err)
	large := run.Limits{Run: time.Hour, Memory: 1 << 10}.Skip(run.NewSubject(&ordered.Info, 64, 1), trace)
	slow := run.Limits{Memory: 1 << 30}.Skip(run.NewSubject(&ordered.Info, 64, 1), trace)
	far := run.Limits{}.Skip(run.NewSubject(&simplewheel.Info, 9, 1), trace)
	assert.Equal(t, []string{"too slow", "intervals beyond the range of the wheels"}, []string{inShort(slow), inShort(far)})
	table := tableOf(t, 1, "BenchmarkStart/"+keys("tree", "10k")+" 10 20 ns/op", "BenchmarkStart/"+keys("tree", "1k")+" 10 20 ns/op",
		fmt.Sprintf("# skipped Operations/%s %s: %v", keys("ordered", "10k"), large.Kind, large),
		"# skipped Operations/"+keys("hashsorted", "10k")+" nothing: no timer ends within the run",
		"# error Operations/"+keys("unordered", "10k")+": outcome", "# error Operations/"+keys("unordered", "10k")+": other outcome")
	text := flat(NewStudy(table).Page("again").Markdown("."))
	containsAll(t, text, "(1) Skipped, no timer ends within the run; (2) Skipped, too large.",
		"| ordered | - | - (2) |")
	assert.Equal(t, []string{"Skipped, no timer ends within the run: hashsorted at n = 10k.", "Skipped, too large: ordered at n = 10k.",
		"WRONG OUTCOME: unordered at n = 10k."}, firstFigure(t, table).Caption[1:])
}

// Of two whose intervals overlap neither is the best, so both are bold.
func TestBoldAreAllThatMayBeTheBest(t *testing.T) {
	p := Pivot[string, string]{}
	for row, medians := range map[string][]results.Estimate{
		"null":      {{Median: 1, Lo: 1, Hi: 1, N: 6}},
		"tree":      {{Median: 10, Lo: 9, Hi: 12, N: 6}, {Median: 10, Lo: math.Inf(-1), Hi: math.Inf(1), N: 2}},
		"ordered":   {{Median: 13, Lo: 12, Hi: 20, N: 6}, {Median: 11, Lo: math.Inf(-1), Hi: math.Inf(1), N: 2}},
		"unordered": {{Median: 13, Lo: 12.5, Hi: 14, N: 6}},
	} {
		for i, e := range medians {
			p.Set(row, fmt.Sprint(i), Median(e, units.FormatNanos))
		}
	}
	p.Bold(func(row string) bool { return row != "null" })
	for cell, want := range map[[2]string]bool{
		{"null", "0"}: false, {"tree", "0"}: true, {"ordered", "0"}: true, {"unordered", "0"}: false, {"tree", "1"}: true, {"ordered", "1"}: false,
	} {
		c, _ := p.get(cell[0], cell[1])
		assert.Equal(t, want, c.Best, cell)
	}
}

// However far A/A pairs are apart, nothing is stamped; the table of the machine names the difference that is decided.
func TestResolutionOfAMachine(t *testing.T) {
	const one, again = "BenchmarkStart/scheme=a/n=1k 10 100 ns/op", "BenchmarkStart/scheme=a-again/n=1k 10 "
	of := func(rounds int, lines ...string) string {
		table := tableOf(t, rounds, append([]string{"code: driver=11"}, lines...)...)
		assert.Empty(t, Warnings(table, results.Code{"driver": "11"}))
		return MachineTable(table).String()
	}
	assert.Contains(t, of(6, one, again+"106 ns/op"), "A difference of 6 % is decided in 80 of 100 cells.")
	assert.Contains(t, of(1, one, again+"106 ns/op"), "No difference is sure to be decided: that needs 6 rounds")
	assert.NotContains(t, of(6, one), "resolution")

	page := Page{Title: "T", Findings: "found", Warnings: []string{"**Stale**: why"}, Body: NewTemplate("test", "")}
	assert.Contains(t, page.Markdown("."), "# T\n\n> **Stale**: why\n\nfound")
}

// A page says whether the code is the one measured. It names parts, not commits.
func TestStale(t *testing.T) {
	stale := func(t *results.Table, now results.Code) string { return strings.Join(Warnings(t, now), "\n") }
	const row = "BenchmarkStart/scheme=a/n=1k 10 100 ns/op"
	measured := tableOf(t, 1, "code: driver=11 peers=22 schemes=33", row)
	now := results.Code{"driver": "11", "peers": "22", "schemes": "33", "systems": "44"}
	assert.NotContains(t, stale(measured, now), "Stale")
	now["schemes"] = "55"
	assert.Contains(t, stale(measured, now), "**Stale**: since these times were measured, this code has changed: schemes.")
	now["driver"] = "66"
	assert.Contains(t, stale(measured, now), "has changed: driver, schemes.")
	delete(now, "peers")
	assert.Contains(t, stale(measured, now), "**Stale**: whether the measured code has changed is unknown, as the source of a part is not here (peers).")
	assert.Contains(t, stale(tableOf(t, 1, row), now), "**Stale**: a raw file does not record which code it measured")
}

// A raw file is of one kind, which decides which page can be made of it.
func TestKinds(t *testing.T) {
	for line, want := range map[string]Kind{
		"BenchmarkStart/scheme=tree/n=1k/M=64/T=10/dist=exp/stop=0 1 1 ns/op": Schemes,
		"BenchmarkLifetime/scheme=lean/n=1M/T=9/dist=exp/set=peers 1 1 ns/op": Peers,
		"BenchmarkReset/service=std/n=1M/g=8 1 1 ns/op":                       Services,
		"BenchmarkSpin 1 1 ns/op":                                             "",
	} {
		assert.Equal(t, want, KindOf(tableOf(t, 1, line)), line)
	}
}
