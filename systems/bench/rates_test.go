package bench

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"timerlab/harness/report/picks"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// load has 1,000 timers: half of the lives expire after 100 ms, the others are stopped or restarted after 50.
func load(restarts bool) Load {
	return Load{N: 1000, Rate: 1000 / 0.075, Tick: time.Millisecond, Time: 2 * loadParts * 5 * time.Millisecond,
		Lives: []workload.Life{{Interval: 100, Stay: 100, Share: 0.5}, {Interval: 100, Stay: 50, Share: 0.5, Restarts: restarts}},
		Loop:  run.NewSubject(&hierarchical.Info, 1024, 2)}
}

// A population is in the steady state from the beginning: the timers of a part are as many as Little's law says, and
// have what is left of their intervals.
func TestPopulation(t *testing.T) {
	l := load(true)
	l.Rate = leastRate / 2 // time passes twice as fast
	p := newPopulation(l, ours)
	assert.InDelta(t, 333, p.early, 1)
	steady := newPopulation(load(true), ours)
	steady.ctx = t.Context()
	_, err := steady.plan()
	require.NoError(t, err)
	ended := 0 // by the driver, in 300 pauses of a quarter of a millisecond: as many in each, from the first on
	for range 300 {
		steady.queue.PerTick()
		steady.queue.Expire(func(id schemes.ID) { ended++; steady.queue.Start(200, id) })
	}
	assert.InDelta(t, 1.5*333, ended, 60)
	sum := 0.0
	for range 1000 {
		sum += float64(draw(p.pending[0]).Stay + draw(p.begun[1]).Stay)
	}
	assert.Equal(t, 150_000., sum)
	assert.InDelta(t, 50*time.Millisecond, p.duration(100), float64(time.Millisecond))
	mixed := []workload.Life{{Stay: 1, Share: 0.75}, {Stay: 9, Share: 0.25}}
	all := table(mixed, 1)
	assert.Equal(t, []schemes.Tick{1, 9}, []schemes.Tick{all[len(all)/4-1].Stay, all[len(all)/4].Stay})
}

// started has how many timers there are, and how many there were at each Reset.
type started struct {
	timers int
	resets []int
}

func (s *started) AfterFunc(time.Duration, func()) (systems.Timer, error) { s.timers++; return s, nil }
func (s *started) Reset(time.Duration) bool                               { s.resets = append(s.resets, s.timers); return true }
func (s *started) Stop() bool                                             { return true }
func (s *started) Close() (int, error)                                    { return 0, nil }

// Timers are restarted after all are started. Of Go's, some lie between them.
func TestFill(t *testing.T) {
	for name, more := range map[string]int{ours: 0, goTimers: 40*loadParts - 1} {
		p, s := newPopulation(load(true), name), &started{}
		p.ctx, p.started, p.services = t.Context(), make([]atomic.Value, p.N), [2]timers{s, s}
		plans, err := p.plan()
		require.NoError(t, err)
		require.NoError(t, p.fillPart(plans, 0, 1))
		assert.Len(t, s.resets, p.early, name)
		assert.Equal(t, []int{p.N + more}, slices.Compact(s.resets), name)
	}
}

// A Reset to an earlier time puts a timer at its own deadline, until sharded has looked at it.
func TestRestarts(t *testing.T) {
	moved := func(intervals ...schemes.Tick) (all int) {
		l := load(true)
		l.Lives = nil
		for _, i := range intervals {
			l.Lives = append(l.Lives, workload.Life{Interval: i, Stay: 50, Share: 1 / float64(len(intervals)), Restarts: true})
		}
		p := newPopulation(l, ours)
		p.ctx = t.Context()
		plans, err := p.plan()
		require.NoError(t, err)
		for _, timer := range plans {
			if timer.moved {
				all++
			}
		}
		return all
	}
	assert.Zero(t, moved(100), "no deadline is earlier than the one before")
	assert.Zero(t, moved(100, 140), "nor here, as it is 50 later")
	assert.InDelta(t, 500, moved(100, 1000), 80, "those whose last or second last life but not the one before it was short")
}

