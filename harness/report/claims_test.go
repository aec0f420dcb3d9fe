package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"timerlab/harness/results"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/claims"
)

// sampleClaims is a study with two claims, one of which fails, on times of trees.
func sampleClaims(t *testing.T) *Study {
	t.Helper()
	var list []claims.Claim
	for _, id := range []string{"A-3x", "Z-1"} {
		c, err := claims.Find(id)
		require.NoError(t, err)
		list = append(list, c)
	}
	results, err := claims.JudgeAll(t.Context(), list, nil, func(int) {})
	require.NoError(t, err)
	drawings, err := claims.Drawings(t.Context(), results)
	require.NoError(t, err)
	study := NewStudy(treesTable(t))
	study.Claims, study.Drawings = results, drawings
	return study
}

// treesTable has lifetimes of a heap and of wheels at two n.
func treesTable(t *testing.T) *results.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	var b strings.Builder
	for i, n := range []string{"1k", "10k"} {
		fmt.Fprintf(&b, "BenchmarkLifetime/scheme=tree/n=%s/M=16384/T=4k/dist=loguniform/stop=0/set=claims 1 %d ns/op\n", n, 200+i)
		fmt.Fprintf(&b, "BenchmarkLifetime/scheme=hierarchical/n=%s/M=1024/m=256x256x256x256/T=4k/dist=loguniform/stop=0/set=claims 1 %d ns/op\n", n, 80+i)
	}
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	table, err := results.Load(path)
	require.NoError(t, err)
	return table
}

func TestClaimsPage(t *testing.T) {
	study := sampleClaims(t)
	page := study.ClaimsPage("go run ./cmd/bench report raw.txt")
	shown := study.claimFigures("again")
	names := []string{}
	for _, f := range shown {
		names = append(names, f.Name)
	}
	assert.Equal(t, []string{"interrupts", "trees"}, names)
	text := page.Markdown(".")
	for _, want := range []string{
		"Of 1 claims of ours, 1 hold; refuted here: 0; undecided: 0. Judged: 1 exactly.",
		"Of 1 claims of later books and articles, 0 hold; refuted here: 1; undecided: 0. Judged: 1 by argument.",
		"## Claims of ours",
		"| Z-1 | article | **FAILS** | by argument | tree | - | - | The JDK's Timer keeps its timers in a max-heap.<br>" +
			"*argument: its queue takes",
		"### A-3x: HOLDS", "1. interval: means of 32 batches", "](figures/interrupts.svg)",
		"    go run ./cmd/bench report raw.txt\n",
		"- B-2, B-5, B-6, B-8, B-9: what BSD's kernels did before and since",
	} {
		assert.Contains(t, text, want)
	}
	assert.Contains(t, study.Page("again").Findings, "refuted here: 1")
	_, err := SaveFigures(t.TempDir(), "svg", shown)
	require.NoError(t, err)
}

func TestTreesTitle(t *testing.T) {
	f, ok := treesFigure(treesTable(t))
	require.True(t, ok)
	assert.Equal(t, "trees", f.Name)
	assert.Contains(t, fmt.Sprintf("%+v", f.Figure), "At n = 10k a timer costs 201 ns in a binary heap, 81 ns in four wheels of 256")
}

// Every figure that a claim names is among those of the kept results.
func TestClaimsNameFiguresThatExist(t *testing.T) {
	folders, err := filepath.Glob("../../results/*/figures")
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	for _, c := range claims.All {
		if c.Figure != "" {
			assert.FileExists(t, filepath.Join(folders[0], c.Figure+".svg"), c.ID)
		}
	}
}

// What only claims read is in no curve, no table and no comparison of START.
func TestClaimsCellsStayApart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raw.txt")
	text := ""
	for _, n := range []string{"100", "1k"} {
		for scheme, levels := range map[string]string{"hashunsorted": "", "hierarchical": "/m=8x8"} {
			text += fmt.Sprintf("BenchmarkStart/scheme=%s/n=%s/M=16%s/T=1k/dist=loguniform/stop=0/set=claims 1 20 ns/op\n", scheme, n, levels)
		}
	}
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	table, err := results.Load(path)
	require.NoError(t, err)
	study := NewStudy(table)
	assert.Empty(t, study.Page("").Figures())
	assert.NotContains(t, study.Page("again").Markdown("."), "loguniform")
	assert.NotContains(t, study.Page("again").Markdown("."), "Does START of scheme 7 cost more?")
}
