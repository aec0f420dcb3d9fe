package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/pick"
	"timerlab/harness/report"
)

// small is a workload that takes little time: the race is sure long before its two seconds are over, also on a busy machine.
var small = []string{"pick", "-n", "300", "--interval", "uniform:10ms,500ms", "--stop", "0.5@exp:100ms", "--tick", "1ms",
	"--budget", "5s", "--schemes", "hashunsorted"}

// The page has all its parts.
func TestPick(t *testing.T) {
	out := succeeds(t, append(small, "-v", "--code")...)
	assert.Regexp(t, `^Use scheme 6, hashunsorted with \d+ slots: `, out)
	containsAll(t, out, "n = 300 outstanding", "are stopped", "hashunsorted ", "import \"timerlab/schemes/hashunsorted\"\n    hashunsorted.Info.New(",
		"go run ./cmd/bench pick --budget=", "timers.Expire(action")
}

// pickedJSON is what of the JSON the tests read.
type pickedJSON struct {
	Version        int
	Recommendation string
	Partial        bool
	Workload       struct {
		N                           int
		Mean                        float64 `json:"mean_ticks"`
		Longest                     uint64  `json:"longest_interval_ticks"`
		Expired, Stopped, Restarted float64
		Assumed                     []string
	}
	Results []struct {
		Scheme string
		Rank   int
		Ns     struct{ Median float64 } `json:"ns_per_timer"`
		Bytes  int64
	}
	Services []struct{ Name string }
	Command  string
	Code     string
}

// pickJSON picks, and reads what was printed.
func pickJSON(t *testing.T, args ...string) (p pickedJSON) {
	t.Helper()
	out := succeeds(t, args...)
	require.NoError(t, json.Unmarshal([]byte(out), &p))
	return p
}

func TestPickJSON(t *testing.T) {
	p := pickJSON(t, append(small, "--format", "json")...)
	assert.Equal(t, report.JSONVersion, p.Version)
	assert.Equal(t, 300, p.Workload.N)
	assert.InDelta(t, 1, p.Workload.Expired+p.Workload.Stopped+p.Workload.Restarted, 1e-9)
	assert.Contains(t, p.Recommendation, "cheme ")
	assert.False(t, p.Partial)
	assert.Contains(t, p.Command, "--format=json")
	assert.Contains(t, p.Code, "package main")
	require.NotEmpty(t, p.Results)
	assert.Equal(t, 1, p.Results[0].Rank)
	for _, r := range p.Results {
		if r.Rank > 0 {
			assert.Positive(t, r.Ns.Median)
			assert.Positive(t, r.Bytes)
			assert.NotEmpty(t, r.Scheme)
		}
	}
}

// workloadOf returns the workload that the flags of pick describe.
func workloadOf(t *testing.T, args ...string) pick.Workload {
	t.Helper()
	j, cmd := &pickJob{}, &cobra.Command{}
	j.flags(cmd)
	require.NoError(t, cmd.ParseFlags(args))
	cmd.SetContext(t.Context())
	w, err := j.workload(cmd)
	require.NoError(t, err)
	return w
}

func TestPickFromATrace(t *testing.T) {
	var b strings.Builder
	b.WriteString("# tick: 5ms\n")
	for tick := range 3000 {
		for k := range 3 {
			fmt.Fprintf(&b, "%d start %d %d\n", tick, 3*tick+k, 20+10*k)
		}
	}
	w := workloadOf(t, "--trace", fileOf(t, b.String()))
	assert.InDelta(t, 90, w.N, 1) // 3 a tick that stay 30 ticks
	assert.InDelta(t, 30, w.MeanStay, 0.3)
	assert.EqualValues(t, 40, w.Longest)
	assert.InDelta(t, 1, w.Expired, 1e-9)
}

func TestPickBadInput(t *testing.T) {
	empty := fileOf(t, "# tick: 1ms\n0 start 1 5\n")
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"", exitUsage, "no workload (use --preset, --trace, or -n and --interval"},
		{"--preset nothing", exitUsage, `bench: unknown preset "nothing" (have idle-heartbeat`},
		{"--preset hold --trace x", exitUsage, "--preset and --trace are mutually exclusive"},
		{"--preset hold --interval 5s", exitUsage, "preset hold has its own intervals"},
		{"--preset cron -n 5", exitUsage, "preset cron has fixed phases, so its n cannot be changed"},
		{"-n 5", exitUsage, "no interval (use a distribution such as 30s)"},
		{"-n 5K --interval 20s", exitUsage, `invalid count "5K" (use a whole number from 1 to 100M, optionally with suffix k, M or G)`},
		{"--interval const:20s", exitUsage, "neither n nor rate given"},
		{"-n 5 --interval gauss:20s", exitUsage, `"gauss:20s"`},
		{"-n 500 --rate 10 --interval const:20s", exitUsage, "--rate and --timers are mutually exclusive"},
		{"-n 5 --interval 60s --restart 0s", exitUsage, `restart: invalid distribution "0s": invalid duration "0s" (use a duration above 0 and up to 10000y`},
		{"-n 5 --interval 60s --restart 90s", exitUsage, "timers are never restarted after 90s, as their interval 60s ends before"},
		{"-n 5 --interval const:20s --tick 1h", exitUsage, "use a shorter tick"},
		{"-n 5 --interval const:20s --hz 60", exitUsage, "--hz needs --trace"},
		{"-n 2M --interval const:20s --memory 1MiB", exitUsage, "with any scheme, the limit is 1 MiB"},
		{"-n 5 --interval const:20s --late 5ms", exitUsage, `invalid percentage "5ms" (use a percentage above 0% up to 100%)`},
		{"-n 5 --interval const:20s --schemes tree-bst", exitUsage, "tree-bst cannot be picked (have "},
		{"--rate 1G --interval const:20d", exitUsage, "timers (use 1 to"},
		{"--preset ttl-cache --tick 3ms", exitUsage, "tick 3ms (use one of which 1s, which the clock passes at once, is a multiple)"},
		{"--preset ttl-cache --tail 3ms", exitUsage, "the limit of a tick's time needs a clock that passes tick by tick"},
		{"--preset cron --tick 5ms", exitUsage, "its tick cannot be changed"},
		{"sweep", exitUsage, `0 files of a sweep and --out "" (use --out`},
		{"sweep more --out x", exitUsage, `1 files of a sweep and --out "x"`},
		{"sweep --out x --filter no-such", exitUsage, `no workload matches --filter "no-such"`},
		{"sweep /none/such", exitFailure, "no such file"},
		{"--trace /none/such", exitFailure, "no such file"},
		{"--trace " + empty, exitFailure, "no timer ends within the trace"},
	} {
		refuses(t, test.code, test.want, append([]string{"pick"}, strings.Fields(test.args)...)...)
	}
}

