package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/choice"
	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// gridFile is a raw file of a machine on which a visit costs 5 ns and a migration 12, and whose A/A pair differs by a
// share in every second cell.
func gridFile(t *testing.T, noise float64) string {
	t.Helper()
	grid := choice.Grid{N: 1000, Slots: []int{256, 1024}, Levels: []int{2, 3}, Turns: 1, Chunked: true,
		Means: []schemes.Tick{64, 256, 1024, 4096}}
	var lines []string
	for i, g := range append(grid.Steps().Cases(), grid.Judging().Cases()...) {
		lives := g.Spec.Lives()
		for _, s := range g.Subjects {
			ns, count := 8., "0 visits/op"
			switch s.Info.Number {
			case 6:
				ns = 50 + 5*cost.Wasted6(lives, s.Slots)
				count = fmt.Sprintf("%.9f visits/op", cost.Visits6(lives, s.Slots))
			case 7:
				ns = 52 + 12*cost.Migrations7(lives, s.Levels)
				count = fmt.Sprintf("%.9f migrations/op", cost.Migrations7(lives, s.Levels))
			}
			if strings.HasSuffix(s.Label, units.Again) && i%2 == 1 {
				ns *= 1 + noise
			}
			lines = append(lines, fmt.Sprintf("BenchmarkLifetime/%s 10 %.9f ns/op %s", run.Name(g.Spec, s), ns, count))
		}
	}
	for scheme, ns := range map[string]float64{"hashunsorted": 20, "hashunsorted-again": 20.1, "hierarchical": 25} {
		keys := "/scheme=" + scheme + "/n=1k/M=64/T=10/dist=exp/stop=0"
		lines = append(lines, fmt.Sprintf("BenchmarkStart%s 10 %v ns/op", keys, ns),
			fmt.Sprintf("BenchmarkPerTickLatency%s 10 %v max-ns 10 limit-ns", keys, 100*ns))
	}
	return rawOf(t, 6, lines...)
}

func gridPage(t *testing.T, noise float64) (*Page, *sixSeven) {
	t.Helper()
	table, err := results.Load(gridFile(t, noise))
	require.NoError(t, err)
	p := NewStudy(table).Page("again")
	return p, p.Data.(studyPage).Choice
}

// The answer has few rows, short cells and no advice that its own cells do not bear out; what is long is in lists.
func TestChoicePage(t *testing.T) {
	p, s := gridPage(t, 0)
	require.NotNil(t, s)
	assert.LessOrEqual(t, len(s.Answers.Rows), 5)
	for _, row := range s.Answers.Rows {
		for _, c := range row {
			assert.LessOrEqual(t, len([]rune(c.Text)), 60, c.Text)
		}
	}
	assert.Equal(t, []string{"nothing else is known", "7"}, []string{s.Answers.Rows[0][0].Text, s.Answers.Rows[0][1].Text})
	assert.Contains(t, s.Answers.Rows[2][2].Text, "silent in", "the bound does not speak in every cell")
	for _, a := range s.Zones() {
		assert.Less(t, a.Score.Mean.Median, a.Score.Other.Median)
	}
	text := p.Markdown(".")
	for _, want := range []string{"](figures/break-even.svg)", "](figures/regret-7-linked-n1k-exp.svg)",
		"- [cells.csv](cells.csv): "} {
		assert.Contains(t, text, want)
	}
	assert.LessOrEqual(t, strings.Count(text, "!["), 8)
	for _, part := range regexp.MustCompile(`(?m)(^\|.*\n)+`).FindAllString(text, -1) {
		assert.LessOrEqual(t, strings.Count(part, "\n"), 22, part)
	}
	dir := t.TempDir()
	paths, err := p.Save(filepath.Join(dir, "README.md"))
	require.NoError(t, err, "every figure can be drawn")
	assert.Contains(t, paths, filepath.Join(dir, "cells.csv"))
	cells, err := os.ReadFile(filepath.Join(dir, "cells.csv"))
	require.NoError(t, err)
	assert.Len(t, strings.Split(strings.TrimSpace(string(cells)), "\n"), 2+len(s.Cells), "a comment, the headings, the cells")
	assert.True(t, strings.HasPrefix(string(cells), "# Schemes 6 and 7, cell by cell."))
}

// Where equal cells differ by more than a fifth nothing is compared, and the page says why: it had a regret of "0 % (0 %
// to 0 %)" and break-even points.
func TestNoisyMachinesHaveNoRegrets(t *testing.T) {
	p, s := gridPage(t, 0.8)
	assert.Nil(t, s)
	text := p.Markdown(".")
	assert.Contains(t, p.Findings, "These files do not decide between schemes 6 and 7 (linked, n = 1k: equal cells differ by up to 80 %")
	assert.NotContains(t, text, "T\\*")
	assert.NotContains(t, text, "always 7")
	assert.NotContains(t, text, "break-even")
}

