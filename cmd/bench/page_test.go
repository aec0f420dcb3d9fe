package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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
	assert.LessOrEqual(t, len(html), 1_800_000)
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
		{[]string{"page", "--out", "/nonexistent/x.html"}, `--out "/nonexistent/x.html": there is no folder /nonexistent`},
		{[]string{"page", "x"}, "page takes no argument"},
	} {
		var out, errOut bytes.Buffer
		assert.Equal(t, exitUsage, execute(t.Context(), c.args, &out, &errOut))
		assert.Contains(t, errOut.String(), c.want)
		assert.Equal(t, 1, strings.Count(errOut.String(), "\n"), errOut.String())
	}
}

// What goes wrong in the program that makes the page is one line.
func TestPageCannotBeWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the page")
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("x", 300)) // longer than names of files may be
	var out, errOut bytes.Buffer
	assert.Equal(t, exitFailure, execute(t.Context(), []string{"page", "--out", long}, &out, &errOut))
	assert.Equal(t, "bench: page: open "+long+": file name too long\n", errOut.String())
}

// Elsewhere than in the repository the source is missing.
func TestPageNeedsTheRepository(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errOut bytes.Buffer
	assert.Equal(t, exitFailure, execute(t.Context(), []string{"page"}, &out, &errOut))
	assert.Contains(t, errOut.String(), "teach/page/go.mod not found (needs the repository and go)")
}
