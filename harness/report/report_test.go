package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"timerlab/harness/measure"
)

// sweep returns a table of three schemes at three n, and a skipped cell.
func sweep(t *testing.T) *measure.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	raw, err := measure.CreateRaw(path, [][2]string{{"cpu", "a machine"}})
	require.NoError(t, err)
	require.NoError(t, raw.Command("the command"))
	for round := range 6 {
		require.NoError(t, raw.Round(round))
		for i, scheme := range []string{"null", "unordered", "hashunsorted", "hashunsorted-again"} {
			for j, n := range []string{"100", "1k", "10k"} {
				keys := fmt.Sprintf("scheme=%s/n=%s/M=64/T=10/dist=exp/stop=0", scheme, n)
				for _, op := range []string{"Start", "PerTick"} {
					ns := float64(1+i)*math.Pow(10, float64(j)) + float64(round)/100
					require.NoError(t, raw.Result(measure.Result{Name: op + "/" + keys, Iters: 1, Values: []benchfmt.Value{{Value: ns, Unit: "ns/op"}}}))
				}
			}
		}
		latency := []benchfmt.Value{{Value: 5000, Unit: "p99-ns"}, {Value: 9000, Unit: "max-ns"}, {Value: 77, Unit: "max-at-tick"}, {Value: 2000, Unit: "limit-ns"}}
		require.NoError(t, raw.Result(measure.Result{Name: "PerTickLatency/scheme=unordered/n=1k/M=64/T=10/dist=exp/stop=0", Iters: 1, Values: latency}))
	}
	require.NoError(t, raw.Skip("Operations/scheme=ordered/n=10k/M=64/T=10/dist=exp/stop=0", "predicted to take 9s a run, allowed 1s"))
	require.NoError(t, raw.Close())
	table, err := measure.Load(path)
	require.NoError(t, err)
	return table
}

func TestPage(t *testing.T) {
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
	paths, err := Save(dir, "svg", []Named{start})
	require.NoError(t, err)
	svg, err := os.ReadFile(paths[0])
	require.NoError(t, err)
	assert.Contains(t, string(svg), "Start at n = 10k: unordered takes 200 ns, hashunsorted takes 300 ns, 1.5 times as much")
	assert.Contains(t, string(svg), "Skipped, too slow: ordered at n = 10k")
	assert.NotContains(t, string(svg), "again", "the A/A pair is no curve")
}

func TestSaveIntoNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	_, err := Save(filepath.Join(file, "below"), "svg", curveFigures(sweep(t), ""))
	assert.Error(t, err)
	_, err = Save(t.TempDir(), "gif", curveFigures(sweep(t), ""))
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
	assert.Equal(t, "5.0 ns (± unknown: 2 rounds, 6 needed)", interval(measure.Estimate{Median: 5, Lo: math.Inf(-1), Hi: math.Inf(1), N: 2}, ns))
	assert.Equal(t, "5.0 ns (4.0 ns to 6.0 ns)", interval(measure.Estimate{Median: 5, Lo: 4, Hi: 6, N: 10}, ns))
	assert.Equal(t, "-", interval(measure.Estimate{}, ns))
	assert.Equal(t, "| a | bb |\n|---|----|\n| c | d  |\n", table([]string{"a", "bb"}, [][]string{{"c", "d"}}))
}
