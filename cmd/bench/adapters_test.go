package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// idle is an adapter whose timers never expire.
const idle = `#!/bin/bash
while read -r word rest; do
	case $word in
	hello) echo hello 1 idle 1.0 ;;
	stop) echo yes ;;
	*) echo ok ;;
	esac
done
`

func TestVerifyAdapter(t *testing.T) {
	out, errOut := exits(t, exitUnverified, "verify", "--short", "--", "bash", "-c", idle)
	containsAll(t, out, "idle 1.0, 20", "exact            BROKEN\n\tExpire returned and never handed out id",
		"\t> start ", "stop-stale       not promised: stale\n")
	assert.Contains(t, errOut, "idle breaks ")
	kept := filepath.Join(t.TempDir(), "timers.txt")
	require.NoError(t, os.WriteFile(kept, []byte(out+"note See its documentation.\n"), 0o600))
	containsAll(t, succeeds(t, "verify", "--page", kept), "# Other timers and the rules", "| exact | **no** |", "### idle: exact",
		"See its documentation.", "go run ./cmd/bench verify --page")
}

// The page of libraries is the one that its file gives.
func TestTimersAreDrawnAsKept(t *testing.T) {
	kept, err := os.ReadFile(filepath.Join(repository, "results", "timers.md"))
	require.NoError(t, err)
	t.Chdir(repository)
	assert.Equal(t, string(kept), succeeds(t, "verify", "--page", "results/timers.txt"))
}
