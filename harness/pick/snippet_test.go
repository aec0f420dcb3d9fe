package pick

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

// goIn returns a function that runs the go command, without the network, in a fresh module that only replaces this
// one. The module has a program for each text, in the folders 0, 1 and so on.
func goIn(t *testing.T, programs ...string) func(args ...string) string {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	mod := fmt.Sprintf("module fresh\n\ngo 1.26\n\nrequire timerlab v0.0.0\n\nreplace timerlab => %s\n", root)
	files := fstest.MapFS{"go.mod": {Data: []byte(mod)}}
	for i, text := range programs {
		files[fmt.Sprintf("%d/main.go", i)] = &fstest.MapFile{Data: []byte(text)}
	}
	require.NoError(t, os.CopyFS(dir, files))
	return func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
}

// Snippets of every scheme that may be picked, for a workload of stops and one of restarts, compile, and need of this
// module the schemes alone.
func TestSnippetsCompile(t *testing.T) {
	var all []string
	for _, info := range (Limits{}).Eligible() {
		for _, w := range []Workload{preset(t, "tcp-rto"), preset(t, "netty-idle")} {
			all = append(all, Snippet(sized(info, w, 0)[0], w))
		}
	}
	run := goIn(t, all...)
	run("vet", "./...")
	for path := range strings.Lines(run("list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./...")) {
		assert.Regexp(t, "^(fresh/|timerlab/schemes|golang.org/x/sys/)", path)
	}
}

// A program's timers expire, are stopped and restarted at the workload's rates from the first tick on, rare ends too, and
// where both stops and restarts occur. By Little's law, n/T lives end a tick; that their numbers vary less than Poisson's
// do leaves room for the means of the program's few lives.
func TestSnippetsAreTheWorkload(t *testing.T) {
	best := run.Subject{Info: &hierarchical.Chunked, Levels: []int{256, 64}}
	var all []Workload
	var programs []string
	for i, r := range []Request{
		{N: 5000, Interval: "exp:500ms"}, {N: 20_000, Interval: "3s", Restart: "exp:500ms"},
		{N: 20_000, Interval: "uniform:200ms,2s", Stop: "0.7@lognormal:100ms,200ms", Restart: "0.9@uniform:100ms,1s"},
		{N: 50_000, Interval: "mix:0.9*1s+0.1*10s", Stop: "0.99@exp:200ms"},
	} {
		w, err := r.Workload()
		require.NoError(t, err)
		c := best
		if i == 2 { // not of the package that stops and restarts timers
			c = run.Subject{Info: &hashunsorted.Info, Slots: 512}
		}
		all, programs = append(all, w), append(programs, Snippet(c, w))
	}
	program := goIn(t, programs...)
	for i, w := range all {
		assert.LessOrEqual(t, strings.Count(programs[i], "\n"), 100)
		var ticks int
		var elapsed string
		var ended [3]float64
		out := program("run", fmt.Sprintf("./%d", i), "-for", "1s")
		_, err := fmt.Sscanf(out, "%d ticks in %s %f timers expired, %f stopped, %f restarted", &ticks, &elapsed, &ended[0], &ended[1], &ended[2])
		require.NoError(t, err, out)
		for fate, share := range []float64{w.Expired, w.Stopped, w.Restarted} {
			want := w.Rate * share * float64(ticks)
			assert.InDelta(t, want, ended[fate], 5*math.Sqrt(want), "%d: %v of %v", i, workload.Fate(fate), w.Source)
		}
	}
}

// Snippets have the workload's own durations, and a Restart if its timers are restarted.
func TestSnippets(t *testing.T) {
	idle := Snippet(run.Subject{Info: &hierarchical.Chunked, Levels: []int{256, 64}}, preset(t, "netty-idle"))
	for _, want := range []string{"hierarchical.Chunked.New(schemes.Config{Capacity: n, Levels: []int{256, 64}})) // intervals of up to 16384 ticks (27.3 min)",
		"n, tick = 300000, 100 * time.Millisecond", ", 600, ", ".Restart(handles[id], l.interval)"} {
		assert.Contains(t, idle, want)
	}
	assert.Contains(t, Snippet(run.Subject{Info: &hashunsorted.Info, Slots: 512}, preset(t, "rpc-relay")), "n, Slots: 512})) // any interval")
	assert.NotContains(t, Snippet(run.Subject{Info: &hashunsorted.Info, Slots: 512}, FromPreset(demandOf(t, 9, "1s"))), "ends")
	assert.Contains(t, Snippet(run.Subject{Info: &hashunsorted.Info}, preset(t, "all-at-once")), "It is an example: the workload")
}

// A scheme that is only registered, of any kind, is a candidate, races and has a snippet.
func TestEighthScheme(t *testing.T) {
	registered := harness.Schemes
	defer func() { harness.Schemes = registered }()
	for kind := schemes.Other; kind <= schemes.Hierarchy+1; kind++ {
		toy := schemes.Info{
			Name: "toy", Title: "Toy", Kind: kind,
			New: func(cfg schemes.Config) (schemes.Scheme, error) {
				s, err := hierarchical.Info.New(schemes.Config{Now: cfg.Now})
				return minimal{s}, err
			},
			Range: func(schemes.Config) schemes.Tick { return 1 << 32 },
		}
		harness.Schemes = append(registered[:len(registered):len(registered)], &toy)
		w := small(t)
		in, _ := candidates(w, Limits{Only: []string{"toy"}}, 0)
		require.NotEmpty(t, in, kind)
		o, err := Race{Workload: w, Budget: time.Minute, Cost: func(schemes.Counts) float64 { return 1 }}.Run(t.Context(), in[:1], none)
		require.NoError(t, err)
		require.Len(t, o.Winners(), 1, kind)
		assert.Contains(t, Snippet(in[0], w), "toy.Info.New(")
	}
}

// minimal hides the optional interfaces of a scheme.
type minimal struct{ schemes.Scheme }
