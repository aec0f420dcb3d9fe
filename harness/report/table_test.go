package report

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/figures"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// figure is one that can be drawn.
var figure = figures.XY{Name: "start", Title: "Seven is 2 [to 3] times faster", Caption: []string{"n = 10k."},
	Series: []figures.Series{{Name: "a", Points: []figures.Point{{X: 1, Y: 1}, {X: 10, Y: 2}}}}}

// sampleTable has a cell of each kind.
func sampleTable() *Table {
	known := results.Estimate{Median: 45.31, Lo: 44, Hi: 47, N: 8}
	few := results.Estimate{Median: 50, Lo: math.Inf(-1), Hi: math.Inf(1), N: 2}
	p := &Pivot[string, string]{Corner: "scheme"}
	p.Set("null", "n = 1k", Median(results.Estimate{Median: 1, Lo: 1, Hi: 1, N: 8}, units.FormatNanos))
	p.Set("tree", "n = 1k", Median(known, units.FormatNanos))
	p.Set("tree", "n = 10k", Wrong())
	p.Set("list|x", "n = 1k", Median(results.Estimate{Median: 46, Lo: 46, Hi: 48, N: 8}, units.FormatNanos))
	p.Set("list|x", "n = 10k", None("too slow"))
	p.Set("heap", "n = 1k", Median(few, units.FormatNanos))
	p.Set("wheel", "n = 1k", Interval(few, units.FormatNanos))
	p.Bold(func(row string) bool { return row != "null" })
	t := p.Table()
	t.Notes = []string{"A note."}
	return t
}

func write(t *testing.T, page interface{ Write(io.Writer, Format) error }, f Format) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, page.Write(&b, f))
	return b.String()
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

func csvOf(t *testing.T, list List) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, list.WriteCSV(&b))
	return b.String()
}

// A table is Markdown, text for a terminal, CSV and JSON. In CSV an interval has columns of its own, empty where it is
// open.
func TestTableFormats(t *testing.T) {
	assert.Equal(t, `| scheme | n = 1k | n = 10k |
|---|---|---|
| null | 1 ns ± 0 % | - |
| tree | **45.3 ns ± 4 %** | ERROR |
| list\|x | **46 ns ± 4 %** | - (1) |
| heap | 50 ns ± ? | - |
| wheel | 50 ns ± ? | - |

A note.

± ?: a 95 % interval needs 6 rounds.

(1) too slow.
`, write(t, sampleTable(), Markdown))
	text := write(t, sampleTable(), Text)
	containsAll(t, text, "tree    *45.3 ns ± 4 %*  ERROR\n", "list|x  *46 ns ± 4 %*    - (1)\n")
	assert.NotContains(t, text, " \n", "no line ends in a blank")
	assert.Equal(t, `scheme,n = 1k,n = 1k low,n = 1k high,n = 10k
null,1,1,1,-
tree,45.31,44,47,ERROR
list|x,46,46,48,-
heap,50,,,-
wheel,50,,,-
`, write(t, sampleTable(), CSV))
	assert.Equal(t, "# Made by timerlab; do not edit. Columns: n = 1k is ns.\na\n", csvOf(t, List{"cells", "Columns: n = 1k is ns.", NewTable("a")}))
	var doc struct {
		Version int
		Rows    []map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(write(t, sampleTable(), JSON)), &doc))
	assert.Equal(t, JSONVersion, doc.Version)
	require.Len(t, doc.Rows, 5)
	assert.Equal(t, "tree", doc.Rows[1]["scheme"])
	assert.Equal(t, map[string]any{"median": 45.31, "low": 44.0, "high": 47.0, "samples": 8.0, "level": 0.0}, doc.Rows[1]["n_1k"])
	assert.Equal(t, map[string]any{"missing": "too slow"}, doc.Rows[2]["n_10k"])
	assert.Nil(t, doc.Rows[3]["n_1k"].(map[string]any)["low"], "an interval that is not known")
}

// Templates write numbers as tables do, and paths so that Markdown finds them.
func TestFuncs(t *testing.T) {
	few := results.Estimate{Median: 2, Lo: math.Inf(-1), Hi: math.Inf(1), N: 2}
	for text, want := range map[string]string{
		"{{ns 1626}}": "1.63 µs", "{{count 100000}}": "100k", "{{bytes 2048}}": "2 KiB", "{{ratio 0.5}}": "0.50",
		"{{percent 0.05}}": "5 %", "{{percent 0.53053}}": "53.1 %", "{{plural 1 `cell`}}, {{plural 2 `core`}}": "1 cell, 2 cores",
		"{{ns .}}": "2 ns ± ?",
	} {
		var b strings.Builder
		require.NoError(t, NewTemplate("test", text).Execute(&b, few))
		assert.Equal(t, want, b.String(), text)
	}
	assert.Equal(t, []string{"[r u.txt](<../r u.txt>)", "[a.txt](a.txt)"}, []string{link("r u.txt", "../r u.txt"), link("a.txt", "a.txt")})
	assert.Equal(t, []string{"`a b`", "`` a`b ``"}, []string{code("a b"), code("a`b")})
}

