package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// systemsFile is what bench systems might have measured.
func systemsFile(t *testing.T) string {
	t.Helper()
	text := `# command the command
# round 0
BenchmarkStartStop/facility=sharded/n=1M/g=8 100 50 ns/op
BenchmarkStartStop/facility=time.AfterFunc/n=1M/g=8 100 200 ns/op
`
	path := filepath.Join(t.TempDir(), "systems.txt")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// Raw files are reported without measuring, into a folder.
func TestSystemsReport(t *testing.T) {
	dir := t.TempDir()
	code, out, errOut := bench(t, "systems", systemsFile(t), "--out", filepath.Join(dir, "out"))
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "sharded starts and stops 4.00 times as many")
	page, err := os.ReadFile(filepath.Join(dir, "out", "systems.md"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "the command")
	assert.FileExists(t, filepath.Join(dir, "out", "figures", "systems-startstop.svg"))
}

// A file that cannot be continued, read or written is an error before anything is measured.
func TestSystemsBadFiles(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain.txt")
	require.NoError(t, os.WriteFile(plain, []byte("no marks"), 0o644))
	for _, test := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"systems", "--resume", "nowhere.txt"}, "nowhere.txt", exitFailure},
		{[]string{"systems", "nowhere.txt"}, "nowhere.txt", exitFailure},
		{[]string{"systems", systemsFile(t), "--out", filepath.Join(plain, "below")}, plain, exitFailure},
		{[]string{"systems", "--filter", "("}, "--filter", exitUsage},
		{[]string{"systems", "--cell", "StartStop/facility=mine/n=1/g=1"}, "unknown cell", exitFailure},
	} {
		code, out, errOut := bench(t, test.args...)
		assert.Equal(t, test.code, code, test.args)
		assert.Empty(t, out)
		assert.Contains(t, errOut, test.want)
	}
}

// The cells are listed as run.Children reads them, and one of them can be measured.
func TestSystemsCells(t *testing.T) {
	code, out, errOut := bench(t, "systems", "--cells")
	require.Zero(t, code, errOut)
	assert.Contains(t, out, `{"cell":"StartStop/facility=sharded/n=1M/g=8","rounds":12}`)
	assert.Regexp(t, `(?m)^{"cell":"StartStop/facility=jvm-netty/n=1M/g=8"(,"missing":"no .*")?}$`, out)
	code, out, errOut = bench(t, "systems", "--cell", "StartStop/facility=sharded/n=10k/g=2", "--round", "3")
	require.Zero(t, code, errOut)
	assert.Regexp(t, `^BenchmarkStartStop/facility=sharded/n=10k/g=2\t\d+\t[\d.]+ ns/op\t[\d.]+ cpu-ns/op`, strings.TrimSpace(out))
}
