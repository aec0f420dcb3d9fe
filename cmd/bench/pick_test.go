package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"timerlab/harness/workload"

	"timerlab/harness/results"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/pick"
	"timerlab/schemes/hashunsorted"
)

// small is a workload that takes little time.
var small = []string{"pick", "-n", "300", "--interval", "uniform:10ms,500ms", "--stop", "0.5@exp:100ms", "--tick", "1ms", "--budget", "500ms", "--schemes", "hashunsorted,hierarchical"}

func TestPick(t *testing.T) {
	code, out, errOut := bench(t, small...)
	require.Equal(t, 0, code, errOut)
	for _, want := range []string{"from flags", "300 timers outstanding", "are stopped", "hierarchical 32x16", "hashunsorted M=512", "of a CPU", "again: go run ./cmd/bench pick --budget=500ms", "s.Expire(func"} {
		assert.Contains(t, out, want)
	}
	assert.True(t, strings.Contains(out, "Pick ") || strings.Contains(out, "A tie: "), out)
}

// What a race has when it is interrupted is printed, without the times of ticks, which
// come last.
func TestPickInterruptedOutput(t *testing.T) {
	r := pick.Result{Candidate: pick.Candidate{Info: &hashunsorted.Info, Slots: 256}, Bytes: 5000}
	r.Life = results.Summarize([]float64{50})
	r.Ratio = results.Summarize([]float64{1})
	other := r
	other.Slots, other.Bytes = 512, 6000
	var b strings.Builder
	w := picture{Workload: pick.Workload{Numbers: workload.Numbers{N: 10, Rate: 1, Residence: 10, Longest: 100}}, tick: time.Second}
	p := picking{Outcome: pick.Outcome{Rounds: 1, Results: []pick.Result{r, other}}, command: "again", without: "it was not asked for"}
	require.NoError(t, p.printText(&b, w))
	assert.Contains(t, b.String(), "Memory is least with hashunsorted M=256 (4.88 KiB).")
	assert.NotContains(t, b.String(), "longest tick")
	assert.NotContains(t, b.String(), "0s")
}

// pickJSON picks, and reads what was printed.
func pickJSON(t *testing.T, args ...string) (p picked) {
	t.Helper()
	code, out, errOut := bench(t, args...)
	require.Equal(t, 0, code, errOut)
	require.NoError(t, json.Unmarshal([]byte(out), &p))
	return p
}

func TestPickJSON(t *testing.T) {
	p := pickJSON(t, append(small, "--json")...)
	assert.Equal(t, 300, p.Workload.N)
	assert.InDelta(t, 1, p.Workload.Expired+p.Workload.Stopped+p.Workload.Restarted, 1e-9)
	assert.NotEmpty(t, p.Winners)
	assert.NotEmpty(t, p.Ranking)
	assert.Contains(t, p.Command, "--json")
	for _, row := range p.Ranking {
		assert.Positive(t, row.LifeNs)
		assert.Positive(t, row.Bytes)
	}
}

func TestPickFromATrace(t *testing.T) {
	var b strings.Builder
	b.WriteString("# tick: 5ms\n")
	for tick := range 3000 {
		for k := range 3 {
			fmt.Fprintf(&b, "%d start %d %d\n", tick, 3*tick+k, 20+10*k)
		}
	}
	file := filepath.Join(t.TempDir(), "trace")
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	p := pickJSON(t, "pick", "--trace", file, "--budget", "300ms", "--schemes", "hierarchical", "--json")
	assert.InDelta(t, 90, p.Workload.N, 1) // 3 a tick that stay 30 ticks
	assert.InDelta(t, 30, p.Workload.ResidenceTicks, 0.3)
	assert.EqualValues(t, 40, p.Workload.LongestTicks)
	assert.InDelta(t, 1, p.Workload.Expired, 1e-9)
}

