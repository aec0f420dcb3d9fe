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

func TestTraceBadInput(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"trace", "stat"}, exitUsage, "takes one file, got 0"},
		{[]string{"trace", "stat", "--hz", "0", "x"}, exitUsage, "from 1 to 1M"},
		{[]string{"trace", "stat", "none"}, exitFailure, "no such file"},
		{[]string{"trace", "stat", fileOf(t, "\x1b\x00\xfe")}, exitFailure, "raw.txt: not a trace: it contains binary data\n"},
		{[]string{"trace", "stat", fileOf(t, "")}, exitFailure, "raw.txt: the trace has no timers"},
		{[]string{"trace", "stat", fileOf(t, "0 start 1 9\n4 start 1 9\n")}, exitFailure, "line 2: start of timer 1, which is outstanding"},
		{[]string{"trace", "stat", "--hz", "250", fileOf(t, "0 start 1 9\n")}, exitUsage, "has no ticks per second of a kernel (drop --hz"},
		{[]string{"trace", "stat", fileOf(t, "# tracer: nop\n a [000] .... 1.5: timer_cancel: timer=1\n")}, exitFailure, "--hz 100, 250"},
	} {
		refuses(t, test.code, test.want, test.args...)
	}
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
