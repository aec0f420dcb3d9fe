package workload

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// Traced returns the trace of a mixture.
func Traced(m Mixture, ticks schemes.Tick) (*Trace, error) {
	s, err := m.Stream()
	if err != nil {
		return nil, err
	}
	s.spec.Ticks = ticks
	return s.whole(), nil
}

func TestBadMixtures(t *testing.T) {
	good := Life{Interval: 5, Stay: 5, Share: 1}
	for _, m := range []Mixture{
		{}, {N: 1}, {N: 0, Lives: []Life{good}}, {N: MaxOps + 1, Lives: []Life{good}},
		{N: 1, Lives: []Life{{Stay: 1, Share: 1}}}, {N: 1, Lives: []Life{{Interval: 5, Stay: 6, Share: 1}}}, {N: 1, Lives: []Life{{Interval: 5, Share: 1}}},
		{N: 1, Step: 4, Lives: []Life{{Interval: 50, Stay: 5, Share: 1}}},
		{N: 1, Lives: []Life{{Interval: 5, Stay: 5}}}, {N: 1, Lives: []Life{{Interval: 5, Stay: 5, Share: math.NaN()}}},
	} {
		_, err := m.Stream()
		assert.ErrorIs(t, err, ErrSpec, "%+v", m)
	}
}

// Where the clock passes many ticks at once, operations come after its steps, but timers expire on any tick.
func TestSteps(t *testing.T) {
	m := Mixture{N: 300, Step: 50, Lives: []Life{{Interval: 120, Stay: 120, Share: 0.5}, {Interval: 400, Stay: 100, Share: 0.5, Restarts: true}}}
	trace, err := Traced(m, 1000)
	require.NoError(t, err)
	require.NoError(t, trace.Check())
	assert.True(t, trace.Steps)
	assert.Positive(t, trace.Want.Expired)
	for _, op := range trace.Ops {
		require.Zero(t, op.Tick%m.Step)
	}
}

// The pieces of a stream are those of one trace, and a Fill within it starts what is outstanding.
func TestStreamPieces(t *testing.T) {
	m := Mixture{N: 300, Seed: 5, Lives: []Life{
		{Interval: 10, Stay: 10, Share: 0.625}, {Interval: 700, Stay: 90, Share: 0.125}, {Interval: 400, Stay: 300, Share: 0.25, Restarts: true},
	}}
	whole, err := Traced(m, 900)
	require.NoError(t, err)
	require.NoError(t, whole.Check())
	s, err := m.Stream()
	require.NoError(t, err)
	fill := s.Fill()
	require.ElementsMatch(t, whole.Ops[:whole.Prefill], fill.Ops)
	var ops []Op
	var ended, checksum uint64
	for _, ticks := range []schemes.Tick{1, 99, 500, 300} {
		piece := s.Next(ticks)
		require.EqualValues(t, m.N, piece.Want.Outstanding)
		ops = append(ops, piece.Ops...)
		ended, checksum = ended+piece.Lifetimes(), checksum+piece.Want.Checksum
	}
	assert.Equal(t, whole.Ops[whole.Prefill:], ops)
	assert.Equal(t, whole.Lifetimes(), ended)
	assert.Equal(t, whole.Want.Checksum, checksum)

	deadlines, begun := map[uint32]schemes.Tick{}, map[uint32]schemes.Tick{}
	for _, op := range whole.Ops {
		deadlines[op.Timer], begun[op.Timer] = op.Tick+op.Interval, op.Tick
	}
	fill, restarts := s.Fill(), 0
	steady := s.Steady(fill)
	require.Len(t, fill.Ops, m.N)
	last := schemes.Tick(0)
	for _, op := range fill.Ops {
		require.Equal(t, deadlines[op.Timer], op.Tick+op.Interval)
		require.GreaterOrEqual(t, begun[op.Timer], last, "in the order in which they were started")
		last = begun[op.Timer]
	}
	for i, op := range steady.Ops {
		if i < m.N {
			require.LessOrEqual(t, op.Tick+op.Interval, deadlines[op.Timer])
			continue
		}
		restarts++
		require.Equal(t, Restart, op.Kind)
		require.Equal(t, deadlines[op.Timer], op.Tick+op.Interval)
	}
	assert.Positive(t, restarts)
}
