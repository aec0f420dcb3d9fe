package run

import (
	"testing"

	"timerlab/harness/results"
	"timerlab/harness/results/units"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// resultsOf runs a scheme on a workload once.
func resultsOf(t *testing.T, mode Mode, info *schemes.Info, spec workload.Spec) map[string]results.Result {
	t.Helper()
	trace, err := spec.Trace()
	require.NoError(t, err)
	all, err := runOnce(mode, NewSubject(info, 64, 1), trace, 100)
	require.NoError(t, err)
	rows := map[string]results.Result{}
	for _, r := range all {
		rows[results.ParseKey(r.Name).Op] = r
	}
	return rows
}

// Values are by the timers that ended in the run, or by its ticks.
func TestIterations(t *testing.T) {
	spec := workload.Spec{N: 20, T: 10, Ticks: 50}
	assert.Equal(t, 100, resultsOf(t, Lifetimes, seven[5], spec)["Lifetime"].Iters)
	assert.Equal(t, 50, resultsOf(t, Operations, seven[5], spec)["PerTick"].Iters)
}

// The bytes are the scheme's: a record of 32 for a timer, without the harness's
// handles.
func TestMemoryIsTheSchemesAlone(t *testing.T) {
	rows := resultsOf(t, Operations, seven[0], workload.Spec{N: 200_000, T: 100, Ticks: 10})
	bytes, _ := value(rows["Memory"], units.BytesPerTimer)
	assert.InDelta(t, 34, bytes, 3)
}
