package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// eighth is a scheme of somebody else's, laid over the repository: one folder, and one
// line in the registry besides its import.
type eighth struct {
	overlay string
	bench   string // the command, built with the scheme
}

func newEighth(t *testing.T) eighth {
	t.Helper()
	root, err := filepath.Abs(repository)
	require.NoError(t, err)
	tmp := t.TempDir()
	registry := read(t, filepath.Join(root, "harness", "registry.go"))
	for _, line := range [][2]string{
		{"\t\"timerlab/schemes/tree\"\n", "\t\"timerlab/schemes/sortedslice\"\n"},
		{"\t&hierarchical.Info,\n", "\t&sortedslice.Info,\n"},
	} {
		require.Contains(t, registry, line[0])
		registry = strings.Replace(registry, line[0], line[0]+line[1], 1)
	}
	replaced := filepath.Join(tmp, "registry.go")
	require.NoError(t, os.WriteFile(replaced, []byte(registry), 0o644))
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(root, "harness", "registry.go"):                   replaced,
		filepath.Join(root, "schemes", "sortedslice", "sortedslice.go"): filepath.Join(root, "cmd", "bench", "testdata", "sortedslice", "sortedslice.go.txt"),
	}})
	require.NoError(t, err)
	e := eighth{filepath.Join(tmp, "overlay.json"), filepath.Join(tmp, "bench")}
	require.NoError(t, os.WriteFile(e.overlay, overlay, 0o644))
	e.run(t, "go", "build", "-overlay", e.overlay, "-o", e.bench, "./cmd/bench")
	return e
}

// run runs a command in the repository and returns its output.
func (e eighth) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = repository
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s\n%s", name, strings.Join(args, " "), out)
	return string(out)
}

func TestAnEighthSchemeIsOneFolderAndOneLine(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	e := newEighth(t)
	dir := t.TempDir()
	const both = "sortedslice,hashunsorted"

	assert.Contains(t, e.run(t, e.bench, "list"), "sortedslice")
	assert.Contains(t, e.run(t, e.bench, "verify", "--schemes", "sortedslice"), "1 scheme keeps every rule")
	e.run(t, e.bench, "run", "-n", "100,1k", "-M", "1024", "-T", "1k", "--rounds", "1", "--schemes", both, "--out", dir)
	file := raw(t, dir)
	assert.Contains(t, read(t, file), "BenchmarkLifetime/scheme=sortedslice/n=1k/")
	assert.NotContains(t, read(t, file), "skipped")

	e.run(t, e.bench, "plot", file, "--out", filepath.Join(dir, "figures"))
	assert.Contains(t, read(t, filepath.Join(dir, "figures", "start.svg")), "sortedslice")
	e.run(t, e.bench, "report", file, "--out", dir)
	assert.Contains(t, read(t, filepath.Join(dir, "README.md")), "sortedslice")

	picked := e.run(t, e.bench, "pick", "-n", "100", "--interval", "exp:1s", "--schemes", both, "--budget", "2s", "-v")
	assert.Regexp(t, `(?m)^(tie|\d+) +sortedslice |^ +sortedslice: .* times the best`, picked, "it raced")

	timed := e.run(t, "go", "test", "-vet=off", "-overlay", e.overlay, "-run", "^$", "-bench", "/scheme=sortedslice/n=1k/", "-benchtime", "1x", "./harness")
	for _, op := range []string{"Start", "Stop", "PerTick", "Lifetime"} {
		assert.Contains(t, timed, "Benchmark"+op+"/scheme=sortedslice/")
	}
}
