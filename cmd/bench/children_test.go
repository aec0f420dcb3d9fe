package main

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What bench peers and bench systems might have measured.
const (
	peersLines = `# round 0
BenchmarkLifetime/scheme=hierarchical-chunked/n=1M/T=10k/dist=exp/stop=0/set=peers 100 50 ns/op
BenchmarkLifetime/scheme=valueheap/n=1M/T=10k/dist=exp/stop=0/set=peers 100 400 ns/op
`
	systemsLines = `# argv ["the","command"]
# round 0
BenchmarkStartStop/service=sharded/n=1M/g=8 100 50 ns/op
BenchmarkStartStop/service=time.AfterFunc/n=1M/g=8 100 200 ns/op
`
)

// Raw files are reported without measuring, into a folder.
func TestReportsOfChildren(t *testing.T) {
	for verb, test := range map[string]struct {
		raw, finding, page string
	}{
		"peers":   {peersLines, "hierarchical-chunked over valueheap", "- Lifetime: a start"},
		"systems": {systemsLines, "sharded starts and stops 4.00 times as many", "the command"},
	} {
		file, dir := fileOf(t, test.raw), filepath.Join(t.TempDir(), "out")
		out := succeeds(t, verb, file, "--out", dir)
		assert.Contains(t, out, test.finding)
		assert.FileExists(t, filepath.Join(dir, verb+".csv"))
		assert.Contains(t, read(t, filepath.Join(dir, verb+".md")), test.page)
	}
}

// There is a row for each number of connections and of resets, unless there are too many a second. A page needs a turn.
func TestResets(t *testing.T) {
	args := []string{"systems", "resets", "-n", "300,100M", "--resets", "10,3", "--budget"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Equal(t, exitInterrupted, execute(ctx, append(args, "1s"), io.Discard, io.Discard))
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	out := succeeds(t, append(args, "4s")...)
	containsAll(t, out, "# When does stored time pay?", "woken, 300 connections: ", "| 300 | 3 | 30 | woken | ", "| 300 | 10 | 100 | awake | ")
	assert.NotContains(t, out, "100M |")
}
