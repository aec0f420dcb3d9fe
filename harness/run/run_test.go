package run

import (
	"bytes"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
)

// resultsOf runs a scheme on a workload once.
func resultsOf(t *testing.T, mode Mode, info *schemes.Info, spec workload.Spec) map[string]results.Result {
	t.Helper()
	trace, err := spec.Trace()
	require.NoError(t, err)
	all, err := runOnce(mode, NewSubject(info, 64, 1), trace, drive.Clock, 100)
	require.NoError(t, err)
	rows := map[string]results.Result{}
	for _, r := range all.rows {
		rows[results.ParseKey(r.Name).Op] = r
	}
	return rows
}

// Values are by the timers that ended in the run, or by its ticks. The bytes are the scheme's: a record of 32 for a timer,
// without the harness's handles.
func TestIterationsAndMemory(t *testing.T) {
	spec := workload.Spec{N: 20, T: 10, Ticks: 50}
	assert.Equal(t, 100, resultsOf(t, Lifetimes, seven[5], spec)["Lifetime"].Iters)
	assert.Equal(t, 50, resultsOf(t, Operations, seven[5], spec)["PerTick"].Iters)
	memory := resultsOf(t, Operations, seven[0], workload.Spec{N: 200_000, T: 100, Ticks: 10})["Memory"]
	assert.InDelta(t, 34, memory.Value(units.BytesPerTimer), 3)
}

// sleepy is a scheme that takes no CPU time for most of a tick.
type sleepy struct{ schemes.Scheme }

func (s sleepy) PerTick() int {
	time.Sleep(time.Millisecond)
	return s.Scheme.PerTick()
}

// A sample is CPU time, not the time that passes.
func TestSampleTakesCPUTime(t *testing.T) {
	info := wrapped("sleepy", func(s schemes.Scheme) schemes.Scheme { return sleepy{s} })
	g, began := Group{Mode: Lifetimes, Spec: workload.Spec{N: 20, T: 10, Ticks: 100}}, CPUTime()
	rows, err := g.Sample(NewSubject(info, 64, 1))
	require.NoError(t, err)
	assert.Less(t, rows[0].Value(units.NsPerOp)*float64(rows[0].Iters), float64(CPUTime()-began))
	g.Subjects = []Subject{NewSubject(info, 64, 1)}
	s := runTiny(t, Plan{Groups: []Group{g}, Rounds: 1, Limits: roomy})
	assert.Greater(t, s.results[1].Value(units.WallOverCPU), 2.0, "it sleeps for most of a run")
}

// What the application does between ticks changes no count, and is in the name.
func TestColdCells(t *testing.T) {
	spec := workload.Spec{N: 1000, T: 100, Dist: workload.Exp, Stop: 0.5, StopAt: 0.5, Ticks: 200, Seed: 1}
	trace, err := spec.Trace()
	require.NoError(t, err)
	row := func(cold Cold) results.Result {
		s := NewSubject(&hierarchical.Info, 256, 2)
		s.Cold = cold
		pass, err := runOnce(Lifetimes, s, trace, drive.Clock, 100)
		require.NoError(t, err)
		require.Len(t, pass.rows, 1)
		return pass.rows[0]
	}
	collections := func() (n uint32) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumGC
	}
	begun := collections()
	hot := row(Cold{})
	between := collections()
	cold := row(Cold{Touched: 2, Collected: 3})
	assert.Greater(t, collections()-between, between-begun, "the collector runs meanwhile")
	memory := make([]byte, 10*cacheLine)
	touch(memory)
	assert.Equal(t, 10, bytes.Count(memory, []byte{1}), "every line is written")
	assert.Equal(t, hot.Name+"/touched=2MiB/collected=3MiB", cold.Name)
	assert.Equal(t, hot.Iters, cold.Iters)
	assert.Equal(t, hot.Values[1:len(cold.Values)], cold.Values[1:], "no wall time over CPU time")
	assert.NotZero(t, cold.Values[0].Value)
}
