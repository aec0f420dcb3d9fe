package report

import (
	"fmt"
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
		const lifetimes = "/T=10k/dist=exp/stop=0/set=peers"
		line("Lifetime/scheme=hierarchical-chunked/n=1M"+lifetimes, 50, "ns/op")
		line("Lifetime/scheme=valueheap/n=1M"+lifetimes, 500, "ns/op")
		line("Lifetime/scheme=timingwheel/n=1M"+lifetimes, 500, "ns/op")
		line("Lifetime/scheme=lean/n=1M"+lifetimes, 25, "ns/op") // a yardstick, and no third party
		line("Lifetime/scheme=hashunsorted-chunked/n=100k/M=65536"+lifetimes, 30, "ns/op")
		line("Lifetime/scheme=hierarchical-chunked-again/n=1M"+lifetimes, 50, "ns/op")
		line("PairHot/scheme=hierarchical-chunked/n=1M"+lifetimes, 5, "ns/op")
		const laps = "/n=1M/T=10k/dist=exp/stop=0.5/after=0.5/restart=0.4/restart-after=0.5/set=peers"
		line("PerTick/scheme=hierarchical-chunked"+laps, 40, "ns/op") // a part of a lifetime, and no comparison
		line("PerTick/scheme=timingwheel"+laps, 40, "ns/op")
		line("Memory/scheme=timingwheel"+laps, 100, "B/timer")
	}
	b.WriteString("BenchmarkLifetime/scheme=gozero/n=1M/T=10k/dist=exp/stop=0/set=peers 10 1 ns/op\n") // in another round it went well
	b.WriteString("# error Lifetime/scheme=gozero/n=1M/T=10k/dist=exp/stop=0/set=peers: 3 timers expired, want 4\n")
	b.WriteString("# skipped Lifetime/scheme=gozero/n=10M/T=10k/dist=exp/stop=0/set=peers slow: abandoned after 62 s (limit 60 s a run)\n")
	return load(t, fileOf(t, b.String()))
}

// cellIn returns the cell of a row and a column, which there must be.
func cellIn(table *Table, row, column string) Cell {
	at := slices.IndexFunc(table.Rows, func(cells []Cell) bool { return cells[0].Text == row })
	return table.Rows[at][slices.Index(table.Heads, column)]
}

func TestPeersPage(t *testing.T) {
	d := newPeersPage(peersOf(t))
	assert.Equal(t, "timingwheel", d.Closest.Scheme)
	assert.InDelta(t, 0.1, d.Ratio.Median, 1e-9)
	assert.Equal(t, 1, d.Heap.N)
	assert.InDelta(t, 0.1, d.Heap.Median, 1e-9)
	require.Len(t, d.Targets, 2)
	assert.Equal(t, "Lifetime, n = 1M, T = 10k: hierarchical-chunked over valueheap", d.Targets[0].What)
	assert.Equal(t, "closest third party in Go, every cell from n = 100k", d.Targets[1].What)
	assert.True(t, d.Targets[0].Met() && d.Targets[1].Met())
	require.Len(t, d.Sections, 4)
	assert.Equal(t, "n = 1M, T = 10k, stops 0, restarts 0", d.Sections[1].Title)
	assert.Equal(t, "n = 1M, T = 10k, stops 0.5@0.5, restarts 0.4@0.5", d.Sections[3].Title)
	million := d.Sections[1].Tables[0]
	ours := cellIn(million, "hierarchical-chunked", "Lifetime")
	assert.InDelta(t, 65, ours.estimate().Median, 1e-9)
	assert.True(t, ours.Best)
	assert.False(t, cellIn(million, "lean", "Lifetime").Best, "a yardstick")
	assert.Equal(t, Wrong(), cellIn(million, "gozero", "Lifetime"))
	assert.Equal(t, "130 B ± 23 %", cellIn(d.Sections[3].Tables[0], "timingwheel", "Memory").Text)
	var rows []string
	for _, row := range million.Rows {
		rows = append(rows, row[0].Text)
	}
	assert.Equal(t, []string{"hierarchical-chunked", "hierarchical-chunked-again", "valueheap", "gozero", "timingwheel",
		"lean"}, rows, "ours, others, lean")
	assert.Contains(t, d.Missing, MissingGroup{"ERROR", "3 timers expired, want 4", "Lifetime/scheme=gozero/n=1M/T=10k/dist=exp/stop=0/set=peers", 1})
}

// The page shows what there is, and a list beside it has the rest. Cells that are missing for one
// reason are one line.
func TestPeersPageAsText(t *testing.T) {
	table := peersOf(t)
	for _, n := range []string{"100k", "1M"} {
		k := results.ParseKey("PairHot/scheme=gotimers/n=" + n + "/T=1M/dist=exp/stop=0/set=peers")
		table.Missing = append(table.Missing, results.Missing{Key: k, Why: results.Reason{Text: "no luck"}})
	}
	page := PeersPage(table, "again")
	assert.Equal(t, "From n = 100k, the closest third-party timer in Go takes 10 times as long as hierarchical-chunked "+
		"(timingwheel, Lifetime, n = 1M, T = 10k). hierarchical-chunked takes 0.10 of the time of valueheap, the "+
		"fastest heap that we could write, in 1 cell.", page.Findings)
	text := page.Markdown(".")
	containsAll(t, text, "## n = 1M, T = 10k, stops 0, restarts 0\n\n| timer", "- Lifetime: a start",
		"- skipped: PairHot/scheme=gotimers/n=100k/T=1M/dist=exp/stop=0/set=peers and others, 2 cells in all: no luck\n")
	list := csvOf(t, page.Lists[0])
	assert.Regexp(t, "(?m)^Lifetime,hierarchical-chunked,1M,,10k,/dist=exp/stop=0/set=peers,ns/op,7,65,50,80,$", list)
	assert.Contains(t, list, "Lifetime,gozero,1M,,10k,/dist=exp/stop=0/set=peers,,0,-,,,\"ERROR: 3 timers expired, want 4\"\n")
}

// The finding is of large n, and of more than one cell a range.
func TestFindingsOfPeers(t *testing.T) {
	const few = "/n=1k/T=10k/dist=exp/stop=0/set=peers 1 "
	table := tableOf(t, 1, "BenchmarkLifetime/scheme=hierarchical-chunked"+few+"50 ns/op", "BenchmarkLifetime/scheme=gozero"+few+"100 ns/op",
		"BenchmarkLifetime/scheme=valueheap"+few+"100 ns/op", "BenchmarkPairHot/scheme=hierarchical-chunked"+few+"20 ns/op",
		"BenchmarkPairHot/scheme=valueheap"+few+"10 ns/op")
	assert.Equal(t, "No third-party timer in Go was measured beside hierarchical-chunked at n = 100k or more. hierarchical-chunked "+
		"takes 0.50 to 2.00 of the time of valueheap, the fastest heap that we could write, in 2 cells (geometric mean 1.00).",
		PeersPage(table, "").Findings)
}
