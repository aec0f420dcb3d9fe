package workload

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"timerlab/schemes"
)

// model is the plainest timer module: the timers due at each tick.
type model struct {
	due      map[schemes.Tick]map[uint32]bool
	deadline map[uint32]schemes.Tick
	got      Outcome
}

func (m *model) expire(tick schemes.Tick) {
	for timer := range m.due[tick] {
		m.got.Expired++
		m.got.Checksum += Mix(tick, schemes.ID(timer))
		delete(m.deadline, timer)
	}
	delete(m.due, tick)
}

func (m *model) start(op Op) {
	deadline := op.Tick + op.Interval
	if m.due[deadline] == nil {
		m.due[deadline] = map[uint32]bool{}
	}
	m.due[deadline][op.Timer] = true
	m.deadline[op.Timer] = deadline
	m.got.Started++
}

func (m *model) stop(t require.TestingT, op Op) {
	deadline, ok := m.deadline[op.Timer]
	require.True(t, ok, "%v of timer %d, which is not outstanding, at tick %d", op.Kind, op.Timer, op.Tick)
	delete(m.due[deadline], op.Timer)
	delete(m.deadline, op.Timer)
	m.got.Stopped++
}

// drive runs a trace as the harness does, tick by tick, and tells after every
// tick how many timers are outstanding.
func drive(t require.TestingT, trace *Trace, after func(tick schemes.Tick, n int)) Outcome {
	m := model{due: map[schemes.Tick]map[uint32]bool{}, deadline: map[uint32]schemes.Tick{}}
	ops := trace.Ops
	for tick := schemes.Tick(0); tick <= trace.Ticks; tick++ {
		m.expire(tick)
		for len(ops) > 0 && ops[0].Tick == tick {
			op := ops[0]
			ops = ops[1:]
			if op.Kind != Start {
				m.stop(t, op)
			}
			if op.Kind != Stop {
				_, ok := m.deadline[op.Timer]
				require.False(t, ok, "start of timer %d, which is outstanding, at tick %d", op.Timer, tick)
				m.start(op)
			}
		}
		after(tick, len(m.deadline))
	}
	require.Empty(t, ops, "operations left after the last tick")
	m.got.Outstanding = uint64(len(m.deadline))
	return m.got
}

// anySpec draws a small workload.
func anySpec(t *rapid.T) Spec {
	percent := func(name string, most int) float64 {
		return float64(rapid.IntRange(0, most).Draw(t, name)) / 100
	}
	s := Spec{
		N:         rapid.IntRange(1, 40).Draw(t, "N"),
		T:         schemes.Tick(rapid.IntRange(1, 60).Draw(t, "T")),
		Dist:      rapid.SampledFrom(Dists()).Draw(t, "Dist"),
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
		got := drive(t, trace, func(tick schemes.Tick, n int) {
			if s.Arrivals == Hold && tick%max(1, s.Every) == 0 {
				require.Equal(t, s.N, n, "outstanding after tick %d", tick)
			}
		})
		require.Equal(t, got, trace.Want)
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
	s := Spec{N: 20, T: 30, Dist: Exp(), Stop: 0.4, StopAt: 0.5, Restart: 0.3, RestartAt: 0.5, Every: 2, Ticks: 200, Seed: 1}
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
