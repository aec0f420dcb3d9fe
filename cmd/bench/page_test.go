package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page is one file. What goes wrong in the program that makes it is one line.
func TestPageIsOneFile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the page")
	}
	path := filepath.Join(t.TempDir(), "page.html")
	code, out, errOut := bench(t, "page", "--out", path)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, path)
	html := read(t, path)
	assert.Contains(t, html, "<!DOCTYPE html>")
	assert.LessOrEqual(t, len(html), 1_800_000)

	long := filepath.Join(t.TempDir(), strings.Repeat("x", 300)) // longer than names of files may be
	code, _, errOut = bench(t, "page", "--out", long)
	assert.Equal(t, exitFailure, code)
	assert.Equal(t, "bench: page: open "+long+": file name too long\n", errOut)
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
	assert.Equal(t, "page.html\n", read(t, opened))
}
