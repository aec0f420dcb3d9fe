package workload

import (
	"fmt"
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

// traced returns the trace of a workload, checked.
func traced(t require.TestingT, s Spec) *Trace {
	trace, err := s.Trace()
	require.NoError(t, err)
	require.NoError(t, trace.Check())
	return trace
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

		again := traced(t, s)
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
		long := traced(t, s)
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
		{"no such timer", func(t *Trace) { t.Timers-- }},
		{"the run ends at 100", func(t *Trace) { t.Ticks = 100 }},
		{"interval 0", func(t *Trace) { t.Ops[find(t, Start)].Interval = 0 }},
		{"interval 3", func(t *Trace) { t.Ops[find(t, Stop)].Interval = 3 }},
		{"multiples of 2", func(t *Trace) { t.Ops[30].Tick++ }},
		{"out of order", func(t *Trace) { i := find(t, Stop); t.Ops[i], t.Ops[i+1] = t.Ops[i+1], t.Ops[i] }},
		{"the timer is outstanding: false", func(t *Trace) { t.Ops[3].Interval = 1 }},
		{"the timer is outstanding: true", func(t *Trace) { t.Ops[1].Timer = t.Ops[0].Timer }},
		{"Want, ", func(t *Trace) { t.Want.Checksum++ }},
		{"Want, ", func(t *Trace) { t.Want.Outstanding-- }},
		{"Want, ", func(t *Trace) { t.Prefill-- }},
		{"Want, ", func(t *Trace) { t.Longest++ }},
		{"Want, ", func(t *Trace) { t.Ops[0], t.Ops[1] = t.Ops[1], t.Ops[0] }},
	} {
		trace := traced(t, s)
		trace.Ops = slices.Clone(trace.Ops)
		c.spoil(trace)
		assert.ErrorContains(t, trace.Check(), c.want)
	}
}

// Check replays the operations against nothing but each timer's deadline, and returns an error that names the operation
// if one is out of order or impossible, or if the trace says of itself what is not so (Want, Prefill, Longest,
// Hash). It uses no knowledge of how a trace is made. O(Ops) time, 8 bytes a timer.
func (t *Trace) Check() error {
	deadlines := make([]schemes.Tick, t.Timers) // the tick of its expiry; 0 if a timer was never started or was stopped
	got, longest, prefill := Outcome{}, schemes.Tick(0), 0
	expire := func(timer uint32) {
		if deadline := deadlines[timer]; deadline > 0 {
			got.Expired++
			got.Checksum += Mix(deadline, schemes.ID(timer))
		}
	}
	for i, op := range t.Ops {
		wrong := ""
		switch outstanding := int(op.Timer) < t.Timers && deadlines[op.Timer] > op.Tick; {
		case int(op.Timer) >= t.Timers:
			wrong = "no such timer"
		case outstanding != (op.Kind != Start):
			wrong = fmt.Sprintf("the timer is outstanding: %v", outstanding)
		case (op.Interval == 0) != (op.Kind == Stop):
			wrong = fmt.Sprintf("interval %d", op.Interval)
		case op.Tick > t.Ticks:
			wrong = fmt.Sprintf("the run ends at %d", t.Ticks)
		case op.Tick%max(1, t.Spec.Every) != 0:
			wrong = fmt.Sprintf("operations are at multiples of %d", t.Spec.Every)
		case i > 0 && t.Ops[i-1].key() > op.key():
			wrong = "out of order"
		}
		if wrong != "" {
			return fmt.Errorf("operation %d (tick %d, %v %d): %s", i, op.Tick, op.Kind, op.Timer, wrong)
		}
		if op.Tick == 0 {
			prefill++
		}
		if op.Kind == Start {
			expire(op.Timer)
		} else {
			got.Stopped++
		}
		if deadlines[op.Timer] = 0; op.Kind != Stop {
			got.Started++
			longest = max(longest, op.Interval)
			deadlines[op.Timer] = op.Tick + op.Interval
		}
	}
	for timer, deadline := range deadlines {
		if deadline > t.Ticks {
			got.Outstanding++
		} else {
			expire(uint32(timer))
		}
	}
	said, is := []any{t.Want, t.Prefill, t.Longest, t.Hash}, []any{got, prefill, longest, hash(t.Ops, t.Ticks)}
	if !slices.Equal(said, is) {
		return fmt.Errorf("Want, Prefill, Longest and Hash = %+v, the operations come to %+v", said, is)
	}
	return nil
}
