package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
)

// A run that was cut off anywhere is continued with its own flags: then every cell has every
// round once, and rounds can be added.
func TestResumeARun(t *testing.T) {
	dir := t.TempDir()
	code, _, errOut := bench(t, "run", "-n", "100", "-T", "100", "-M", "64", "--rounds", "2", "--schemes", "tree,hashunsorted", "--out", dir)
	require.Zero(t, code, errOut)
	text := read(t, raw(t, dir))
	want := samplesOf(t, raw(t, dir))
	command := strings.Index(text, "# note")
	for _, part := range []float64{float64(command) / float64(len(text)), 0.3, 0.62} { // the first before any sample
		cut := filepath.Join(t.TempDir(), "cut.txt")
		require.NoError(t, os.WriteFile(cut, []byte(text[:int(part*float64(len(text)))]), 0o644))
		code, out, errOut := bench(t, "run", "--resume", cut)
		require.Zero(t, code, errOut)
		assert.Contains(t, out, "raw results  "+cut)
		assert.Equal(t, want, samplesOf(t, cut), "after %v of the file", part)
	}
	earlier := regexp.MustCompile("commit: .*").ReplaceAllString(text, "commit: 0123")
	require.NoError(t, os.WriteFile(raw(t, dir), []byte(earlier), 0o644))
	code, _, errOut = bench(t, "run", "--resume", raw(t, dir), "--rounds", "3")
	require.Zero(t, code, errOut)
	more := read(t, raw(t, dir))
	assert.Equal(t, 3, strings.Count(more, "\nBenchmarkLifetime/scheme=tree/n=100/"))
	assert.Equal(t, 1, strings.Count(more, "# argv "))
	table, err := results.Load(raw(t, dir))
	require.NoError(t, err)
	require.Len(t, table.Sources, 1, "rounds that are added are of the same piece")
	assert.Contains(t, table.Sources[0].Args, "--rounds=3", "by which the file is measured again")
	assert.Contains(t, table.Sources[0].Command, "--timers=100")
	assert.Equal(t, strings.Count(more, "commit: "), strings.Count(more, "commit: 0123"), "the same code: its commit stays")
}

// Runs that begin in one second have files of their own.
func TestRunsInASecond(t *testing.T) {
	dir := t.TempDir()
	cmd := newRun()
	r := recorder{out: dir}
	for range 3 {
		_, sink, err := r.open(cmd)
		require.NoError(t, err)
		require.NoError(t, sink.Close())
	}
	files, err := filepath.Glob(filepath.Join(dir, "run-*Z.txt"))
	require.NoError(t, err)
	assert.Len(t, files, 3)
}

// A shard of nothing but cells that are skipped is measured: the other shards have the rest.
func TestShardOfSkippedCells(t *testing.T) {
	dir := t.TempDir()
	code, _, errOut := bench(t, "run", "-n", "10", "-T", "10", "-M", "8", "-m", "2", "--rounds", "1", "--schemes", "tree",
		"--limit", "1ns", "--shard", "1/1", "--out", dir)
	require.Zero(t, code, errOut)
	files, err := filepath.Glob(filepath.Join(dir, "run-*-shard-1-of-1.txt"))
	require.NoError(t, err)
	assert.Len(t, files, 1)
}

// What does not fit the file to resume is said before anything is measured or changed.
func TestResumeRefuses(t *testing.T) {
	machine, err := thisMachine(schemesCode)
	require.NoError(t, err)
	const row = "BenchmarkLifetime/scheme=tree/n=1k/M=64/T=10/dist=exp/stop=0\t1\t5 ns/op\nPASS\n"
	of := func(command string) string {
		return `# argv ["` + strings.ReplaceAll(command, " ", `","`) + "\"]\n" + machine.String() + row
	}
	mine := of("run --timers=1k")
	for _, test := range []struct {
		args, file string
		code       int
		want       string
	}{
		{"run -n 5", mine, exitUsage, "was measured with --timers=1k, not with --timers=5"},
		{"--full", mine, exitUsage, "was measured with --timers=1k, not with --full=true"},
		{"run -n 1k -T 5", mine, exitUsage, "not with --mean=5 --timers=1k"},
		{"run --shard 1/2", mine, exitUsage, "--shard 1/2"},
		{"", mine, exitFailure, "is not one of bench"},
		{"run", of("peers"), exitFailure, "is not one of bench run"},
		{"run", strings.Replace(mine, "# argv", "# note", 1), exitFailure, `" is not one of bench`},
		{"run", of("run --what=5"), exitFailure, `no such flag -what`},
		{"run", of("run --timers=x"), exitFailure, `invalid count "x"`},
		{"run", mine + strings.Replace(mine, "5 ns", "6 ns", 1), exitFailure, "2 files joined"},
		{"run", strings.Replace(mine, "schemes=", "schemes=0", 1), exitFailure, "its code is driver="},
		{"run", "", exitFailure, "neither a command nor benchmark results"},
	} {
		path := filepath.Join(t.TempDir(), "raw.txt")
		require.NoError(t, os.WriteFile(path, []byte(test.file), 0o644))
		refuses(t, test.code, test.want, append(strings.Fields(test.args), "--resume", path)...)
		assert.Equal(t, test.file, read(t, path), "the file is as it was")
	}
}

// A shard is continued as that shard; of other cells it would be another plan's.
func TestResumeAShard(t *testing.T) {
	dir := t.TempDir()
	args := []string{"run", "-n", "100,1k", "-T", "100", "-M", "64", "--rounds", "2", "--schemes", "tree", "--shard", "1/2", "--out", dir}
	code, _, errOut := bench(t, args...)
	require.Zero(t, code, errOut)
	files, err := filepath.Glob(filepath.Join(dir, "run-*-shard-1-of-2.txt"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	code, _, errOut = bench(t, "run", "--resume", files[0], "--shard", "1/2")
	assert.Zero(t, code, errOut)
	refuses(t, exitUsage, `has shard "1/2" (resume each shard with its own file)`, "run", "--resume", files[0], "--shard", "2/2")
	other := strings.Replace(read(t, files[0]), "--timers=100,1k", "--timers=100,2k", 2)
	require.NoError(t, os.WriteFile(files[0], []byte(other), 0o644))
	refuses(t, exitFailure, "now it would be of plan", "run", "--resume", files[0])
	code, out, errOut := bench(t, "report", files[0], "--out", dir)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "**Incomplete**: of 2 shards, these are missing: 2.")
}