func TestTargets(t *testing.T) {
	value := func(median float64) func(*results.Table) (results.Estimate, error) {
		return func(*results.Table) (results.Estimate, error) {
			return results.Estimate{Median: median, Lo: median, Hi: median, N: 6}, nil
		}
	}
	missing := func(*results.Table) (results.Estimate, error) { return results.Estimate{}, results.ErrNoSamples }
	text := Judge(nil, []Target{
		{What: "a", Bound: 2, Show: units.FormatRatio, Value: value(1)},
		{What: "b", Bound: 2, Show: units.FormatRatio, Value: value(3)},
		{What: "c", Bound: 2, Least: true, Show: units.FormatRatio, Value: value(1)},
		{What: "d", Bound: 1e6, Asked: "≤ a tick", Show: units.FormatNanos, Value: value(1)},
		{What: "f", Bound: 1, Show: units.FormatNanos, Value: missing},
	}).Table().Markdown()
	containsAll(t, flat(text),
		"| a | ≤ 2.00 | 1.00 (1.00 to 1.00) | met |", "| b | ≤ 2.00 | 3.00 (3.00 to 3.00) | **missed** |",
		"| c | ≥ 2.00 | 1.00 (1.00 to 1.00) | **missed** |", "| d | ≤ a tick | 1 ns (1 ns to 1 ns) | met |")
	assert.NotContains(t, text, "| f")
}

// What somebody else wrote is not replaced, whichever of the files of a page it is, and then nothing is written.
func TestNothingOfOthersIsReplaced(t *testing.T) {
	p := &Page{Body: NewTemplate("test", "{{figure .}}"), Data: figure, Lists: []List{{"cells", "All.", NewTable("a")}}}
	for _, name := range []string{"README.md", "cells.csv", "figures/start.svg"} {
		dir := t.TempDir()
		mine := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(mine), 0o755))
		require.NoError(t, os.WriteFile(mine, []byte("# my notes; do not edit\n"), 0o644))
		_, err := p.Save(filepath.Join(dir, "README.md"))
		require.ErrorIs(t, err, ErrNotOurs)
		assert.ErrorContains(t, err, mine+": not made by this program, so not replaced (move the file, or use another folder)")
		assert.Equal(t, "# my notes; do not edit\n", read(t, mine))
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Len(t, entries, 1, "nothing else is written")
	}
	dir := t.TempDir()
	for range 2 {
		_, err := SaveFigures(dir, "png", p.Figures())
		require.NoError(t, err)
	}
}

// A page has its findings before everything, and a link to each section that leads there.
func TestPage(t *testing.T) {
	dir := t.TempDir()
	p := &Page{
		Title: "Results", Findings: "Seven wins.", Made: "go run ./cmd/bench report raw.txt",
		Sources: []results.Source{{Path: filepath.Join(dir, "raw.txt"), Command: "the command"}},
		Body:    NewTemplate("test", "## Does START cost more?\n\n{{figure .Figure}}\n## Table\n\n{{table .Table}}"),
		Data:    map[string]any{"Figure": figure, "Table": sampleTable()},
	}
	paths, err := p.Save(filepath.Join(dir, "out", "README.md"))
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(dir, "out", "README.md"), filepath.Join(dir, "out", "figures", "start.svg")}, paths)
	text := read(t, paths[0])
	again, err := p.Save(paths[0])
	require.NoError(t, err, "it may be made again")
	assert.Equal(t, paths, again)
	assert.True(t, strings.HasPrefix(text, "# Results\n\nSeven wins.\n\n- [Does START cost more?](#does-start-cost-more)\n- [Table](#table)\n"))
	containsAll(t, text, "![Seven is 2 (to 3) times faster](figures/start.svg)\n\n## Table",
		"- [raw.txt](../raw.txt), measured by `the command`")

	var doc struct {
		Version  int
		Sections []struct{ Rows []map[string]any }
	}
	require.NoError(t, json.Unmarshal([]byte(write(t, p, JSON)), &doc))
	assert.Len(t, doc.Sections[1].Rows, 5)
	assert.Contains(t, write(t, p, Text), "Seven wins.\n\nDOES START COST MORE?\n\nSeven is 2 [to 3] times faster (start.svg)\n")
	assert.Equal(t, write(t, sampleTable(), CSV), write(t, p, CSV), "the first table that is shown")
	p.Lists = []List{{Table: NewTable("a")}}
	assert.Equal(t, "a\n", write(t, p, CSV), "the first list")
	p.Lists, p.Body = nil, NewTemplate("test", "")
	assert.Empty(t, write(t, p, CSV))
}
