package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A scheme of somebody else's, here of the module harness/testdata/ninth, is one folder, and one line in the registry
// besides its import. It is laid over the repository, and the command is built with it.
func TestAnEighthSchemeIsOneFolderAndOneLine(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	root, err := filepath.Abs(repository)
	require.NoError(t, err)
	registry := read(t, filepath.Join(root, "harness", "registry.go"))
	for _, line := range [][2]string{
		{"\t\"timerlab/schemes/tree\"\n", "\t\"timerlab/schemes/ninth\"\n"},
		{"\t&hierarchical.Info,\n", "\t&ninth.Info,\n"},
	} {
		require.Contains(t, registry, line[0])
		registry = strings.Replace(registry, line[0], line[0]+line[1], 1)
	}
	dir := t.TempDir()
	replaced, overlay := filepath.Join(dir, "registry.go"), filepath.Join(dir, "overlay.json")
	built := filepath.Join(dir, "bench")
	put(t, replaced, registry)
	put(t, overlay, fmt.Sprintf(`{"Replace": {%q: %q, %q: %q}}`, filepath.Join(root, "harness", "registry.go"), replaced,
		filepath.Join(root, "schemes", "ninth", "ninth.go"), filepath.Join(root, "harness", "testdata", "ninth", "ninth.go")))
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = repository
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s %s\n%s", name, strings.Join(args, " "), out)
		return string(out)
	}
	run("go", "build", "-overlay", overlay, "-o", built, "./cmd/bench")
	const both = "ninth,hashunsorted"

	assert.Contains(t, run(built, "list"), "ninth")
	assert.Contains(t, run(built, "verify", "--short", "--schemes", "ninth"), "1 scheme verified")
	run(built, "run", "-n", "10,100", "-M", "64", "-T", "100", "--rounds", "1", "--layouts", "0", "--schemes", both, "--out", dir)
	file := raw(t, dir)
	assert.Contains(t, read(t, file), "BenchmarkLifetime/scheme=ninth/n=100/")
	assert.NotContains(t, read(t, file), "skipped")

	run(built, "report", file, "--out", dir)
	assert.Contains(t, read(t, filepath.Join(dir, "figures", "start.svg")), "ninth")
	assert.Contains(t, read(t, filepath.Join(dir, "README.md")), "ninth")

	picked := run(built, "pick", "-n", "100", "--interval", "exp:1s", "--schemes", both,
		"--budget", "5s", "-v")
	assert.Regexp(t, `(?m)^\w* +ninth`, picked, "it is a candidate")

	timed := run("go", "test", "-vet=off", "-overlay", overlay, "-run", "^$",
		"-bench", "/scheme=ninth/n=1k/", "-benchtime", "1x", "./harness")
	for _, op := range []string{"Start", "Stop", "PerTick", "Lifetime"} {
		assert.Contains(t, timed, "Benchmark"+op+"/scheme=ninth/")
	}
}
