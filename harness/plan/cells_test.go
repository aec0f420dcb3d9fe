package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/drive"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Scheme 6 by key comes to the outcome of a trace, and refuses keys of timers that are gone.
func TestByKey(t *testing.T) {
	spec := workload.Spec{N: 100, T: 50, Dist: workload.Uniform, Stop: 0.5, StopAt: 0.5, Ticks: 500}
	trace, err := spec.Trace()
	require.NoError(t, err)
	s, err := byKeySubject(16).Info.New(schemes.Config{Slots: 16})
	require.NoError(t, err)
	d := drive.New(s, trace)
	require.NoError(t, d.Fill())
	require.NoError(t, d.Run(nil))
	require.NoError(t, d.Verify())
	h, err := s.Start(1, 1<<40)
	require.NoError(t, err)
	assert.True(t, s.Stop(h))
	assert.False(t, s.Stop(h))
	assert.False(t, s.Stop(0))
	_, err = s.Start(0, 1)
	assert.ErrorIs(t, err, schemes.ErrInterval)
}

// A batch of the cells for operations holds as many starts as its laps need, or n is so small that only ticks are read.
func TestLapsAreLong(t *testing.T) {
	for _, g := range claimCells([]int{1_000}, 5_000, 1) {
		if g.Mode == run.Lifetimes || g.Spec.N < 100 {
			continue
		}
		starts := float64(g.Spec.Every) * g.Spec.Rate()
		assert.GreaterOrEqual(t, starts, 0.5*lapStarts, "%+v", g.Spec)
		if g.Spec.Stop > 0 {
			trace, err := g.Spec.Trace()
			require.NoError(t, err)
			laps := float64(trace.Ticks / g.Spec.Every)
			assert.GreaterOrEqual(t, float64(trace.Count(workload.Stop))/laps, 0.9*lapStarts, "%+v", g.Spec)
			for _, s := range g.Subjects {
				assert.LessOrEqual(t, trace.Longest, s.Info.Range(s.Config(0)), s.Label)
			}
		}
	}
}