// A T* beyond its grid makes an open end.
func TestRangesAreOpen(t *testing.T) {
	of := func(lo, hi float64, series, below, above int) choice.Range {
		return choice.Range{Lo: lo, Hi: hi, Series: series, Below: below, Above: above}
	}
	for want, r := range map[string]choice.Range{
		"-":                     {},
		"0.31 to 1.3":           of(0.31, 1.3, 2, 0, 0),
		"0.31":                  of(0.311, 0.312, 2, 0, 0),
		"below 0.25 to 1.3":     of(0.25, 1.3, 3, 1, 0),
		"0.25 to above 1.3":     of(0.25, 1.3, 3, 0, 1),
		"below 0.25":            of(0.004, 0.25, 3, 3, 0),
		"above 2":               of(2, 2, 1, 0, 1),
		"below 0.1 to above 12": of(0.1, 12, 9, 1, 1),
	} {
		assert.Equal(t, want, rangeText(r))
	}
	in, below := choice.Series{Slots: 100, Even: results.Estimate{Median: 50}}, choice.Series{Slots: 100, First: 20, End: choice.Below}
	assert.Equal(t, "0.5 M in 1 of 2 series; 1 below the T measured", evens([]choice.Series{in, below}))
	assert.Equal(t, "below 0.2 M in 1 of 1 series", evens([]choice.Series{below}))
	assert.Equal(t, "T* is below", breakEvenSeries([]choice.Series{in, below, below})[1].Name)
	assert.Len(t, breakEvenSeries([]choice.Series{in, below, below})[1].Points, 1)
}

// The longest PerTick decides only where the intervals do not overlap.
func TestLongestTicksNeedTheirIntervals(t *testing.T) {
	of := func(median, lo, hi float64) results.Estimate {
		return results.Estimate{Median: median, Lo: lo, Hi: hi, N: 6}
	}
	assert.Equal(t, "6", least(of(10, 9, 11), of(20, 19, 21)))
	assert.Equal(t, "7", least(of(30, 29, 31), of(20, 19, 21)))
	assert.Equal(t, "either", least(of(10, 9, 20), of(20, 19, 21)))
	assert.Equal(t, "either", least(of(10, math.Inf(-1), math.Inf(1)), of(20, 19, 21)))
}

// A title names none of several that are alike.
func TestFindingCountsWhatIsAlike(t *testing.T) {
	var lines []string
	for scheme, bytes := range map[string]string{"unordered": "32.9", "hashsorted": "85.6", "hashunsorted": "85.6", "hierarchical": "85.7"} {
		for _, n := range []string{"1k", "10k"} {
			lines = append(lines, "BenchmarkMemory/"+keys(scheme, n)+" 1 "+bytes+" B/timer")
		}
	}
	f := firstFigure(t, tableOf(t, 6, lines...))
	assert.Equal(t, "Memory at n = 10k: unordered takes 32.9 B, 3 take about 85.7 B, 2.6 times as much", f.Title)
}

// Folders side by side have the values that all have.
func TestMachinesPage(t *testing.T) {
	grid := gridFile(t, 0)
	plain := rawOf(t, 6, "BenchmarkStart/"+keys("tree", "1k")+" 10 30 ns/op 2 compares/op")
	other := rawOf(t, 6, "BenchmarkStart/"+keys("tree", "1k")+" 10 20 ns/op 3 compares/op")
	folder := func(name, raw string) Folder {
		dir := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		data, err := os.ReadFile(raw)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "bench-20260102T030405Z.txt"), data, 0o644))
		f, err := LoadFolder(dir)
		require.NoError(t, err)
		return f
	}
	one := MachinesPage([]Folder{folder("one", grid)}, nil, "again")
	text := one.Markdown(".")
	assert.Contains(t, one.Findings, "There is one machine, so nothing is compared; it was measured with other code")
	assert.Contains(t, text, "## Its headline values")
	assert.Contains(t, flat(text), "| [one](one/README.md) |")
	assert.Contains(t, text, "always scheme 7: the cheaper one in")
	assert.Less(t, len(text), 4096)

	two := MachinesPage([]Folder{folder("one", grid), folder("two", grid)}, nil, "again")
	assert.Contains(t, two.Findings, "Counts are the same on all machines: all ")
	assert.Contains(t, two.Markdown("."), "always scheme 7")
	differ := MachinesPage([]Folder{folder("one", plain), folder("two", other)}, nil, "again")
	assert.Contains(t, differ.Findings, "Counts that differ: 1 of 1")
	assert.Contains(t, differ.Markdown("."), "compares/op 2 and 3")
	mixed := MachinesPage([]Folder{folder("one", grid), folder("two", plain)}, nil, "again")
	assert.NotContains(t, mixed.Markdown("."), "always scheme 7", "only one has it")

	_, err := LoadFolder(t.TempDir())
	assert.ErrorContains(t, err, "no file of the main job, bench-*.txt (name other raw files themselves)")
}
