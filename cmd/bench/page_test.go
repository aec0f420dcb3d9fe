package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
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

// --open gives the file to the system's opener, and says if that fails.
func TestPageOpens(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a program that is called xdg-open")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	assert.ErrorContains(t, openFile(t.Context(), "page.html"), "opening page.html in a browser")
	opened := filepath.Join(dir, "opened")
	script := "#!/bin/sh\necho \"$1\" >" + opened + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o755))
	require.NoError(t, openFile(t.Context(), "page.html"))
	text, err := os.ReadFile(opened)
	require.NoError(t, err)
	assert.Equal(t, "page.html\n", string(text))
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