// Timer services are measured on the same workload, and the advice follows from them.
func TestPickServices(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes the 12 seconds of its budget")
	}
	args := []string{"pick", "-n", "2000", "--interval", "mix:0.5*1s+0.5*20s", "--stop", "0.3@const:500ms", "--restart", "0.3@const:700ms",
		"--budget", "12s", "--schemes", "hashunsorted-chunked"}
	p := pickJSON(t, append(args, "--format", "json")...)
	require.Len(t, p.Services, 5)
	assert.Equal(t, "time.AfterFunc", p.Services[0].Name)
	assert.Contains(t, p.Code, "timers.Stop(")
}

// A cache turns its wheel by steps. Services, which know none, are not measured.
func TestPickACache(t *testing.T) {
	defer func(least time.Duration) { leastForServices = least }(leastForServices)
	leastForServices = time.Millisecond
	out := succeeds(t, "pick", "--preset", "ttl-cache", "-n", "500", "--budget", "9s", "--schemes", "hierarchical", "-v")
	containsAll(t, out, "of which the clock passes 1000 at once (schemes.Advancer)\n", "\nTicks are not timed: the clock steps over them.\n")
	assert.NotContains(t, out, "time.AfterFunc")
}

// interrupter is an output that interrupts its command when something is written.
type interrupter struct {
	bytes.Buffer
	interrupt context.CancelFunc
}

func (w *interrupter) Write(b []byte) (int, error) {
	w.interrupt()
	return w.Buffer.Write(b)
}

// The scheme is printed before services are measured. An interrupt then leaves it, and the command to repeat.
func TestPickPrintsTheSchemeFirst(t *testing.T) {
	defer func(least time.Duration) { leastForServices = least }(leastForServices)
	leastForServices = 100 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	out := &interrupter{interrupt: cancel}
	assert.Equal(t, exitInterrupted, execute(ctx, small, out, io.Discard))
	containsAll(t, out.String(), "hashunsorted.Info.New(", "--budget=")
	assert.NotContains(t, out.String(), "time.AfterFunc")
}

// What a file has is printed, and not judged again.
func TestSweep(t *testing.T) {
	machine, err := thisMachine("pick")
	require.NoError(t, err)
	verdict := pick.Verdict{Name: "cron", Picked: "hierarchical 64x64", Best: "hierarchical 64x64", Ratio: 1}
	data, err := json.Marshal(pick.Judgement{Version: pick.JudgementVersion, Machine: machine, Seed: 1, Verdicts: []pick.Verdict{verdict}})
	require.NoError(t, err)
	file := fileOf(t, string(data))
	out := succeeds(t, "pick", "sweep", "--out", file, "--filter", "cron")
	containsAll(t, out, "**1 of 1 workloads", "| cron ")
	assert.Equal(t, out, succeeds(t, "pick", "sweep", file, "--filter", "cron"))
	assert.Contains(t, succeeds(t, "pick", "sweep", file, "--filter", "sparse"), "Nothing is judged yet.")
	printed := succeeds(t, "pick", "sweep", file)
	assert.Regexp(t, `123 workloads have no pick: idle-heartbeat, .*, random-100\.`, printed)
	put(t, file, `{"version": 1, "verdicts": [{"name": "cron"}]}`)
	refuses(t, exitFailure, fmt.Sprintf("version 1 is of another picker (must be %d)", pick.JudgementVersion), "pick", "sweep", file)
}

// A preset's timers and tick can be changed.
func TestPickAChangedPreset(t *testing.T) {
	w := workloadOf(t, "--preset", "netty-idle", "-n", "5k", "--tick", "50ms")
	assert.Equal(t, 5000, w.N)
	assert.InDelta(t, 101, w.MeanStay, 1)
	assert.NotNil(t, workloadOf(t, "--preset", "all-at-once").Phases, "a worst case has its phases in the race")
}
