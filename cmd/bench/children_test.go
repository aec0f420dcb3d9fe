package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
)

// What bench peers and bench systems might have measured.
const (
	peersLines = `# round 0
BenchmarkHold/scheme=hierarchical-chunked/n=1M/T=10k 100 50 ns/op
BenchmarkHold/scheme=valueheap/n=1M/T=10k 100 400 ns/op
`
	systemsLines = `# argv ["the","command"]
# round 0
BenchmarkStartStop/facility=sharded/n=1M/g=8 100 50 ns/op
BenchmarkStartStop/facility=time.AfterFunc/n=1M/g=8 100 200 ns/op
`
)

// Raw files are reported without measuring, into a folder.
func TestReportsOfChildren(t *testing.T) {
	for verb, test := range map[string]struct {
		raw, finding, page string
	}{
		"peers":   {peersLines, "hierarchical-chunked over valueheap", "- Hold: a lifetime"},
		"systems": {systemsLines, "sharded starts and stops 4.00 times as many", "the command"},
	} {
		file, dir := filepath.Join(t.TempDir(), "raw.txt"), filepath.Join(t.TempDir(), "out")
		require.NoError(t, os.WriteFile(file, []byte(test.raw), 0o644))
		code, out, errOut := bench(t, verb, file, "--out", dir)
		require.Zero(t, code, errOut)
		assert.Contains(t, out, test.finding)
		assert.FileExists(t, filepath.Join(dir, verb+".csv"))
		assert.Contains(t, read(t, filepath.Join(dir, verb+".md")), test.page)
	}
}

// Samples of two machines are not put into one file.
func TestResumeElsewhere(t *testing.T) {
	machine := results.ThisMachine()
	text := strings.Replace(machine.String(), "cpu: ", "cpu: another ", 1) + peersLines
	path := filepath.Join(t.TempDir(), "peers.txt")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	refuses(t, exitFailure, "its cpu is another ", "peers", "--resume", path)
	assert.Equal(t, text, read(t, path))
}
