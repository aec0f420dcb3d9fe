package workload

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// A mixture of the lives of a Spec is that workload: the same shares and stays.
func TestMixture(t *testing.T) {
	spec := Spec{N: 2000, T: 500, Dist: Exp(), Stop: 0.3, StopAt: 0.5, Restart: 0.2, RestartAt: 0.25, Seed: 7, Ticks: 5000}
	m := Mixture{N: spec.N, Lives: spec.Lives(), Seed: 3}
	assert.InDelta(t, stayOf(spec), m.stay(), 1e-6*stayOf(spec))
	trace, err := traced(m, spec.Ticks)
	require.NoError(t, err)
	require.NoError(t, trace.Check())
	other, err := spec.Trace()
	require.NoError(t, err)
	lives := float64(other.Lifetimes())
	within := func(want, got float64, what string) {
		assert.InDelta(t, want, got, 5*math.Sqrt(2*lives), what) // five standard deviations of a difference of counts
	}
	within(lives, float64(trace.Lifetimes()), "lifetimes")
	within(float64(other.Want.Expired), float64(trace.Want.Expired), "expired")
	within(float64(other.Count(Stop)), float64(trace.Count(Stop)), "stops")
	within(float64(other.Count(Restart)), float64(trace.Count(Restart)), "restarts")
	assert.EqualValues(t, spec.N, trace.Want.Outstanding)

	again, err := traced(m, spec.Ticks)
	require.NoError(t, err)
	assert.Equal(t, trace.Hash, again.Hash)
}

func TestBadMixtures(t *testing.T) {
	good := Life{Interval: 5, Stay: 5, Share: 1}
	for _, m := range []Mixture{
		{}, {N: 1}, {N: 0, Lives: []Life{good}}, {N: MaxOps + 1, Lives: []Life{good}},
		{N: 1, Lives: []Life{{Stay: 1, Share: 1}}}, {N: 1, Lives: []Life{{Interval: 5, Stay: 6, Share: 1}}}, {N: 1, Lives: []Life{{Interval: 5, Share: 1}}},
		{N: 1, Lives: []Life{{Interval: 5, Stay: 5}}}, {N: 1, Lives: []Life{{Interval: 5, Stay: 5, Share: math.NaN()}}},
	} {
		err := m.check()
		assert.ErrorIs(t, err, ErrSpec, "%+v", m)
	}
}

func TestScript(t *testing.T) {
	s := Script{
		N:        100,
		Interval: func(timer int, now schemes.Tick) schemes.Tick { return 1 + schemes.Tick(timer)%5 + now%3 },
	}
	trace, err := traced(s, 200)
	require.NoError(t, err)
	require.NoError(t, trace.Check())
	assert.Equal(t, 100, trace.Prefill)
	assert.EqualValues(t, 100, trace.Want.Outstanding)
	for _, bad := range []Script{{}, {N: MaxOps + 1}} {
		_, err := traced(bad, 1)
		assert.ErrorIs(t, err, ErrSpec)
	}
}

// The pieces of a stream are those of one trace, and a Fill within it starts what is outstanding.
func TestStreamPieces(t *testing.T) {
	m := Mixture{N: 300, Seed: 5, Lives: []Life{
		{Interval: 10, Stay: 10, Share: 5}, {Interval: 700, Stay: 90, Share: 1}, {Interval: 400, Stay: 300, Share: 2, Restarts: true},
	}}
	whole, err := traced(m, 900)
	require.NoError(t, err)
	require.NoError(t, whole.Check())
	s, err := m.Stream()
	require.NoError(t, err)
	ops := s.Fill().Ops
	var ended, checksum uint64
	for _, ticks := range []schemes.Tick{1, 99, 500, 300} {
		piece := s.Next(ticks)
		require.Equal(t, s.Now(), piece.Ticks)
		require.EqualValues(t, m.N, piece.Want.Outstanding)
		ops = append(ops, piece.Ops...)
		ended, checksum = ended+piece.Lifetimes(), checksum+piece.Want.Checksum
	}
	assert.Equal(t, whole.Ops, ops)
	assert.Equal(t, whole.Lifetimes(), ended)
	assert.Equal(t, whole.Want.Checksum, checksum)

	deadlines := map[uint32]schemes.Tick{}
	for _, op := range whole.Ops {
		deadlines[op.Timer] = op.Tick + op.Interval
	}
	fill, steady, restarts := s.Fill(), s.Steady(), 0
	require.Len(t, fill.Ops, m.N)
	for _, op := range fill.Ops {
		require.Equal(t, deadlines[op.Timer], op.Tick+op.Interval)
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

// Rare timers have their exact share, and an interval without a longest one needs room for what
// may come.
func TestRareTimers(t *testing.T) {
	c, err := ParseClass("mix:0.9999915*uniform:1us,16ms+0.0000085*const:1000s", "", "")
	require.NoError(t, err)
	n := Demand{N: 1_000_000, Tick: time.Millisecond, Classes: []Class{c}}.Numbers()
	assert.InEpsilon(t, 8.5+8.5, n.Residence, 0.01, "half of the stay is that of the rare ones")
	assert.EqualValues(t, 1_000_000, n.Longest)
	c, err = ParseClass("mix:0.5*100ms+0.5*30s", "0.995@const:3ms", "")
	require.NoError(t, err)
	n = Demand{N: 20_000, Tick: time.Millisecond, Classes: []Class{c}}.Numbers()
	assert.InEpsilon(t, 0.995*3+0.005*15_050, n.Residence, 1e-9)
	c, err = ParseClass("exp:1s", "", "")
	require.NoError(t, err)
	assert.InDelta(t, 36_737, float64(Demand{N: 1, Tick: time.Millisecond, Classes: []Class{c}}.Numbers().Longest), 5)
}
