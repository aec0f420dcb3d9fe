package run

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeChildren returns children whose program is a shell script: it prints what a sample
// would, fails for one cell, and dies for another.
func fakeChildren(t *testing.T) *Children {
	t.Helper()
	script := `#!/bin/sh
case "$*" in
*--sample=list) cat <<'END'
{"cell":"Hold/scheme=a/n=1k/T=10k","rounds":3}
{"cell":"Hold/scheme=b/n=1k/T=10k","rounds":2}
{"cell":"Idle/scheme=c/n=1k/T=10k","rounds":3}
PASS
END
;;
*scheme=b*) echo "failed 3 timers expired, want 4";;
*scheme=c*) echo "panic: out of luck"; exit 2;;
*) for word; do sample=${word#--sample=}; done
   echo "Benchmark${sample#*:} 100 1${sample%%:*}.5 ns/op"; echo PASS;;
esac
`
	binary := filepath.Join(t.TempDir(), "fake")
	require.NoError(t, os.WriteFile(binary, []byte(script), 0o755))
	c, err := NewChildren(context.Background(), t.TempDir(), binary, "some", "arguments")
	require.NoError(t, err)
	return c
}

func TestChildren(t *testing.T) {
	c, sink := fakeChildren(t), newSink(0)
	require.Positive(t, c.Keep(regexp.MustCompile("scheme=[abc]/").MatchString, 0))
	require.NoError(t, c.Run(context.Background(), sink, never, quiet))
	text := strings.Join(sink.lines, "\n")
	assert.Equal(t, 3, strings.Count("\n"+text, "\nround\n"))
	assert.Equal(t, 3, strings.Count(text, "\nHold/scheme=a/n=1k/T=10k"))
	assert.Equal(t, 2, strings.Count(text, "fail Hold/scheme=b/n=1k/T=10k: 3 timers expired, want 4"))
	assert.Equal(t, "BenchmarkHold/scheme=a/n=1k/T=10k\t100\t10.5 ns/op", sink.results[0].String(), "with its own unit")
	assert.Equal(t, 3, strings.Count(text, "panic: out of luck"), "a process that dies is a failure, with its last words")
}

// What is done is left out, and a sink that fails ends the run.
func TestResumeAndBrokenSink(t *testing.T) {
	c, sink := fakeChildren(t), newSink(0)
	require.Positive(t, c.Keep(regexp.MustCompile("scheme=[abc]/").MatchString, 0))
	done := func(name string, round int) bool { return round < 2 || name != "Hold/scheme=a/n=1k/T=10k" }
	require.NoError(t, c.Run(context.Background(), sink, done, quiet))
	assert.Equal(t, []string{"round", "Hold/scheme=a/n=1k/T=10k"}, sink.lines)
	sink = newSink(2)
	require.ErrorContains(t, c.Run(context.Background(), sink, never, quiet), "disk full")
	assert.Len(t, sink.lines, 2)
}

func TestInterrupt(t *testing.T) {
	c, sink := fakeChildren(t), newSink(0)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, c.Run(ctx, sink, never, quiet), context.Canceled)
	assert.Equal(t, []string{"round"}, sink.lines, "what was interrupted is no failure")
}
