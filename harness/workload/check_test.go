package workload

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"timerlab/schemes"
)

// outstanding returns how many timers there are after each tick's operations.
func outstanding(trace *Trace) []int {
	change, ends := make([]int, trace.Ticks+2), make([]schemes.Tick, trace.Timers)
	for _, op := range trace.Ops {
		if op.Kind != Start { // it does not expire
			change[op.Tick]--
			change[ends[op.Timer]]++
		}
		if op.Kind != Stop {
			ends[op.Timer] = min(op.Tick+op.Interval, trace.Ticks+1)
			change[op.Tick]++
			change[ends[op.Timer]]--
		}
	}
	for tick := range trace.Ticks {
		change[tick+1] += change[tick]
	}
	return change[:trace.Ticks+1]
}

// anySpec draws a small workload.
func anySpec(t *rapid.T) Spec {
	percent := func(name string, most int) float64 {
		return float64(rapid.IntRange(0, most).Draw(t, name)) / 100
	}
	s := Spec{
		N:         rapid.IntRange(1, 40).Draw(t, "N"),
		T:         schemes.Tick(rapid.IntRange(1, 60).Draw(t, "T")),
		Dist:      rapid.SampledFrom(Dists).Draw(t, "Dist"),
		Stop:      percent("Stop", 100),
		StopAt:    percent("StopAt", 100),
		RestartAt: percent("RestartAt", 100),
		Arrivals:  rapid.SampledFrom([]Arrivals{Hold, Poisson}).Draw(t, "Arrivals"),
		Every:     schemes.Tick(rapid.IntRange(0, 20).Draw(t, "Every")),
		Ticks:     schemes.Tick(rapid.IntRange(0, 300).Draw(t, "Ticks")),
		Seed:      rapid.Uint64().Draw(t, "Seed"),
	}
	s.Restart = percent("Restart", 100-int(s.Stop*100+0.5))
	return s
}

func TestAnyTraceIsWhatItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySpec(t)
		trace, err := s.Trace()
		if err != nil {
			require.ErrorContains(t, err, "out of reach")
			t.Skip()
		}
		require.NoError(t, trace.Check())
		got, left := trace.Want, outstanding(trace)
		require.EqualValues(t, got.Outstanding, left[trace.Ticks])
		for tick, n := range left {
			if s.Arrivals == Hold && tick%int(max(1, s.Every)) == 0 {
				require.Equal(t, s.N, n, "outstanding after tick %d", tick)
			}
		}
		require.Equal(t, got.Started, got.Stopped+got.Expired+got.Outstanding)
		require.Equal(t, got.Stopped+got.Expired, trace.Lifetimes())
		require.Equal(t, int(got.Stopped), trace.Count(Stop)+trace.Count(Restart))
		require.Equal(t, int(got.Started), trace.Count(Start)+trace.Count(Restart))
		require.Equal(t, s.N, trace.Prefill)

		again, err := s.Trace()
		require.NoError(t, err)
		require.Equal(t, trace, again)
	})
}

// A longer run begins with the operations of the shorter one.
func TestAnyTraceIsThePrefixOfALongerOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySpec(t)
		short, err := s.Trace()
		if err != nil {
			t.Skip()
		}
		s.Ticks += schemes.Tick(rapid.IntRange(1, 300).Draw(t, "more"))
		long, err := s.Trace()
		require.NoError(t, err)
		require.Equal(t, short.Ops, long.Ops[:len(short.Ops)])
		if len(long.Ops) > len(short.Ops) {
			require.Greater(t, long.Ops[len(short.Ops)].Tick, short.Ticks)
		}
	})
}

// find returns the index of the last operation of a kind.
func find(t *Trace, k Kind) int {
	for i := len(t.Ops) - 1; ; i-- {
		if t.Ops[i].Kind == k {
			return i
		}
	}
}

func TestCheckFindsWhatIsBroken(t *testing.T) {
	s := Spec{N: 20, T: 30, Dist: Exp, Stop: 0.4, StopAt: 0.5, Restart: 0.3, RestartAt: 0.5, Every: 2, Ticks: 200, Seed: 1}
	for _, c := range []struct {
		want  string
		spoil func(*Trace)
	}{
		{"timers are 0 to 18", func(t *Trace) { t.Timers-- }},
		{"Timers = -1", func(t *Trace) { t.Timers = -1 }},
		{"Timers = 2000000000", func(t *Trace) { t.Timers = 2_000_000_000 }},
		{"no others, are at tick 0", func(t *Trace) { t.Prefill-- }},
		{"no others, are at tick 0", func(t *Trace) { t.Prefill++ }},
		{"the run ends at 100", func(t *Trace) { t.Ticks = 100 }},
		{"unknown kind", func(t *Trace) { t.Ops[30].Kind = 3 }},
		{"interval 0", func(t *Trace) { t.Ops[find(t, Start)].Interval = 0 }},
		{"interval 0", func(t *Trace) { t.Ops[find(t, Restart)].Interval = 0 }},
		{"interval 3", func(t *Trace) { t.Ops[find(t, Stop)].Interval = 3 }},
		{"leads past the clock's end", func(t *Trace) { t.Ops[find(t, Start)].Interval = never }},
		{"multiples of 2", func(t *Trace) { t.Ops[30].Tick++ }},
		{"out of order", func(t *Trace) { i := find(t, Stop); t.Ops[i], t.Ops[i+1] = t.Ops[i+1], t.Ops[i] }},
		{"the timer is outstanding: false", func(t *Trace) { t.Ops[3].Interval = 1 }},
		{"the timer is outstanding: true", func(t *Trace) { t.Ops[1].Timer = t.Ops[0].Timer }},
		{"Want = ", func(t *Trace) { t.Want.Started, t.Want.Expired = t.Want.Started+1, t.Want.Expired+1 }},
		{"Want = ", func(t *Trace) { t.Want.Checksum++ }},
		{"Want = ", func(t *Trace) { t.Want.Outstanding-- }},
		{"Longest = ", func(t *Trace) { t.Longest++ }},
		{"Hash = ", func(t *Trace) { t.Hash++ }},
		{"Hash = ", func(t *Trace) { t.Ops[0], t.Ops[1] = t.Ops[1], t.Ops[0] }},
		{"Prefill = ", func(t *Trace) { t.Ops, t.Ticks = t.Ops[:t.Prefill], 0; t.Prefill++ }},
	} {
		trace, err := s.Trace()
		require.NoError(t, err)
		require.NoError(t, trace.Check())
		trace.Ops = slices.Clone(trace.Ops)
		c.spoil(trace)
		err = trace.Check()
		require.ErrorIs(t, err, errTrace, c.want)
		assert.ErrorContains(t, err, c.want)
	}
}
