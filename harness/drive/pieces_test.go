package drive_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/drive"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// However a run is divided, it comes to the same.
func TestRunInParts(t *testing.T) {
	for kind, trace := range kinds(t) {
		for _, name := range []string{"hashunsorted", "hierarchical-nomigrate"} {
			info, err := harness.Find(name)
			require.NoError(t, err)
			whole, parts := newSmall(t, info, trace), newSmall(t, info, trace)
			d, err := through(whole, trace, nil)
			require.NoError(t, err)
			p := drive.New(parts, trace)
			require.NoError(t, p.Fill())
			for tick := schemes.Tick(0); tick <= trace.Ticks; tick += 1 + tick/3 {
				require.NoError(t, p.RunTo(tick, nil, nil))
				require.NoError(t, p.RunTo(tick/2, nil, nil), "a tick that has passed")
			}
			require.NoError(t, p.RunTo(trace.Ticks, nil, nil))
			require.NoError(t, p.Verify(), "%s, %s", name, kind)
			assert.Equal(t, d.Outcome(), p.Outcome(), "%s, %s", name, kind)
			assert.Equal(t, whole.(schemes.Counter).Counts(), parts.(schemes.Counter).Counts(), "%s, %s", name, kind)
			assert.ErrorContains(t, p.RunTo(trace.Ticks+1, nil, nil), "past the end")
		}
	}
}

// A run that may be stopped, in pieces and from any tick of a stream on, comes to the outcome of each piece.
func TestPieces(t *testing.T) {
	m := workload.Mixture{N: 200, Seed: 3, Lives: []workload.Life{
		{Interval: 300, Stay: 40, Share: 0.25}, {Interval: 90, Stay: 90, Share: 0.25}, {Interval: 250, Stay: 20, Share: 0.5, Restarts: true},
	}}
	for _, info := range harness.Schemes {
		if bounded(t, info) {
			continue
		}
		s, err := m.Stream()
		require.NoError(t, err)
		s.Next(1000)
		fill := s.Fill()
		scheme, err := info.New(schemes.Config{Now: fill.From, Capacity: 200, Slots: 512})
		require.NoError(t, err)
		d := drive.New(scheme, fill)
		require.NoError(t, d.RunTo(fill.Ticks, nil, never))
		for _, ticks := range []schemes.Tick{1, 700, 64} {
			piece := s.Next(ticks)
			require.NoError(t, d.Continue(piece))
			require.NoError(t, d.RunTo(piece.Ticks, nil, never), info.Name)
			require.NoError(t, d.Verify(), info.Name)
			require.Equal(t, piece.Want, d.Outcome(), info.Name)
		}
		assert.ErrorContains(t, d.Continue(fill), "the next piece begins after tick 1000")
	}
}

// A run is asked whether to stop between few operations, so that no scheme can exceed a limit by much.
func TestARunIsStopped(t *testing.T) {
	trace := kinds(t)["exp"]
	d := drive.New(newSmall(t, harness.Schemes[0], trace), trace)
	calls, enough := 0, errors.New("enough")
	err := d.RunTo(trace.Ticks, nil, func() error {
		if calls++; calls == 10 {
			return enough
		}
		return nil
	})
	assert.ErrorIs(t, err, enough)
	assert.Regexp(t, `^enough at tick \d+ of 1500$`, err)
	done := d.Outcome().Started + d.Outcome().Stopped
	assert.LessOrEqual(t, done, uint64(10*2*64))
	assert.Error(t, d.Verify())
}

func never() error { return nil }
