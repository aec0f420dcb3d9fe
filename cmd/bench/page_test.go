package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The page is one file. What goes wrong in the program that makes it is one line.
func TestPageIsOneFile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the page")
	}
	path := filepath.Join(t.TempDir(), "page.html")
	out := succeeds(t, "page", "--out", path)
	assert.Contains(t, out, path)
	html := read(t, path)
	assert.Contains(t, html, "<!DOCTYPE html>")
	assert.LessOrEqual(t, len(html), 1_800_000)

	long := filepath.Join(t.TempDir(), strings.Repeat("x", 300)) // longer than names of files may be
	_, errOut := exits(t, exitFailure, "page", "--out", long)
	assert.Equal(t, "bench: page: open "+long+": file name too long\n", errOut)
}
