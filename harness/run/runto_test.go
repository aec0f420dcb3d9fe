package run_test

import (
	"testing"

	"timerlab/harness/run"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/workload"
)

// RunTo includes the tick's expiries and operations.
func TestRunToIncludesItsTick(t *testing.T) {
	trace, err := workload.Spec{N: 3, T: 10, Ticks: 100}.Trace()
	require.NoError(t, err)
	d := run.NewDrive(newSmall(t, harness.Schemes[0], trace), trace)
	require.NoError(t, d.Fill())
	for tick := range trace.Ticks + 1 {
		want := workload.Outcome{}
		for i, op := range trace.Ops {
			if i < trace.Prefill || op.Tick <= tick {
				want.Started++
			}
			if op.Tick+op.Interval <= tick {
				want.Expired++
			}
		}
		require.NoError(t, d.RunTo(tick, nil))
		got := d.Outcome()
		assert.Equal(t, [2]uint64{want.Started, want.Expired}, [2]uint64{got.Started, got.Expired}, "tick %d", tick)
		require.NoError(t, d.RunTo(tick/2, nil), "it has passed")
		assert.Equal(t, got, d.Outcome())
	}
	assert.NoError(t, d.Verify())
}
