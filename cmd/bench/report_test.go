package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReportFolders(t *testing.T) {
	parent := t.TempDir()
	for i, name := range []string{"one", "two"} {
		require.NoError(t, os.Mkdir(filepath.Join(parent, name), 0o755))
		raw := filepath.Join(parent, name, "bench-20260102T030405Z.txt")
		require.NoError(t, os.WriteFile(raw, []byte(read(t, quietRuns[i])), 0o644))
	}
	code, out, errOut := bench(t, "report", filepath.Join(parent, "one")+"/", filepath.Join(parent, "two")+"/")
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "Counts are the same on all machines.")
	page := read(t, filepath.Join(parent, "README.md"))
	assert.Contains(t, page, "[two](two/README.md)")
	assert.Contains(t, page, "report "+filepath.Join(parent, "one")+"/ ")

	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{filepath.Join(parent, "one"), quietRuns[0]}, exitUsage, "raw files or folders of results, got both"},
		{[]string{filepath.Join(parent, "one"), t.TempDir()}, exitUsage, "are not in one folder"},
		{[]string{t.TempDir()}, exitFailure, "no file bench-*.txt"},
	} {
		code, _, errOut := bench(t, append([]string{"report"}, test.args...)...)
		assert.Equal(t, test.code, code, errOut)
		assert.Contains(t, errOut, test.says)
	}
	t.Chdir(repository)
	code, _, errOut = bench(t, "report", defaultOut+"/", "--out", parent)
	if _, err := os.Stat(defaultOut); err == nil {
		assert.Equal(t, exitUsage, code)
		assert.Contains(t, errOut, "its results are not kept")
	}
}