// What a service takes is measured at its own rate, and is at least what the operations take, in each part; what it saves is
// what Go's timers take more. Timers of one timeout that all expire are fewer, at the same rate, and others spread over a tick.
func TestUse(t *testing.T) {
	idle := spent{shares: []float64{4, 5, 4}, within: []float64{1, 1, 2}}
	slow := spent{shares: []float64{6, 9, 5}, within: []float64{2, 2, 3}, lives: 1000, seconds: 5}
	assert.Equal(t, 0.5, slow.scale(100), "half as many lives as ended in this time")
	assert.Equal(t, 0.5, spent{}.scale(leastRate/2), "time is compressed")
	assert.Equal(t, []float64{1, 2, 0.5}, slow.above(idle, 0.5))
	behind := spent{shares: []float64{6, 3, 3}, within: []float64{6, 3, 2}}
	assert.Equal(t, []float64{5, 2, 0}, behind.above(idle, 1), "without idle wake-ups")
	assert.Equal(t, picks.Use{Share: picks.Share{CPU: 1, Low: 0.5, High: 2}, Saves: picks.Share{CPU: 0.5, Low: 0, High: 4}},
		useOf([]float64{1, 2, 0.5}, []float64{5, 2, 1}))
	l := Load{N: 5000, Rate: 1000, Tick: time.Millisecond, Lives: []workload.Life{{Interval: 5000, Stay: 5000, Share: 1}}}
	assert.InDelta(t, newPopulation(l, fixed).short.Seconds()*l.Rate, newPopulation(l, fixed).N, 1)
	assert.NotEqual(t, newPopulation(l, ours).duration(9), newPopulation(l, ours).duration(9))
	for rate, pause := range map[float64]time.Duration{1: 500, 2500: 400, 9000: 250} { // expire a second
		l.Rate = rate
		assert.Equal(t, pause*time.Microsecond, newPopulation(l, ours).pause)
	}
	l.Lives[0].Restarts, l.Lives[0].Stay = true, 2500 // and none does
	assert.Equal(t, 500*time.Microsecond, newPopulation(l, ours).pause)
	pauses := 0
	for range 1000 {
		if next(time.Second, time.Second) == time.Second {
			pauses++
		}
	}
	assert.InDelta(t, 632, pauses, 80, "the next request comes within as long as it takes on average, or later")
}

// Every service runs the population to the end, with expiries, stops and restarts, and is named with what it holds.
func TestShares(t *testing.T) {
	for _, restarts := range []bool{false, true} {
		var shown []string
		all, err := load(restarts).Shares(t.Context(), func(service string) { shown = append(shown, service) })
		require.NoError(t, err)
		var names []string
		for _, s := range all {
			names = append(names, s.Name)
			assert.Equal(t, s.Name == fixed, s.Bytes == 0, s.Name)
			assert.Equal(t, s.Name == ownLoop, s.Awake == nil)
			assert.Equal(t, s.Name == goTimers, s.Woken.Saves == picks.Share{})
			assert.False(t, s.Awake != nil && s.Name != goTimers && *s.Awake == s.Woken, "measured in two ways")
		}
		assert.Equal(t, []string{goTimers, ours, fixed, ownLoop}, names)
		assert.Subset(t, shown, names)
	}
	p := newPopulation(load(true), ours)
	for range 100 { // in each part sharded looks at some
		at, together := p.look(plan{left: time.Second, restarted: time.Minute}, time.Hour), p.part()/2
		assert.True(t, at == time.Second || at%together == time.Hour%together)
	}
	alone := p.look(plan{left: time.Hour, restarted: time.Minute, moved: true}, time.Hour)
	assert.NotZero(t, alone%(p.part()/2), "at its own time")
	u := &usage{}
	require.NoError(t, newPopulation(load(true), ours).measure(t.Context(), 2, u))
	for _, way := range []spent{u.woken, u.awake} {
		assert.Len(t, way.shares, 2)
		assert.Positive(t, way.lives)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := load(false).Shares(ctx, func(string) {})
	assert.ErrorIs(t, err, context.Canceled)
}
