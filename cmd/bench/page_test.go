package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPageIsOneFile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the page")
	}
	path := filepath.Join(t.TempDir(), "page.html")
	var out, errOut bytes.Buffer
	require.Zero(t, execute(t.Context(), []string{"page", "--out", path}, &out, &errOut), errOut.String())
	assert.Contains(t, out.String(), path)
	html, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(html), "<!DOCTYPE html>")
	assert.LessOrEqual(t, len(html), 1_500_000)
}

func TestPageRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"page", "--out", t.TempDir()}, "is no file (use a name such as page.html)"},
		{[]string{"page", "--out", ""}, `--out "" is no file`},
		{[]string{"page", "x"}, "page takes no argument"},
	} {
		var out, errOut bytes.Buffer
		assert.Equal(t, exitUsage, execute(t.Context(), c.args, &out, &errOut))
		assert.Contains(t, errOut.String(), c.want)
	}
}

// Elsewhere than in the repository the source is missing.
func TestPageNeedsTheRepository(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errOut bytes.Buffer
	assert.Equal(t, exitFailure, execute(t.Context(), []string{"page"}, &out, &errOut))
	assert.Contains(t, errOut.String(), "teach/page/go.mod not found (needs the repository and go)")
}
