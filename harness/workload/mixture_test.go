package workload

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// A mixture of the lives of a Spec is that workload: the same shares and stays.
func TestMixture(t *testing.T) {
	spec := Spec{N: 2000, T: 500, Dist: Exp(), Stop: 0.3, StopAt: 0.5, Restart: 0.2, RestartAt: 0.25, Seed: 7, Ticks: 5000}
	m := Mixture{N: spec.N, Lives: spec.Lives(), Ticks: spec.Ticks, Seed: 3}
	assert.InDelta(t, spec.Stay(), m.Stay(), 1e-6*spec.Stay())
	trace, err := m.Trace()
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

	again, err := m.Trace()
	require.NoError(t, err)
	assert.Equal(t, trace.Hash, again.Hash)
}

// The prefill is the steady state: as much ends in the first half as in the second.
func TestMixtureBeginsInItsSteadyState(t *testing.T) {
	m := Mixture{N: 5000, Ticks: 4000, Lives: []Life{{Interval: 10, Stay: 10, Share: 9}, {Interval: 4000, Stay: 4000, Share: 1}, {Interval: 4000, Stay: 300, Share: 2, Restarts: true}}}
	trace, err := m.Trace()
	require.NoError(t, err)
	require.NoError(t, trace.Check())
	first, second := 0, 0
	for _, op := range trace.Ops[trace.Prefill:] {
		if op.Tick <= m.Ticks/2 {
			first++
		} else {
			second++
		}
	}
	assert.InDelta(t, first, second, 5*math.Sqrt(float64(first+second)))
}

func TestBadMixtures(t *testing.T) {
	good := Life{Interval: 5, Stay: 5, Share: 1}
	for _, m := range []Mixture{
		{}, {N: 1}, {N: 0, Lives: []Life{good}}, {N: MaxOps + 1, Lives: []Life{good}}, {N: 1, Lives: []Life{good}, Ticks: MaxTicks + 1},
		{N: 1, Lives: []Life{{Stay: 1, Share: 1}}}, {N: 1, Lives: []Life{{Interval: 5, Stay: 6, Share: 1}}}, {N: 1, Lives: []Life{{Interval: 5, Share: 1}}},
		{N: 1, Lives: []Life{{Interval: 5, Stay: 5}}}, {N: 1, Lives: []Life{{Interval: 5, Stay: 5, Share: math.NaN()}}}, {N: 1000, Lives: []Life{good}, Ticks: 1 << 40},
	} {
		_, err := m.Trace()
		assert.ErrorIs(t, err, ErrSpec, "%+v", m)
	}
}

func TestScript(t *testing.T) {
	s := Script{
		N:        100,
		Interval: func(timer int, now schemes.Tick) schemes.Tick { return 1 + schemes.Tick(timer)%5 + now%3 },
		Ticks:    200,
	}
	trace, err := s.Trace()
	require.NoError(t, err)
	require.NoError(t, trace.Check())
	assert.Equal(t, 100, trace.Prefill)
	assert.EqualValues(t, 100, trace.Want.Outstanding)
	for _, bad := range []Script{{}, {N: 1, Ticks: MaxTicks + 1}} {
		_, err := bad.Trace()
		assert.ErrorIs(t, err, ErrSpec)
	}
}
