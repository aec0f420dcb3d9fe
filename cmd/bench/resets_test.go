package main

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
)

// There is a row for each number of connections and of resets, unless there are too many a second. A page needs a turn.
func TestResets(t *testing.T) {
	args := []string{"systems", "resets", "-n", "300,100M", "--resets", "10,3", "--budget"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Equal(t, exitInterrupted, execute(ctx, append(args, "1s"), io.Discard, io.Discard))
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	out := succeeds(t, append(args, "4s")...)
	containsAll(t, out, "# When does stored time pay?", "woken, 300 connections: ", "| 300 | 3 | 30 | woken | ", "| 300 | 10 | 100 | awake | ")
	assert.NotContains(t, out, "100M |")
}
