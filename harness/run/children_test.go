package run

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
)

// The program is a shell script: it prints what a sample would, fails for one cell, and dies for another.
func TestChildren(t *testing.T) {
	const script = `#!/bin/sh
case "$*" in
"some arguments list") cat <<'END'
cell Lifetime/scheme=a/n=1k/T=10k 3
cell Lifetime/scheme=b/n=1k/T=10k 2
cell Idle/scheme=c/n=1k/T=10k 3
cell Idle/scheme=d/n=1k/T=10k 3
PASS
END
;;
*scheme=b*) echo "failed 3 timers expired, want 4";;
*scheme=d*) echo "skipped abandoned after 2s (limit 1s a run)";;
*scheme=c*) echo "panic: out of luck"; exit 2;;
*) echo "Benchmark${3#*:} 100 1${3%%:*}.5 ns/op"; echo PASS;;
esac
`
	binary := filepath.Join(t.TempDir(), "fake")
	require.NoError(t, os.WriteFile(binary, []byte(script), 0o755))
	cells, err := Children(t.Context(), t.TempDir(), binary, "some", "arguments")
	require.NoError(t, err)
	sink := newSink(0)
	_, _, err = Runner{Cells: cells}.Run(t.Context(), sink, quiet)
	require.NoError(t, err)
	text := strings.Join(sink.lines, "\n")
	assert.Equal(t, 3, strings.Count("\n"+text, "\nround\n"))
	assert.Equal(t, 3, strings.Count(text, "\nLifetime/scheme=a/n=1k/T=10k"))
	assert.Equal(t, 2, strings.Count(text, "fail Lifetime/scheme=b/n=1k/T=10k: 3 timers expired, want 4"))
	assert.Equal(t, "BenchmarkLifetime/scheme=a/n=1k/T=10k\t100\t10.5 ns/op", sink.results[0].String(), "with its own unit")
	assert.Equal(t, 3, strings.Count(text, "panic: out of luck"), "a process that dies is a failure, with its last words")
	assert.Equal(t, 1, strings.Count(text, "skip Idle/scheme=d/"), "no other round of a cell that is skipped")
	assert.Equal(t, results.Reason{Kind: results.TooSlow, Text: "abandoned after 2s (limit 1s a run)"}, sink.skipped["Idle/scheme=d/n=1k/T=10k"])
}

// A sample that takes more CPU time than its cell's limit is abandoned.
func TestServeWithinALimit(t *testing.T) {
	for lasts, want := range map[time.Duration]string{
		0: "^BenchmarkBusy\t1", 2 * time.Second: `^skipped abandoned after [0-9.]+ ms \(limit 50 ms a run\)\n$`,
	} {
		busy := func(context.Context, int) ([]results.Result, error) {
			for began := CPUTime(); CPUTime()-began < lasts; {
			}
			return []results.Result{{Name: "Busy", Iters: 1}}, nil
		}
		var out strings.Builder
		require.NoError(t, Serve(t.Context(), []Cell{{Name: "Busy", Limit: 50 * time.Millisecond, Sample: busy}}, "0:Busy", &out))
		assert.Regexp(t, want, out.String())
	}
}
