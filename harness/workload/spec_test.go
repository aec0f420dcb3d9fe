package workload

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

func TestBadSpecsAreNamed(t *testing.T) {
	good := Spec{N: 10, T: 100, Ticks: 1000}
	require.NoError(t, good.Check())
	for _, c := range []struct {
		change func(*Spec)
		want   string
	}{
		{func(s *Spec) { s.N = 0 }, "N = 0 timers (use 1 to 100000000)"},
		{func(s *Spec) { s.N = -5 }, "N = -5 timers (use 1 to 100000000)"},
		{func(s *Spec) { s.N = MaxOps + 1 }, "N = 100000001 timers"},
		{func(s *Spec) { s.T = 0 }, "T = 0 ticks (use 1 to 2147483648)"},
		{func(s *Spec) { s.T = MaxMean + 1 }, "T = 2147483649 ticks"},
		{func(s *Spec) { s.Stop = math.NaN() }, "Stop = NaN (use a fraction from 0 to 1)"},
		{func(s *Spec) { s.Stop = 1.5 }, "Stop = 1.5 (use"},
		{func(s *Spec) { s.StopAt = -0.1 }, "StopAt = -0.1 (use"},
		{func(s *Spec) { s.Restart = math.Inf(1) }, "Restart = +Inf (use"},
		{func(s *Spec) { s.RestartAt = 2 }, "RestartAt = 2 (use"},
		{func(s *Spec) { s.Stop, s.Restart = 0.5, 0.6 }, "Stop + Restart = 0.5 + 0.6 (use at most 1"},
		{func(s *Spec) { s.Arrivals = 7 }, "Arrivals = Arrivals(7) (use Hold or Poisson)"},
		{func(s *Spec) { s.Every = MaxTicks + 1 }, "Every = 281474976710657 ticks (use at most 281474976710656)"},
		{func(s *Spec) { s.Ticks = MaxTicks + 1 }, "Ticks = 281474976710657 (use at most"},
		{func(s *Spec) { s.Ticks = MaxTicks }, "more than 100000000 operations in Ticks = 281474976710656"},
		{func(s *Spec) { s.N = MaxOps }, "more than 100000000 operations"},
		{func(s *Spec) { s.Stop, s.StopAt = 1, 0 }, "T = 100 ticks is out of reach with const intervals, Stop = 1 at 0"},
		{func(s *Spec) { s.T, s.Stop, s.StopAt = MaxMean, 0.5, 0.5 }, "would need a mean interval above 2147483648"},
	} {
		s := good
		c.change(&s)
		trace, err := s.Trace()
		assert.Nil(t, trace)
		require.ErrorIs(t, err, ErrSpec, c.want)
		assert.ErrorContains(t, err, c.want)
		assert.Equal(t, err, s.Check())
		assert.Nil(t, s.Lives())
		assert.Zero(t, stayOf(s))
		assert.Zero(t, s.Rate())
	}
}

// stayOf returns the mean time that a timer stays, with all rounding, and with the effect of Every.
func stayOf(s Spec) float64 { return NumbersOf(s.N, s.Lives()).MeanStay }

// intervals returns the table of requested intervals.
func intervals(s Spec) []schemes.Tick {
	p, err := s.plan()
	if err != nil {
		return nil
	}
	return p.intervals
}

// Without rounding, E[S] = E[J](1 - p(1-f) - r(1-g)).
func TestIntervalsFollowFromTheMeanStay(t *testing.T) {
	for _, d := range Dists {
		s := Spec{N: 1, T: 100_000, Dist: d, Stop: 0.6, StopAt: 0.05, Restart: 0.3, RestartAt: 0.5}
		sum := schemes.Tick(0)
		for _, x := range intervals(s) {
			sum += x
		}
		want := 100_000 / (1 - 0.6*0.95 - 0.3*0.5)
		assert.InEpsilon(t, want, float64(sum)/points, 1e-4, "%v", d)
		assert.InDelta(t, 100_000, stayOf(s), 1, "%v", d)
	}
	plain := Spec{N: 1, T: 777, Dist: Exp}
	assert.Equal(t, Exp.Quantiles(777), intervals(plain))
}
