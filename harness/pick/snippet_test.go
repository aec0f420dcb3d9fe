package pick

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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

// A program keeps up with the clock, and timers expire at their rate from the first tick on: by Little's law if nothing
// else ends them; else as many as are as old as their interval.
func TestSnippetsBeginInTheSteadyState(t *testing.T) {
	expire := FromPreset(demandOf(t, 5000, "exp:500ms"))
	sum := 0.
	for _, interval := range expire.quantiles(9) {
		sum += float64(interval)
	}
	restart, err := Request{N: 20_000, Interval: "3s", Restart: "exp:500ms"}.Workload()
	require.NoError(t, err)
	h := 1. / 500
	best := run.Subject{Info: &hierarchical.Chunked, Levels: []int{256, 64}}
	program := goIn(t, Snippet(best, expire), Snippet(best, restart))
	for i, perTick := range []float64{5000 / (sum / 9), 20_000 * h / math.Expm1(h*3000)} {
		var ticks, expired int
		var elapsed string
		out := program("run", fmt.Sprintf("./%d", i), "-for", "500ms")
		_, err := fmt.Sscanf(out, "%d ticks in %s %d timers expired", &ticks, &elapsed, &expired)
		require.NoError(t, err, out)
		took, err := time.ParseDuration(strings.TrimSuffix(elapsed, ":"))
		require.NoError(t, err)
		assert.EqualValues(t, took/time.Millisecond, ticks, "it keeps up with the clock")
		want := perTick * float64(ticks)
		assert.InDelta(t, want, expired, 5*math.Sqrt(want), "%d", i)
	}
}

// The registry has each scheme that may be picked as the variable that a snippet names.
func TestVariables(t *testing.T) {
	registry, err := os.ReadFile("../registry.go")
	require.NoError(t, err)
	registered := regexp.MustCompile(`&(\w+\.\w+),`).FindAllStringSubmatch(string(registry), -1)
	require.Len(t, registered, len(harness.Schemes))
	for i, info := range harness.Schemes {
		if pkg, variable := variable(info.Name); slices.Contains((Limits{}).Eligible(), info) {
			assert.Equal(t, registered[i][1], pkg+"."+variable, info.Name)
		}
	}
}

// Snippets have the workload's own durations, and a Restart if its timers are restarted.
func TestSnippets(t *testing.T) {
	idle := Snippet(run.Subject{Info: &hierarchical.Chunked, Levels: []int{256, 64}}, preset(t, "netty-idle"))
	for _, want := range []string{
		"hierarchical.Chunked.New(schemes.Config{Capacity: n, Levels: []int{256, 64}}",
		"n    = 300000", "tick = 100 * time.Millisecond", "schemes.Tick{600}", "Restart(handles[id], interval())",
	} {
		assert.Contains(t, idle, want)
	}
	stops := Snippet(run.Subject{Info: &hashunsorted.Info, Slots: 512}, preset(t, "rpc-relay"))
	assert.Contains(t, stops, "Slots: 512")
	assert.Contains(t, stops, "timers.Stop(handles[id])")
	assert.NotContains(t, stops, "Restart(")
	mixed := Workload{Lives: []workload.Life{{Interval: 9, Share: 0.25}, {Interval: 1, Share: 0.75}}}
	assert.Equal(t, []schemes.Tick{1, 1, 1, 9}, mixed.quantiles(4))
	assert.Contains(t, Snippet(run.Subject{Info: &hashunsorted.Info, Slots: 512}, mixed), "schemes.Tick{1, 1, 1, 1, 1, 1, 1, 9, 9}")
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
