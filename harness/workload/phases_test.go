package workload_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"
	"timerlab/schemes"
)

// deadlines returns when the starts of a preset with phases expire, in the order of the
// starts, of a run of some periods.
func deadlines(t *testing.T, name string, ticks schemes.Tick) (starts, ends []schemes.Tick) {
	p, err := demand.FindPreset(name)
	require.NoError(t, err)
	trace, err := workload.Traced(workload.Mixture{N: p.N, Lives: p.Lives(), Phases: p.Phases}, ticks)
	require.NoError(t, err)
	require.NoError(t, trace.Check())
	require.Equal(t, len(trace.Ops), trace.Count(workload.Start))
	for _, op := range trace.Ops {
		starts, ends = append(starts, op.Tick), append(ends, op.Tick+op.Interval)
	}
	return starts, ends
}

func TestWorstCasesAreSo(t *testing.T) {
	on := func(name string, ticks schemes.Tick, right func(end schemes.Tick) bool) {
		_, ends := deadlines(t, name, ticks)
		for _, e := range ends {
			if !right(e) {
				t.Errorf("%s: a timer expires on tick %d", name, e)
				return
			}
		}
	}
	on("same-slot", 140_000, func(e schemes.Tick) bool { return e%4096 == 0 })
	on("all-at-once", 20_000, func(e schemes.Tick) bool { return e%8192 == 0 })
	on("equal", 3_000, func(e schemes.Tick) bool { return e%128 == 0 })
	// On the lowest wheel of 256 slots, and on the next, when the third one moves.
	on("boundary", 140_000, func(e schemes.Tick) bool { return e%256 > 0 && e%65_536 >= 256 })

	if testing.Short() {
		return // what follows takes the longest runs
	}
	starts, ends := deadlines(t, "ascending", 250_000)
	for i := 1; i < len(ends); i++ {
		if starts[i-1] > 0 && ends[i] <= ends[i-1] {
			t.Fatalf("the start on tick %d expires no later than the one before", starts[i])
		}
	}
	const n = 50_000
	starts, ends = deadlines(t, "descending", 6*n)
	for i := range ends {
		first := starts[i] == 0 || (starts[i]-1)%(2*n) == 0 // of a batch
		if !first && ends[i] >= ends[i-1] {
			t.Fatalf("the start on tick %d expires no earlier than the one before", starts[i])
		}
	}
	p, err := demand.FindPreset("cron")
	require.NoError(t, err)
	_, ends = deadlines(t, "cron", 7200)
	expiring := map[schemes.Tick]int{}
	for _, e := range ends {
		expiring[e]++
	}
	assert.Equal(t, p.N, expiring[3600], "all of them, on the hour")
}

// What a preset with phases does on average is what its classes say.
func TestPhasesAreAsTheirClassesSay(t *testing.T) {
	tested := 0
	for _, p := range demand.Presets() {
		if p.Phases == nil {
			continue
		}
		tested++
		n := p.Numbers()
		require.NoError(t, p.Check(), p.Name)
		ticks := 2 * n.Longest
		trace, err := workload.Traced(workload.Mixture{N: p.N, Lives: p.Lives(), Phases: p.Phases}, ticks)
		require.NoError(t, err, p.Name)
		assert.InEpsilon(t, n.Rate*float64(ticks), float64(trace.Want.Expired), 0.3, p.Name) // the first period is part of one
		assert.EqualValues(t, p.N, trace.Want.Outstanding, p.Name)
		assert.InEpsilon(t, float64(n.Longest), float64(trace.Longest), 1e-3, p.Name)
	}
	assert.Equal(t, 8, tested)
}

// The streams of presets change on purpose only, as those of a Spec do: results of
// different streams cannot be compared.
func TestStreamsOfPresets(t *testing.T) {
	want, err := os.ReadFile("testdata/presets.txt")
	require.NoError(t, err)
	var got strings.Builder
	for _, p := range demand.Presets() {
		lives := p.Lives()
		p.N = min(p.N, 100)
		trace, err := workload.Traced(workload.Mixture{N: p.N, Lives: lives, Seed: 5, Step: p.StepTicks()}, 20*lives[0].Stay)
		require.NoError(t, err, p.Name)
		fmt.Fprintf(&got, "%s: %d lives, %#x", p.Name, len(lives), trace.Hash)
		if p.Phases != nil {
			trace, err = workload.Traced(workload.Mixture{N: 1000, Lives: lives, Phases: p.Phases}, 2*lives[0].Interval)
			require.NoError(t, err, p.Name)
			fmt.Fprintf(&got, ", script %#x", trace.Hash)
		}
		got.WriteByte('\n')
	}
	assert.Equal(t, string(want), got.String())
}
