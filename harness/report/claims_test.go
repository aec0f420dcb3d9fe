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

// sampleClaims is a page of two claims, one of which fails, on times of trees.
func sampleClaims(t *testing.T) ClaimsPage {
	t.Helper()
	var results []claims.Result
	for _, id := range []string{"A-3x", "Z-1"} {
		c, err := claims.Find(id)
		require.NoError(t, err)
		r, err := c.Judge(nil)
		require.NoError(t, err)
		results = append(results, r)
	}
	drawings, err := claims.Drawings(t.Context(), results)
	require.NoError(t, err)
	return ClaimsPage{Results: results, Drawings: drawings, Table: treesTable(t)}
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
	page := sampleClaims(t)
	shown := page.Figures()
	names := []string{}
	for _, f := range shown {
		names = append(names, f.Name)
	}
	assert.Equal(t, []string{"interrupts", "trees"}, names)
	text := page.Markdown("figures", shown)
	for _, want := range []string{
		"2 claims: 1 hold, 1 fail, 0 undecided.",
		"| Z-1 | **FAILS** | tree | The JDK's Timer keeps its timers in a max-heap.<br>*measured: ticks on which the last timer to expire is on top, of 63 (1 of 2)*<br>*instead: earliest first, a min-heap",
		"| = 63 | 0 |",
		"### A-3x: HOLDS",
		"1. interval: means of 32 batches",
		"![interrupts](figures/interrupts.svg)",
		"go run ./cmd/bench claims " + page.Table.Sources[0].Path,
		"- B-1, B-2, B-4 to B-9: what BSD's kernels did before and since",
	} {
		assert.Contains(t, text, want)
	}
	_, err := SaveFigures(t.TempDir(), "svg", shown)
	require.NoError(t, err)
}

func TestTreesTitle(t *testing.T) {
	f, ok := treesFigure(treesTable(t))
	require.True(t, ok)
	assert.Equal(t, "trees", f.Name)
	assert.Contains(t, fmt.Sprintf("%+v", f.Figure), "At n = 10k a timer costs 201 ns in a binary heap, 81.0 ns in four wheels of 256")
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
	page := New(table)
	assert.Empty(t, page.Figures())
	assert.NotContains(t, page.Markdown("figures", nil), "loguniform")
	assert.NotContains(t, page.Verdict(), "Does START of scheme 7 cost more?")
}
