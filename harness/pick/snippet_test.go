package pick

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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

// snippets are of every scheme that may be picked, for a workload of stops and one of restarts.
func snippets(t *testing.T) (all []string) {
	for _, name := range []string{"tcp-rto", "netty-idle"} {
		w := preset(t, name)
		for _, info := range (Limits{}).Eligible() {
			all = append(all, Snippet(sized(info, w, 0)[0], w))
		}
	}
	return all
}

// Snippets compile in a fresh module that only replaces this one, without the network.
func TestSnippetsCompile(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
	mod := fmt.Sprintf("module fresh\n\ngo 1.26\n\nrequire timerlab v0.0.0\n\nreplace timerlab => %s\n", root)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644))
	for i, text := range snippets(t) {
		folder := filepath.Join(dir, fmt.Sprint("snippet", i))
		require.NoError(t, os.Mkdir(folder, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(text), 0o644))
	}
	vet := exec.Command("go", "vet", "./...")
	vet.Dir = dir
	vet.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := vet.CombinedOutput()
	assert.NoError(t, err, string(out))
	if testing.Short() {
		return
	}
	runs := exec.Command("go", "run", "./snippet0", "-for", "300ms") // the network is not needed
	runs.Dir, runs.Env = dir, vet.Env
	out, err = runs.CombinedOutput()
	require.NoError(t, err, string(out))
	var ticks, expired int
	var elapsed string
	_, err = fmt.Sscanf(string(out), "%d ticks in %s %d timers expired", &ticks, &elapsed, &expired)
	require.NoError(t, err, string(out))
	took, err := time.ParseDuration(strings.TrimSuffix(elapsed, ":"))
	require.NoError(t, err)
	assert.EqualValues(t, took/preset(t, "tcp-rto").Tick, ticks, "it keeps up with the clock")
	assert.Positive(t, expired)
}

// Snippets have the workload's own durations, and a Reset if its timers are restarted.
func TestSnippets(t *testing.T) {
	idle := Snippet(run.Subject{Info: &hierarchical.Chunked, Levels: []int{256, 64}}, preset(t, "netty-idle"))
	for _, want := range []string{
		`harness.Find("hierarchical-chunked")`, "schemes.Config{Capacity: n, Levels: []int{256, 64}}",
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
		assert.Contains(t, Snippet(in[0], w), `harness.Find("toy")`)
	}
}

// minimal hides the optional interfaces of a scheme.
type minimal struct{ schemes.Scheme }
