package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// idle is an adapter whose timers never expire.
const idle = `while read -r word rest; do
	case $word in
	hello) echo hello 1 idle 1.0 ;;
	stop) echo yes ;;
	load) cat >/dev/null ;;
	*) echo ok ;;
	esac
done`

func writeScript(t *testing.T, text string) (path string) {
	path = filepath.Join(t.TempDir(), "adapter")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/bash\n"+text+"\n"), 0o700))
	return path
}

func TestVerifyAdapter(t *testing.T) {
	out, errOut := exits(t, exitUnverified, "verify", "--short", "--", writeScript(t, idle))
	containsAll(t, out, "idle 1.0, 20", "exact            BROKEN\n\tExpire returned and never handed out id",
		"\t> start ", "stop-stale       not promised: stale\n")
	assert.Contains(t, errOut, "idle breaks ")
	kept := filepath.Join(t.TempDir(), "timers.txt")
	require.NoError(t, os.WriteFile(kept, []byte(out+"note See its documentation.\n"), 0o600))
	containsAll(t, succeeds(t, "verify", "--page", kept), "# Other timers and the rules", "| exact | **no** |", "### idle: exact",
		"See its documentation.", "go run ./cmd/bench verify --page")
}

func TestBadAdapters(t *testing.T) {
	script := writeScript(t, idle)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"verify", "--"}, exitUsage, "no command after --"},
		{[]string{"verify", script}, exitUsage, "put -- before the command"},
		{[]string{"verify", "--schemes", "tree", "--", script}, exitUsage, "--schemes is not for adapters"},
		{[]string{"verify", "--format", "csv", "--", script}, exitUsage, "--format csv is not for adapters (have text, json)"},
		{[]string{"verify", "--page", "none", "--", script}, exitUsage, "--page takes no command"},
		{[]string{"verify", "--page", "none"}, 1, "open none: no such file"},
		{[]string{"verify", "--", "./none"}, exitUsage, "./none is no adapter"},
		{[]string{"verify", "--", "echo", "hello"}, exitUsage, "want hello 1 NAME VERSION"},
		{[]string{"run", "--adapter", script}, exitUsage, "it does not promise run"},
		{[]string{"run", "--adapter", ""}, exitUsage, "no command"},
	} {
		_, errOut := exits(t, c.code, c.args...)
		assert.Contains(t, errOut, c.want, "%v", c.args)
	}
}

// The page of libraries is the one that its file gives.
func TestTimersAreDrawnAsKept(t *testing.T) {
	kept, err := os.ReadFile(filepath.Join(repository, "results", "timers.md"))
	require.NoError(t, err)
	t.Chdir(repository)
	assert.Equal(t, string(kept), succeeds(t, "verify", "--page", "results/timers.txt"))
}