func TestPickBadInput(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty, []byte("# tick: 1ms\n0 start 1 5\n"), 0o644))
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"", exitUsage, "which workload?"},
		{"--preset nothing", exitUsage, `bench: unknown preset "nothing" (have idle-heartbeat`},
		{"--preset hold -n 5", exitUsage, "allowed one of them"},
		{"-n 5", exitUsage, "no --interval"},
		{"--interval const:20s", exitUsage, "use two"},
		{"-n 5 --interval gauss:20s", exitUsage, `"gauss:20s"`},
		{"-n 500 --rate 10 --interval const:20s", exitUsage, "10/s × 20s = 200"},
		{"-n 5 --interval const:20s --residence 10s", exitUsage, "a timer stays 20s on average"},
		{"-n 5 --interval const:20s --residence soon", exitUsage, `"soon"`},
		{"-n 5 --interval const:20s --stop 0.5", exitUsage, `invalid distribution "0.5"`},
		{"-n 5 --interval const:20s --stop 2@const:1s", exitUsage, `stop "2@const:1s" (use a share of timers from 0 to 1`},
		{"-n 5 --interval const:20s --restart x", exitUsage, `"x"`},
		{"-n 5 --interval const:20s --tick 1h", exitUsage, "use a shorter tick"},
		{"-n 5 --interval const:20s --tick -1s", exitUsage, "allowed above 0"},
		{"-n 5 --interval const:20s --budget 0s", exitUsage, "allowed above 0"},
		{"-n 5 --interval const:20s --memory lots", exitUsage, `"lots"`},
		{"-n 2M --interval const:20s --memory 1MiB", exitUsage, "the least that any scheme takes"},
		{"-n 5 --interval const:20s --schemes tree-bst", exitUsage, "none of them races, allowed hierarchical-chunked"},
		{"-n 5 --interval const:20s --schemes none", exitUsage, `scheme "none"`},
		{"-n 2 --interval const:20d", exitUsage, "want a longer tick"},
		{"--rate -5 --interval const:20s", exitUsage, "allowed above 0"},
		{"--rate 1G --interval const:20d", exitUsage, "timers, allowed 1 to"},
		{"-n 5 --interval const:20s --late 10", exitUsage, `--late "10", allowed above 0% to 100%`},
		{"-n 5 --interval const:20s --late -3%", exitUsage, `--late "-3%"`},
		{"-n 5 --interval const:20s --longest 5s", exitUsage, "allowed 20000, the longest that occurs, to"},
		{"-n 5 --interval const:20s --longest soon", exitUsage, `invalid duration "soon"`},
		{"-n 5 --interval const:20s --prices maybe", exitUsage, "--prices: allowed auto, new, none or a file of prices: open maybe"},
		{"-n 5 --interval const:20s --plot here.pdf", exitUsage, `--plot "here.pdf", allowed a file that ends with .svg or .png`},
		{"--preset cron --tick 5ms", exitUsage, "told in ticks"},
		{"sweep", exitUsage, "no --file"},
		{"sweep --file x --budget 0s", exitUsage, "allowed above 0"},
		{"sweep more", exitUsage, "takes no argument"},
		{"sweep --print --file /none/such", exitFailure, "no such file"},
		{"--trace /none/such", exitFailure, "no such file"},
		{"--trace " + empty, exitFailure, "no timer ends within the trace"},
	} {
		code, _, errOut := bench(t, append([]string{"pick"}, strings.Fields(test.args)...)...)
		assert.Equal(t, test.code, code, "%s: %s", test.args, errOut)
		assert.Contains(t, errOut, test.want, test.args)
		assert.Equal(t, 1, strings.Count(errOut, "\n"), "one line: %s", errOut)
	}
}

// One wheel would do, and a hierarchy has two all the same.
func TestPickShortIntervals(t *testing.T) {
	code, out, errOut := bench(t, "pick", "-n", "1000", "--interval", "const:5ms", "--schemes", "hierarchical", "--budget", "200ms")
	require.Equal(t, 0, code, errOut)
	assert.Contains(t, out, "Pick hierarchical 4x2.")
}

// Timers that have not ended count as well.
func TestPickFromATraceWithLongTimers(t *testing.T) {
	var b strings.Builder
	b.WriteString("# tick: 1ms\n")
	for k := range 1000 {
		fmt.Fprintf(&b, "5000 start %d 30000\n", k)
	}
	for tick := 5000; tick < 15_000; tick += 10 {
		fmt.Fprintf(&b, "%d start 5000 10\n", tick)
	}
	file := filepath.Join(t.TempDir(), "trace")
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	p := pickJSON(t, "pick", "--trace", file, "--budget", "300ms", "--schemes", "hierarchical", "--json")
	assert.EqualValues(t, 30_000, p.Workload.LongestTicks)
	assert.InDelta(t, 1001, p.Workload.N, 1)
	assert.InEpsilon(t, 15_005, p.Workload.ResidenceTicks, 0.01)
	assert.NotEmpty(t, p.Workload.Assumed)
}

