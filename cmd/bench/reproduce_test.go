package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A run is measured again by its recorded command, and two runs are compared without measuring.
func TestReproduce(t *testing.T) {
	t.Setenv(asBench, "1") // the program that measures is this test's
	dir, again := t.TempDir(), filepath.Join(t.TempDir(), "again")
	code, _, errOut := bench(t, "run", "-n", "100", "-T", "100", "-M", "64", "--rounds", "6", "--schemes", "tree,hashunsorted", "--out", dir)
	require.Zero(t, code, errOut)
	code, out, errOut := bench(t, "reproduce", dir, "--out", again)
	require.Zero(t, code, errOut)
	assert.Contains(t, errOut, "measured again by this program, which has the same code")
	assert.Contains(t, out, "exact counts are identical")
	assert.Contains(t, out, "(expected: 90")
	want := samplesOf(t, raw(t, dir))
	assert.Equal(t, want, samplesOf(t, raw(t, again)), "the same cells and rounds")

	code, compared, errOut := bench(t, "reproduce", raw(t, dir), again)
	require.Zero(t, code, errOut)
	assert.Equal(t, out, compared)
	_, page, _ := bench(t, "reproduce", dir, again, "--format", "md")
	assert.Contains(t, page, "\n    go run ./cmd/bench reproduce "+dir+" "+again+"\n")

	// The same file, of another code that no commit here has.
	text := strings.NewReplacer("driver=", "driver=0", "commit: ", "commit: 0").Replace(read(t, raw(t, dir)))
	other := filepath.Join(t.TempDir(), "run-other.txt")
	require.NoError(t, os.WriteFile(other, []byte(text), 0o644))
	code, _, errOut = bench(t, "reproduce", other, "--rounds", "1", "--out", t.TempDir())
	require.Zero(t, code, errOut)
	assert.Contains(t, errOut, "THE CODE DIFFERS from the measured one, and commit 0")
}

func TestReproduceRefuses(t *testing.T) {
	empty := t.TempDir()
	peers := peersFile(t, "")
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"", exitUsage, "one or two folders or raw files"},
		{"a b c", exitUsage, "one or two folders or raw files"},
		{"nowhere", exitFailure, "nowhere"},
		{empty, exitFailure, "no raw files of bench, run, peers, systems"},
		{empty + " --only nosuch", exitUsage, `unknown verb "nosuch" (have bench, run, peers, systems)`},
		{empty + " --rounds 0", exitUsage, `invalid count "0"`},
		{peers, exitFailure, "no raw files of"},
	} {
		code, out, errOut := bench(t, append([]string{"reproduce"}, strings.Fields(test.args)...)...)
		assert.Equal(t, test.code, code, test.args)
		assert.Empty(t, out)
		assert.Contains(t, errOut, test.want)
	}
}
