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
	"timerlab/harness/plan"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// gridFile is a raw file of a machine on which a visit costs 5 ns and a migration 12, and whose A/A pair differs by a
// share in every second cell.
func gridFile(t *testing.T, noise float64) string {
	t.Helper()
	grid := plan.Grid{N: 1000, Slots: []int{256, 1024}, Levels: []int{2, 4}, Turns: 1, Chunked: math.Inf(1),
		Means: []schemes.Tick{64, 256, 1024, 4096}}
	var lines []string
	for i, g := range append(grid.Steps().Groups(), grid.Judging().Groups()...) {
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
	p := NewStudy(load(t, gridFile(t, noise))).Page("again")
	return p, p.Data.(studyPage).Choice
}

// The answer has few rows and short cells, the rule has its worst cell, and what is long is in lists.
func TestChoicePage(t *testing.T) {
	p, s := gridPage(t, 0)
	require.NotNil(t, s)
	answers := p.render(Markdown).shown[0].Tables[0]
	assert.LessOrEqual(t, len(answers.Rows), 5)
	for _, row := range answers.Rows {
		for _, c := range row {
			assert.LessOrEqual(t, len([]rune(c.Text)), 60, c.Text)
		}
	}
	assert.Equal(t, []string{"J > 2 M", "7"}, []string{answers.Rows[0][0].Text, answers.Rows[0][4].Text})
	text := p.Markdown(".")
	containsAll(t, text, "| always 6 | ", "](figures/six-over-seven.svg)", "- [cells.csv](cells.csv): ")
	for _, part := range regexp.MustCompile(`(?m)(^\|.*\n)+`).FindAllString(text, -1) {
		assert.LessOrEqual(t, strings.Count(part, "\n"), 22, part)
	}
	dir := t.TempDir()
	paths, err := p.Save(filepath.Join(dir, "README.md"))
	require.NoError(t, err, "every figure can be drawn")
	assert.Contains(t, paths, filepath.Join(dir, "cells.csv"))
	assert.Equal(t, 2+len(s.Cells), strings.Count(read(t, filepath.Join(dir, "cells.csv")), "\n"), "a comment, the headings, the cells")
}

// However noisy a machine is, a page has its answer: by zone, with intervals, and what the counts say.
func TestNoisyMachinesHaveAnAnswer(t *testing.T) {
	for _, noise := range []float64{0, 0.8} {
		p, s := gridPage(t, noise)
		containsAll(t, p.Findings, "Schemes 6 and 7 at n = 1k, M = 256 to 1024, slots as lists and arrays. ",
			"J > 2 M: scheme 6 takes ", " times as long as 7, take 7; counts say 7. ", " less time than always 7. Counts need no clock. ",
			map[float64]string{0: "A difference of 0 % is decided in 80 of 100 cells.", 0.8: "A difference of 80 % is decided in 80"}[noise])
		assert.Zero(t, NewStudy(load(t, gridFile(t, noise))).Open())
		assert.Regexp(t, fmt.Sprintf("the intervals exclude 1 in %s of %d pairs; their level, 96.9 %%, lets 3.12 %% do so\\.",
			map[float64]string{0: "0", 0.8: "[1-9][0-9]*"}[noise], s.Promise.Pairs), flat(p.Markdown(".")))
		assert.Contains(t, flat(p.Markdown(".")), "data that are younger than it, is ")
		assert.Equal(t, noise > 0, s.Zones[2].Control.Median > 1.1, s.Zones[2].Name)
	}
	_, s := gridPage(t, 0)
	s.Refused = []string{"linked, n = 10k: other code"}
	assert.Contains(t, s.costs("").Caption[0], "Not judged: linked, n = 10k: other code.")

	// A zone in the words of the main job's last sentences.
	for want, z := range map[string]choice.Zone{
		"scheme 6 takes 2.13 (2.05 to 2.20) times as long as 7, take 7; counts say 7":                        {Cells: 1, Winner: 7, Ratio: results.Estimate{Median: 2.13, Lo: 2.05, Hi: 2.2, N: 7}},
		"not decided, scheme 6 takes between 0.87 and 1.04 times as long as 7; counts say 6 in 2 of 3 cells": {Cells: 3, SixByCounts: 2, Ratio: results.Estimate{Median: 0.97, Lo: 0.87, Hi: 1.04, N: 7}},
		"not decided, scheme 6 takes 0.97 times as long as 7 in 2 rounds, an interval needs 6; counts say 7": {
			Cells: 1, Ratio: results.Estimate{Median: 0.97, Lo: math.Inf(-1), Hi: math.Inf(1), N: 2}},
	} {
		assert.Equal(t, want, inLine(fileTemplate("study.tmpl"), "verdict of a zone", z))
	}
}

// Rounds in which the process waited for a core are named.
func TestRoundsThatWaited(t *testing.T) {
	of := func(wait float64) string {
		text, err := os.ReadFile(gridFile(t, 0))
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "bench-20260102T030405Z.txt")
		more := strings.ReplaceAll(string(text), " ns/op", fmt.Sprintf(" ns/op 5 within-%% %v wall/cpu", wait))
		require.NoError(t, os.WriteFile(path, []byte(more), 0o644))
		return flat(NewStudy(load(t, path)).Page("again").Markdown("."))
	}
	assert.Contains(t, of(1.2), "passes take 5 % longer than the least of each piece. In 6 of 6 rounds the wall clock ran more than a tenth longer")
	assert.NotContains(t, of(1.09), "the wall clock ran")
}

