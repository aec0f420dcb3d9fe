package workload

import (
	"errors"
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
		trace := traced(t, s)
		trace.Ops = slices.Clone(trace.Ops)
		c.spoil(trace)
		assert.ErrorContains(t, trace.Check(), c.want)
	}
}

// Check replays the operations against nothing but each timer's deadline, and returns an error that names the operation
// if one is out of order or impossible, or if the trace says of itself what is not so (Want, Prefill, Timers, Longest,
// Hash). It uses no knowledge of how a trace is made. O(Ops) time, 8 bytes a timer.
func (t *Trace) Check() error {
	if t.Timers < 0 || t.Timers > len(t.Ops) {
		return fmt.Errorf("workload: Timers = %d, with %d operations", t.Timers, len(t.Ops))
	}
	r := replay{trace: t, deadlines: make([]schemes.Tick, t.Timers)}
	for i, op := range t.Ops {
		if err := r.apply(i, op); err != nil {
			return fmt.Errorf("workload: operation %d (tick %d, %v %d): %w", i, op.Tick, op.Kind, op.Timer, err)
		}
	}
	return r.finish()
}

// replay is the state of a Check.
type replay struct {
	trace     *Trace
	deadlines []schemes.Tick // by timer: the tick of its expiry; 0 if it was never started or was stopped
	longest   schemes.Tick
	got       Outcome
}

// apply checks and applies the i-th operation.
func (r *replay) apply(i int, op Op) error {
	if err := r.placed(i, op); err != nil {
		return err
	}
	deadline := &r.deadlines[op.Timer]
	if outstanding := *deadline > op.Tick; outstanding != (op.Kind != Start) {
		return fmt.Errorf("the timer is outstanding: %v", outstanding)
	}
	if op.Kind == Start {
		r.expire(op.Timer)
	} else {
		r.got.Stopped++
		*deadline = 0
	}
	if op.Kind != Stop {
		r.got.Started++
		r.longest = max(r.longest, op.Interval)
		*deadline = op.Tick + op.Interval
	}
	return nil
}

// placed checks what can be said of an operation without the others' effects.
func (r *replay) placed(i int, op Op) error {
	t := r.trace
	switch {
	case op.Kind > Start:
		return errors.New("unknown kind")
	case int64(op.Timer) >= int64(t.Timers):
		return fmt.Errorf("timers are 0 to %d", t.Timers-1)
	case (op.Interval == 0) != (op.Kind == Stop):
		return fmt.Errorf("interval %d", op.Interval)
	case op.Interval > never-op.Tick:
		return fmt.Errorf("interval %d leads past the clock's end", op.Interval)
	case op.Tick > t.Ticks:
		return fmt.Errorf("the run ends at %d", t.Ticks)
	case op.Tick%max(1, t.Spec.Every) != 0:
		return fmt.Errorf("operations are at multiples of %d", t.Spec.Every)
	case i > 0 && t.Ops[i-1].key() > op.key():
		return errors.New("out of order")
	case (i < t.Prefill) != (op.Tick == 0):
		return fmt.Errorf("the first %d operations, and no others, are at tick 0", t.Prefill)
	}
	return nil
}

// expire counts the expiry of a timer that has one behind it.
func (r *replay) expire(timer uint32) {
	if deadline := r.deadlines[timer]; deadline > 0 {
		r.got.Expired++
		r.got.Checksum += Mix(deadline, schemes.ID(timer))
	}
}

// finish ends the run and compares.
func (r *replay) finish() error {
	t := r.trace
	for timer, deadline := range r.deadlines {
		if deadline > t.Ticks {
			r.got.Outstanding++
		} else {
			r.expire(uint32(timer))
		}
	}
	switch {
	case t.Prefill > len(t.Ops):
		return fmt.Errorf("workload: Prefill = %d, with %d operations", t.Prefill, len(t.Ops))
	case r.got != t.Want:
		return fmt.Errorf("workload: Want = %+v, the operations come to %+v", t.Want, r.got)
	case r.longest != t.Longest:
		return fmt.Errorf("workload: Longest = %d, the longest interval is %d", t.Longest, r.longest)
	case hash(t.Ops, t.Ticks) != t.Hash:
		return fmt.Errorf("workload: Hash = %#x, the operations hash to %#x", t.Hash, hash(t.Ops, t.Ticks))
	}
	return nil
}
