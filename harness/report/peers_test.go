package report

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"timerlab/harness/results"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// peersOf loads a raw file with the given number of rounds. In it a peer takes slower
// times as long as ours, and a lower bound half as long.
func peersOf(t *testing.T, rounds int, slower float64) *results.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	var b strings.Builder
	for round := range rounds {
		noise := 1 + float64(round)/10
		line := func(name string, value float64, unit string) {
			b.WriteString("Benchmark" + name + " 10 " + fmt.Sprint(value*noise) + " " + unit + "\n")
		}
		b.WriteString("# round " + fmt.Sprint(round) + "\n")
		line("Hold/scheme=hierarchical-chunked/n=1M/T=10k", 50, "ns/op")
		line("Hold/scheme=valueheap/n=1M/T=10k", 400, "ns/op")
		line("Hold/scheme=timingwheel/n=1M/T=10k", 50*slower, "ns/op")
		line("Hold/scheme=floor/n=1M/T=10k", 25, "ns/op")
		line("Hold/scheme=lean/n=1M/T=10k", 45, "ns/op") // a lower bound, and no third party
		line("Hold/scheme=hashunsorted-chunked/n=100k/M=65536/T=10k", 30, "ns/op")
		line("Memory/scheme=hierarchical-chunked/n=10M/T=10k", 35, "B/timer")
	}
	b.WriteString("BenchmarkHold/scheme=gozero/n=1M/T=10k 10 1 ns/op\n") // in another round it went well
	b.WriteString("# error Hold/scheme=gozero/n=1M/T=10k: 3 timers expired, want 4\n")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	table, err := results.Load(path)
	require.NoError(t, err)
	return table
}

func TestPeersPage(t *testing.T) {
	text := PeersPage(peersOf(t, 7, 10), "again").Markdown(".")
	assert.Regexp(t, `n = 100k, T = 10k +\| n = 1M, T = 10k +\|`, text, "columns by size")
	assert.Regexp(t, `\| hierarchical-chunked +\| - +\| \*\*65 ns ± \d+ %\*\* +\|`, text, "the best of a column is bold")
	assert.Regexp(t, `\| floor +\| - +\| 32\.5 ns ± `, text, "but not a floor")
	assert.Regexp(t, `\| gozero +\| - +\| ERROR +\|`, text)
	assert.Less(t, strings.Index(text, "| valueheap"), strings.Index(text, "| timingwheel"))
	assert.Regexp(t, `n = 1M, T = 10k: hierarchical-chunked over valueheap +\| ≤ 0.15 +\| 0.1[23] \(.*\| met`, text)
	assert.Regexp(t, `closest third party.*≤ 0.20 +\| 0.10 .*met`, text)
	assert.Equal(t, 1, WrongCells(peersOf(t, 7, 10)))
}

// A target that is missed is shown as missed, and an interval that is not known as
// such.
func TestPeersMissTargets(t *testing.T) {
	text := PeersPage(peersOf(t, 3, 2), "again").Markdown(".")
	assert.Regexp(t, `closest third party.*≤ 0.20 +\| 0.50 ± \? +\| \*\*missed\*\*`, text)
	assert.Contains(t, text, "± ?: a 95 % interval needs 6 rounds.")
}

// The page has a section for every scenario of package peers, a module of its own.
func TestEveryScenarioHasASection(t *testing.T) {
	source, err := os.ReadFile("../peers/scenario.go")
	require.NoError(t, err)
	names := regexp.MustCompile(`(?m)^\t"(\w+)": `).FindAllStringSubmatch(string(source), -1)
	require.Len(t, names, len(scenarios))
	for _, name := range names {
		assert.True(t, isScenario(results.Key{Op: name[1]}), name[1])
	}
}