func TestListPresets(t *testing.T) {
	code, out, errOut := bench(t, "list", "presets")
	require.Equal(t, 0, code, errOut)
	for _, want := range []string{"idle-heartbeat: two million", "const:30s, restarted after uniform:8s,12s", "assumed", "T. Gleixner, 2016"} {
		assert.Contains(t, out, want)
	}
}

// prices is a file of a small calibration.
func prices(t *testing.T) string {
	m, err := pick.Calibration{Sets: []float64{50_000, 100_000}, Lives: 2_000}.Run(t.Context(), func(int, int, string) {})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "prices")
	require.NoError(t, pick.SaveModel(file, m))
	return file
}

// Prices make predictions, flip points and the lines of a figure, in text and JSON.
func TestPickPredicts(t *testing.T) {
	small := append(small, "--prices", prices(t))
	figure := filepath.Join(t.TempDir(), "pick.svg")
	code, out, errOut := bench(t, append(small, "--plot", figure)...)
	require.Equal(t, 0, code, errOut)
	for _, want := range []string{"predicted", "Predictions were off by", "where something else would take", "  T ", "  n ", "  M from"} {
		assert.Contains(t, out, want)
	}
	svg, err := os.ReadFile(figure)
	require.NoError(t, err)
	for _, want := range []string{"the pick", "hashunsorted", "ns a life", "go run ./cmd/bench pick"} {
		assert.Contains(t, string(svg), want)
	}
	p := pickJSON(t, append(small, "--json")...)
	assert.Positive(t, p.Model)
	assert.Positive(t, p.Ranking[0].Model)
	assert.NotEmpty(t, p.Flips)
}

// Without prices everyone who may runs, and the output says why nothing is predicted.
func TestPickWithoutPrices(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	code, out, errOut := bench(t, small...)
	require.Equal(t, 0, code, errOut)
	assert.Contains(t, out, "Nothing was predicted: no prices are known for this machine and commit, and --budget 500ms is too short to find them, want 40s.")
	code, out, errOut = bench(t, append(small, "--prices", "none", "--longest", "1h", "--late", "100%")...)
	require.Equal(t, 0, code, errOut)
	assert.Contains(t, out, "Nothing was predicted: --prices none.")
	assert.Contains(t, out, "at most 3.6e+06 ticks, 1h0m0s")
}

// A worst case has its phases in the race.
func TestPickAWorstCase(t *testing.T) {
	code, out, errOut := bench(t, "pick", "--preset", "all-at-once", "--budget", "1s", "--prices", "none", "--schemes", "hashunsorted-chunked")
	require.Equal(t, 0, code, errOut)
	assert.Regexp(t, `Pick hashunsorted-chunked|A tie`, out)
	assert.Contains(t, out, "all timers expire on one tick")
}

func TestSweep(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sweep")
	args := []string{"pick", "sweep", "--file", file, "--match", "akka", "--budget", "500ms", "--truth", "500ms", "--prices", prices(t)}
	code, out, errOut := bench(t, args...)
	require.Equal(t, 0, code, errOut)
	assert.Regexp(t, `[01] of 1 picks`, out)
	assert.Contains(t, out, "| akka-ask | 10k |")
	again, err := os.ReadFile(file)
	require.NoError(t, err)
	code, second, errOut := bench(t, args...)
	require.Equal(t, 0, code, errOut)
	assert.Equal(t, out, second, "nothing is judged twice")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, again, data)
	code, printed, errOut := bench(t, "pick", "sweep", "--file", file, "--print")
	require.Equal(t, 0, code, errOut)
	assert.Equal(t, out, printed)
	code, _, errOut = bench(t, "pick", "sweep", "--file", file, "--truth", "-1s")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, errOut, "--truth -1s, allowed above 0")
	code, _, errOut = bench(t, "pick", "sweep", "--file", file, "--match", "nobody", "--prices", prices(t))
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, errOut, `--match "nobody"`)
}
