package run_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// A run within a limit of time, in pieces and from any tick of a stream on, comes to the
// outcome of each piece.
func TestPieces(t *testing.T) {
	m := workload.Mixture{N: 200, Seed: 3, Lives: []workload.Life{
		{Interval: 300, Stay: 40, Share: 1}, {Interval: 90, Stay: 90, Share: 1}, {Interval: 250, Stay: 20, Share: 1, Restarts: true},
	}}
	for _, info := range harness.Schemes {
		s, err := m.Stream()
		require.NoError(t, err)
		s.Next(1000)
		fill := s.Fill()
		scheme, err := info.New(schemes.Config{Now: fill.From, Capacity: 200, Slots: 512})
		require.NoError(t, err)
		d := run.NewDrive(scheme, fill)
		require.NoError(t, d.RunWithin(fill.Ticks, time.Minute))
		for _, ticks := range []schemes.Tick{1, 700, 64} {
			piece := s.Next(ticks)
			require.NoError(t, d.Continue(piece))
			require.NoError(t, d.RunWithin(piece.Ticks, time.Minute), info.Name)
			require.NoError(t, d.Verify(), info.Name)
			if !bounded(t, info) {
				require.Equal(t, piece.Want, d.Outcome(), info.Name)
			}
		}
		assert.ErrorContains(t, d.Continue(fill), "the next piece begins after tick 1000")
	}
}

// The clock is read between few operations, so that no scheme can exceed the limit by much.
func TestRunWithinALimit(t *testing.T) {
	trace := kinds(t)["exp"]
	d := run.NewDrive(newSmall(t, harness.Schemes[0], trace), trace)
	err := d.RunWithin(trace.Ticks, 0)
	assert.ErrorIs(t, err, run.ErrTime)
	assert.Error(t, d.Verify())
}