// Folders are put side by side, with their counts and what the rule is worth.
func TestMachinesPage(t *testing.T) {
	grid := gridFile(t, 0)
	plain := rawOf(t, 6, "BenchmarkStart/"+keys("tree", "1k")+" 10 30 ns/op 2 compares/op")
	other := rawOf(t, 6, "BenchmarkStart/"+keys("tree", "1k")+" 10 20 ns/op 3 compares/op")
	folder := func(name, raw string) *results.Table {
		dir := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.Link(raw, filepath.Join(dir, "bench-20260102T030405Z.txt")))
		f, err := LoadFolder(dir)
		require.NoError(t, err)
		return f
	}
	one := MachinesPage([]*results.Table{folder("one", grid)}, nil, "again")
	text := one.Markdown(".")
	assert.Contains(t, one.Findings, "There is one machine, so nothing is compared; it was measured with other code")
	assert.Contains(t, flat(text), "| [one](one/README.md) | | | |")
	assert.Regexp(t, `\| right in \d+ of \d+, mean regret .* \| right in \d+ of \d+, mean regret `, text)
	assert.Less(t, len(text), 4096)

	two := MachinesPage([]*results.Table{folder("one", grid), folder("two", grid)}, nil, "again")
	assert.Contains(t, two.Findings, "Counts are the same on all machines: all ")
	differ := MachinesPage([]*results.Table{folder("one", plain), folder("two", other)}, nil, "again")
	assert.Contains(t, differ.Findings, "Counts that differ: 1 of 1")
	assert.Contains(t, differ.Markdown("."), "compares/op 2 and 3")
	mixed := MachinesPage([]*results.Table{folder("one", grid), folder("two", plain)}, nil, "again")
	assert.Contains(t, mixed.Markdown("."), "not measured, or no cell is decided")
	assert.Contains(t, mixed.Markdown("."), "no A/A pair in 6 rounds")
	assert.Regexp(t, `\| stale: no code is recorded \| 80 % \| - \(\d\) \| right in `,
		flat(MachinesPage([]*results.Table{folder("one", gridFile(t, 0.8))}, nil, "again").Markdown(".")))

	_, err := LoadFolder(t.TempDir())
	assert.ErrorContains(t, err, "no file of the main job, bench-*.txt (name other raw files themselves)")
}

// Where sizes are free, and of heaps and wheels, a page has an answer of few rows, whose regrets are those of the machine.
func TestAnswerWhereSizesAreFree(t *testing.T) {
	var lines []string
	add := func(group run.Group, ns func(run.Subject) float64) {
		for _, s := range group.Subjects {
			lines = append(lines, fmt.Sprintf("BenchmarkLifetime/%s 10 %v ns/op", run.Name(group.Spec, s), ns(s)))
		}
	}
	free := plan.Free{Timers: []int{1_000, 100_000, 1_000_000}, Workloads: 2, Drawn: 6, Means: []schemes.Tick{64, 256},
		Stops: []workload.Stops{{}}, Dists: []workload.Dist{workload.Exp}, Lowest: []int{64, 256}, Levels: []int{3, 4}, SlotsATime: 4}
	for _, g := range free.Groups(1) {
		add(g, func(s run.Subject) float64 {
			switch chunked := strings.HasSuffix(s.Label, "chunked"); {
			case strings.Contains(s.Label, "ahead"):
				return 125
			case s.Info.Number == 7 && s.Levels[0] == 1024 && chunked == (g.Spec.N >= 100_000):
				return 110
			case len(s.Levels) > 0 && s.Levels[0] != 1024:
				return 100
			}
			return 300
		})
	}
	for _, g := range plan.HeapOrWheel([]int{10, 1_000, 100_000}, 1_000, 1) {
		add(g, func(s run.Subject) float64 {
			if s.Info.Number == 3 {
				return map[int]float64{10: 95, 1_000: 130, 100_000: 400}[g.Spec.N]
			}
			return 100
		})
	}
	lines = append(lines, "BenchmarkLifetime/service=afterfunc/n=1k 10 700 ns/op")
	p := NewStudy(load(t, rawOf(t, 6, lines...))).Page("again")
	answer := p.Data.(studyPage).Answer
	require.Len(t, answer.Rows, 4, answer)
	text := answer.Markdown()
	containsAll(t, text, "fewer than 90 % are stopped | scheme 7, arrays, four wheels of 1024 | 10 % | 10 % |", "| else | scheme 7, lists, four wheels of 1024 | 10 % | 10 % |",
		"| a million, and the longest tick matters | scheme 7, arrays, migrating ahead of time | 25 % | 25 % |",
		"| up to 1k | or a 4-ary heap: it costs little more, if all expire | 30 ns a timer at most |  |")
	containsAll(t, p.Findings, "A heap costs at most 30 ns a timer more than a wheel up to n = 1k, 300 ns at n = 100k, if all expire.", "costs 10 % more than the best that was measured, 10 % at worst.")
	few := NewStudy(load(t, rawOf(t, 1, lines...))).Page("again")
	assert.Empty(t, few.Data.(studyPage).Answer.Rows, "one round")
	assert.NotContains(t, few.Findings, "A heap costs")
	figure := p.Data.(studyPage).Heap.Figure
	assert.Contains(t, figure.Caption[0], "Go's timers and sharded are on the real clock")
	_, err := p.Save(filepath.Join(t.TempDir(), "README.md"))
	require.NoError(t, err, "the figures can be drawn")
}
