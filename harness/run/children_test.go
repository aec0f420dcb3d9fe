package run

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"timerlab/harness/results"
)

// answering returns a cell whose samples are one answer.
func answering(scheme string, rounds int, answer func(name string, round int) ([]results.Result, error)) Cell {
	c := Cell{Name: "Lifetime/scheme=" + scheme + "/n=1k", Rounds: rounds}
	c.Sample = func(_ context.Context, round int) ([]results.Result, error) { return answer(c.Name, round) }
	return c
}

var answers = []Cell{
	answering("a", 3, func(name string, round int) ([]results.Result, error) {
		return []results.Result{{Name: name, Iters: 100, Values: []benchfmt.Value{{Value: 10.5 + float64(round), Unit: "ns/op"}}},
			{Name: "Memory", Iters: 1, Values: []benchfmt.Value{{Value: 1, Unit: "B/timer"}}}}, nil
	}),
	answering("b", 2, func(string, int) ([]results.Result, error) { return nil, errors.New("3 timers expired,\nwant 4") }),
	answering("c", 3, func(string, int) ([]results.Result, error) {
		fmt.Println("panic: out of luck")
		os.Exit(2)
		return nil, nil
	}),
	answering("d", 3, func(string, int) ([]results.Result, error) { return nil, fmt.Errorf("%w after 2s", ErrTime) }),
}

// TestServer is the program that TestChildren runs. It prints PASS, too.
func TestServer(t *testing.T) {
	if flag.NArg() == 0 {
		t.Skip("no request")
	}
	require.NoError(t, Serve(t.Context(), answers, flag.Arg(0), os.Stdout))
}

func TestChildren(t *testing.T) {
	cells, err := Children(t.Context(), t.TempDir(), os.Args[0], "-test.run=^TestServer$")
	require.NoError(t, err)
	sink := newSink(0)
	_, _, err = Runner{Cells: cells}.Run(t.Context(), sink, quiet)
	require.NoError(t, err)
	text := strings.Join(sink.lines, "\n")
	assert.Equal(t, 3, strings.Count("\n"+text, "\nround\n"))
	assert.Equal(t, 3, strings.Count(text, "\nLifetime/scheme=a/n=1k\nMemory"), "every row of a sample")
	assert.Equal(t, 2, strings.Count(text, "fail Lifetime/scheme=b/n=1k: 3 timers expired, want 4"))
	assert.Equal(t, "BenchmarkLifetime/scheme=a/n=1k\t100\t10.5 ns/op", sink.results[0].String(), "with its own unit")
	assert.Equal(t, 3, strings.Count(text, "panic: out of luck"), "a process that dies is a failure, with its last words")
	assert.Equal(t, 1, strings.Count(text, "skip Lifetime/scheme=d/"), "no other round of a cell that is skipped")
	assert.Equal(t, results.Reason{Kind: results.TooSlow, Text: "abandoned after 2s"}, sink.skipped["Lifetime/scheme=d/n=1k"])
	for _, request := range []string{"0:c", "a", "list:a"} {
		assert.ErrorContains(t, Serve(t.Context(), answers, request, io.Discard), `unknown sample "`+request+`"`)
	}
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
