package main

import (
	"os"
	"path/filepath"
	"testing"

	"timerlab/harness/results"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// peersFile is what bench peers might have measured, here on this machine or on
// another one.
func peersFile(t *testing.T, cpu string) string {
	t.Helper()
	text := ""
	for _, kv := range results.ThisMachine() {
		if kv[0] == "cpu" && cpu != "" {
			kv[1] = cpu
		}
		text += kv[0] + ": " + kv[1] + "\n"
	}
	text += `# round 0
BenchmarkHold/scheme=hierarchical-chunked/n=1M/T=10k 100 50 ns/op
BenchmarkHold/scheme=valueheap/n=1M/T=10k 100 400 ns/op
`
	path := filepath.Join(t.TempDir(), "peers.txt")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// Raw files are reported without measuring.
func TestPeersReport(t *testing.T) {
	dir := t.TempDir()
	code, out, errOut := bench(t, "peers", peersFile(t, ""), "--out", dir)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "hierarchical-chunked over valueheap")
	text, err := os.ReadFile(filepath.Join(dir, "peers.md"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "- Hold: a lifetime")
	assert.Contains(t, out, "all values   "+filepath.Join(dir, "peers.csv"))
}

// A file that cannot be continued or written is an error before anything is built.
func TestPeersFilesThatAreNotRight(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain.txt")
	require.NoError(t, os.WriteFile(plain, []byte("no marks\n"), 0o644))
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"peers", "--resume", "nowhere.txt"}, "nowhere.txt"},
		{[]string{"peers", "--resume", plain}, "is not a line of the Go benchmark format"},
		{[]string{"peers", "nowhere.txt"}, "nowhere.txt"},
	} {
		code, out, errOut := bench(t, test.args...)
		assert.Equal(t, exitFailure, code, test.args)
		assert.Empty(t, out)
		assert.Contains(t, errOut, test.want)
	}
}

// A folder that cannot be made is an error before the peers are built.
func TestPeersUnwritableFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	t.Chdir(t.TempDir()) // where nothing could be built
	code, _, errOut := bench(t, "peers", "--out", filepath.Join(file, "below"))
	assert.Equal(t, exitFailure, code)
	assert.Contains(t, errOut, file)
	assert.NotContains(t, errOut, "built")
}

// Outside the repository there is nothing to build.
func TestPeersOutsideTheRepository(t *testing.T) {
	t.Chdir(t.TempDir())
	code, _, errOut := bench(t, "peers")
	assert.Equal(t, exitFailure, code)
	assert.Contains(t, errOut, "no source of the peers")
}

// Samples of two machines, or of two codes, are not put into one file.
func TestPeersResumeElsewhere(t *testing.T) {
	path := peersFile(t, "another processor")
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	code, _, errOut := bench(t, "peers", "--resume", path)
	assert.Equal(t, exitFailure, code)
	assert.Contains(t, errOut, "its cpu is another processor")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, before, after)
}
