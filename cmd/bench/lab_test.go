package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A student makes a module, is graded, and repairs what was named first.
func TestLab(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mylab")
	_, errOut := exits(t, exitUsage, "lab", "")
	assert.Equal(t, "bench: invalid folder: its name is empty (name one that is new or empty)\n", errOut)

	out := succeeds(t, "lab", dir)
	assert.Contains(t, out, "bench verify --module "+dir)

	out, errOut = exits(t, exitUnverified, "verify", "--module", dir, "--short")
	containsAll(t, out, "scheme6, graded as scheme 6: 0 of 100 points", "\ninfo: An Info has a number")
	assert.Contains(t, errOut, "scheme6 has 0 of 100 points")

	solution := read(t, "../../teach/lab/testdata/scheme6.go.txt")
	source := filepath.Join(dir, "scheme6.go")
	put(t, source, solution)
	out = succeeds(t, "verify", "--module", dir, "--short", "--format", "json", "--schemes", "hashunsorted")
	var graded struct{ Score, Max int }
	require.NoError(t, json.Unmarshal([]byte(out), &graded))
	assert.Equal(t, 100, graded.Score)

	put(t, source, solution+"mistake")
	out, errOut = exits(t, exitFailure, "verify", "--module", dir)
	assert.Contains(t, out, "scheme6.go:")
	assert.Contains(t, errOut, "does not build")

	put(t, source, "package main\n")
	out, errOut = exits(t, exitUsage, "verify", "--module", dir, "--format", "json")
	assert.Contains(t, out, `"unbuilt": `)
	assert.Contains(t, errOut, "package main cannot be imported")
}

// The script for Gradescope grades what was handed in.
func TestGradescopeScript(t *testing.T) {
	if testing.Short() {
		t.Skip("grades two modules")
	}
	script, err := filepath.Abs("../../teach/lab/gradescope/run_autograder")
	require.NoError(t, err)
	root := t.TempDir()
	for _, dir := range []string{"source", "submission", "results"} {
		require.NoError(t, os.Mkdir(filepath.Join(root, dir), 0o755))
	}
	command := fmt.Sprintf("#!/bin/sh\n%s=1 exec %q \"$@\"\n", asBench, os.Args[0])
	require.NoError(t, os.WriteFile(filepath.Join(root, "source", "bench"), []byte(command), 0o755))
	grade := func() (result struct {
		Score  int
		Output string
	}) {
		cmd := exec.Command("bash", script)
		cmd.Env = append(os.Environ(), "AUTOGRADER="+root, "TMPDIR="+t.TempDir())
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.NoError(t, json.Unmarshal([]byte(read(t, filepath.Join(root, "results", "results.json"))), &result))
		return result
	}
	assert.Zero(t, grade().Score, "nothing was handed in")
	solution := read(t, "../../teach/lab/testdata/scheme6.go.txt")
	put(t, filepath.Join(root, "submission", "wheel.go"), solution)
	assert.Equal(t, 100, grade().Score)
	put(t, filepath.Join(root, "submission", "wheel.go"), strings.Replace(solution, "package scheme6", "package main", 1))
	refused := grade()
	assert.Zero(t, refused.Score)
	assert.Contains(t, refused.Output, "package main cannot be imported")
}
