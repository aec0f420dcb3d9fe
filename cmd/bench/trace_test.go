package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTraceStat(t *testing.T) {
	var b strings.Builder
	b.WriteString("# tick: 10ms\n# source: a gateway\n")
	for tick := range 1000 { // three timers in turn, each stopped after three ticks
		if tick >= 3 {
			fmt.Fprintf(&b, "%d stop %d\n", tick, tick%3)
		}
		fmt.Fprintf(&b, "%d start %d 100\n", tick, tick%3)
	}
	b.WriteString("999 stop 0\n999 stop 0\n")
	out := succeeds(t, "trace", "stat", fileOf(t, b.String()))
	containsAll(t, out, "a gateway", "999 ticks (9.99s), 1999 operations", "at most 3, 2 at the end",
		"missing  1 of 999 stops, of timers that were not outstanding\n",
		"1.001 timers begun per tick, 100.1 per second", "0 % expired, 100 % stopped", "T = n/λ")
}

// An interrupt ends the reading of a trace, which is shown.
func TestReadingIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	shown := ""
	r := &reading{Reader: strings.NewReader("0 start 1 1\n"), ctx: ctx, progress: func(_, _ int, what string) { shown = what }}
	n, err := r.Read(make([]byte, 4))
	require.NoError(t, err)
	assert.Equal(t, 4, n)
	assert.Equal(t, "MiB of the trace", shown)
	cancel()
	_, err = r.Read(make([]byte, 4))
	assert.ErrorIs(t, err, context.Canceled)
}
