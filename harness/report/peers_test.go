package report

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"timerlab/harness/results"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// peersOf loads a raw file in which a peer takes ten times as long as ours, and a lower bound half as long.
func peersOf(t *testing.T) *results.Table {
	t.Helper()
	var b strings.Builder
	for round := range 7 {
		noise := 1 + float64(round)/10
		line := func(name string, value float64, unit string) {
			b.WriteString("Benchmark" + name + " 10 " + fmt.Sprint(value*noise) + " " + unit + "\n")
		}
		b.WriteString("# round " + fmt.Sprint(round) + "\n")
		line("Hold/scheme=hierarchical-chunked/n=1M/T=10k", 50, "ns/op")
		line("Hold/scheme=valueheap/n=1M/T=10k", 500, "ns/op")
		line("Hold/scheme=timingwheel/n=1M/T=10k", 500, "ns/op")
		line("Hold/scheme=lean/n=1M/T=10k", 25, "ns/op") // a lower bound, and no third party
		line("Hold/scheme=hashunsorted-chunked/n=100k/M=65536/T=10k", 30, "ns/op")
		line("Hold/scheme=hierarchical-chunked-again/n=1M/T=10k", 50, "ns/op")
		line("PairHot/scheme=hierarchical-chunked/n=1M/T=10k", 5, "ns/op")
		line("PairCold/scheme=hierarchical-chunked/n=1M/T=10k", 5, "ns/op")
	}
	b.WriteString("BenchmarkHold/scheme=gozero/n=1M/T=10k 10 1 ns/op\n") // in another round it went well
	b.WriteString("# error Hold/scheme=gozero/n=1M/T=10k: 3 timers expired, want 4\n")
	return load(t, fileOf(t, b.String()))
}

// cellIn returns the cell of a row and a column.
func cellIn(t *testing.T, table *Table, row, column string) Cell {
	t.Helper()
	at := slices.Index(table.Heads, column)
	require.GreaterOrEqual(t, at, 0, "%v has no column %s", table.Heads, column)
	for _, cells := range table.Rows {
		if cells[0].Text == row {
			return cells[at]
		}
	}
	require.Fail(t, "no row "+row)
	return Cell{}
}

func TestPeersPage(t *testing.T) {
	d := newPeersPage(peersOf(t))
	assert.Equal(t, "timingwheel", d.Closest.Scheme)
	assert.InDelta(t, 0.1, d.Ratio.Median, 1e-9)
	assert.Equal(t, []float64{0.1}, d.Heap)
	met := map[string]bool{}
	for _, target := range d.Targets {
		met[target.What] = target.Met()
	}
	assert.Equal(t, map[string]bool{
		"steady state, n = 1M, T = 10k: hierarchical-chunked over valueheap": true,
		"closest third party in Go, every cell from n = 100k":                true,
	}, met)
	require.Len(t, d.Sections, 2)
	million := d.Sections[0]
	assert.Equal(t, "n = 1M, T = 10k", million.Title)
	ours := cellIn(t, million.Tables[0], "hierarchical-chunked", "Hold")
	assert.InDelta(t, 65, ours.estimate().Median, 1e-9)
	assert.True(t, ours.Best)
	assert.False(t, cellIn(t, million.Tables[0], "lean", "Hold").Best, "a lower bound")
	assert.Equal(t, Wrong(), plain(cellIn(t, million.Tables[0], "gozero", "Hold")))
	var rows []string
	for _, row := range million.Tables[0].Rows {
		rows = append(rows, row[0].Text)
	}
	assert.Equal(t, []string{"hierarchical-chunked", "hierarchical-chunked-again", "valueheap", "gozero", "timingwheel",
		"lean"}, rows, "ours, others, lower bounds")
	assert.Equal(t, []MissingGroup{{"ERROR", "3 timers expired, want 4", "Hold/scheme=gozero/n=1M/T=10k", 1}}, d.Missing)
}

// plain is a cell without its place.
func plain(c Cell) Cell { return c }

// The page shows what there is, and a list beside it has the rest. Cells that are missing for one
// reason are one line.
func TestPeersPageAsText(t *testing.T) {
	table := peersOf(t)
	for _, n := range []string{"100k", "1M"} {
		k := results.ParseKey("PairHot/scheme=gotimers/n=" + n + "/T=1M")
		table.Missing = append(table.Missing, results.Missing{Key: k, Why: results.Reason{Text: "no luck"}})
	}
	page := PeersPage(table, "again")
	assert.Equal(t, "From n = 100k, the closest third-party timer in Go takes 10 times as long as hierarchical-chunked "+
		"(timingwheel, Hold, n = 1M, T = 10k). hierarchical-chunked takes 0.10 to 0.10 of the time of valueheap, the "+
		"fastest heap that we could write, in 1 cell (geometric mean 0.10).", page.Findings)
	text := page.Markdown(".")
	containsAll(t, text, "## n = 1M, T = 10k\n\n| timer", "- Hold: a lifetime",
		"- skipped: PairHot/scheme=gotimers/n=100k/T=1M and others, 2 cells in all: no luck\n")
	assert.NotContains(t, text, "- Churn: ", "an operation that was not measured")
	list := csvOf(t, page.Lists[0])
	assert.Regexp(t, "(?m)^Hold,hierarchical-chunked,1M,,10k,,ns/op,7,65,50,80,$", list)
	assert.Contains(t, list, "Hold,gozero,1M,,10k,,,0,-,,,\"ERROR: 3 timers expired, want 4\"\n")
	assert.Contains(t, PeersPage(&results.Table{}, "").Markdown("."), "No third-party timer in Go was measured")
}

// The page knows every scenario of package peers, a module of its own.
func TestEveryScenarioIsExplained(t *testing.T) {
	source, err := os.ReadFile("../peers/scenario.go")
	require.NoError(t, err)
	names := regexp.MustCompile(`(?m)^\t"(\w+)": `).FindAllStringSubmatch(string(source), -1)
	require.Len(t, names, len(scenarios))
	for _, name := range names {
		assert.True(t, isScenario(results.Key{Op: name[1]}), name[1])
	}
}
