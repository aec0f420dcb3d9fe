package engine

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/hashsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/schemes/simplewheel"
	"timerlab/systems"
)

// A Reset to a later time neither takes the lock nor enters the scheme. The action runs once, on the tick of the last
// Reset, and the service wakes up for the place of the first start and for the last one.
func TestPostpone(t *testing.T) {
	bubble(t, Design{}, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		ran, began := []time.Duration(nil), f.clock()
		timer := start(t, f, 200*time.Millisecond, func() { ran = append(ran, f.clock()-began) })
		for range 10 {
			time.Sleep(10 * time.Millisecond)
			assert.True(t, timer.(*Timer).postpone(f.clock(), 200*time.Millisecond), "else a Reset takes the lock")
		}
		links := func() int { return int(s.scheme.(schemes.Counter).Counts().Links) }
		assert.Equal(t, 1, s.count(links), "of the start")
		wait(time.Hour)
		assert.Equal(t, []time.Duration{300 * time.Millisecond}, ran)
		assert.LessOrEqual(t, f.Stats().Wakeups, uint64(3), "two places, and a wheel that wraps")
	})
}

// However many connections begin within a second, no tick has many more than mostTogether of a shard's to look at again. The
// service wakes up less often than without that bound and without skim. Each is reset every ten seconds, with a timeout of
// thirty.
func TestPostponedCrowd(t *testing.T) {
	const timeout, period, steps = 30 * time.Second, 10 * time.Second, 1000
	for n, wakeups := range map[int]uint64{10_000: 1031 / 4, 200_000: 2623, 1_000_000: 3072} { // 1031 to 3072 are without
		if testing.Short() && n > 200_000 {
			continue
		}
		bubble(t, Design{Shards: 16, Slack: time.Millisecond / 4}, systems.Options{}, func(t *testing.T, f *Service, _ *shard) {
			most := make([]int, len(f.shards))
			for i, s := range f.shards {
				mine, at, expire := 0, schemes.Tick(0), s.expire
				s.expire = func(id schemes.ID) { // under the lock
					if s.now != at {
						mine, at = 0, s.now
					}
					mine++
					most[i] = max(most[i], mine)
					expire(id)
				}
			}
			timers := make([]*Timer, n)
			for i := range timers {
				timers[i] = start(t, f, timeout, func() { t.Error("it was reset") }).(*Timer)
				if i%(n/steps) == 0 {
					time.Sleep(time.Second / steps)
				}
			}
			for i := range 8 * n {
				if i%n == 0 {
					time.Sleep(period - time.Second)
				}
				if i == 3*n { // all have been looked at once, at their first deadlines
					synctest.Wait()
					clear(most)
				}
				require.True(t, timers[i%n].Reset(timeout))
				if i%(n/steps) == 0 {
					time.Sleep(time.Second / steps)
				}
			}
			synctest.Wait()
			assert.LessOrEqual(t, slices.Max(most), mostTogether+n/steps/10, n) // some on their deadlines, of those begun at once
			st := f.Stats()
			assert.LessOrEqual(t, st.Wakeups, wakeups, n)
			assert.LessOrEqual(t, st.Looked, uint64(4*n))
			for _, timer := range timers {
				assert.True(t, timer.Stop())
			}
			st = f.Stats()
			assert.Equal(t, []uint64{uint64(n), uint64(n), 0}, []uint64{st.Started, st.Stopped, st.Expired})
		})
	}
}

// A tick is counted once, also where the counts of ticks that have passed are in its way.
func TestCrowdsAreCountedOnce(t *testing.T) {
	s, placed, r := &shard{}, map[schemes.Tick]int{}, rand.New(rand.NewPCG(1, 2))
	for range 300 {
		placed[1+schemes.Tick(r.IntN(5000))] = 0
	}
	for ; s.now < 5000; s.now += 10 {
		for at := range placed {
			for range 50 {
				if at > s.now && s.joinsCrowd(at) {
					placed[at]++
				}
			}
		}
	}
	for at, n := range placed {
		assert.LessOrEqual(t, n, mostTogether, at)
	}
}

// A worker that is awake looks at each timer of the next ticks once, since then it has moved those that were postponed.
func TestSkimLooksOnce(t *testing.T) {
	bubble(t, Design{}, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		looks, later := 0, s.later
		s.later = func(id schemes.ID) schemes.Tick { looks++; return later(id) }
		const n = 200
		for i := range time.Duration(n) {
			timer := start(t, f, time.Second+i*time.Millisecond, nothing)
			start(t, f, time.Second+i*time.Millisecond, nothing)
			assert.True(t, timer.Reset(time.Hour))
		}
		wait(time.Minute)
		assert.LessOrEqual(t, looks, 2*n)
		assert.Greater(t, looks, n)
	})
}

// A timer is looked at again at its deadline or before it, and soon at its deadline.
func TestPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		s := &shard{now: schemes.Tick(r.Uint64() >> r.IntN(64) >> 1)}
		due, steps := s.now+1+schemes.Tick(r.Uint64()>>r.IntN(64)>>1), 0
		for s.now < due {
			at := s.place(due)
			require.True(t, s.now < at && at <= due)
			s.now, steps = at, steps+1
		}
		require.LessOrEqual(t, steps, 15, "each leaves a sixteenth, of 2^63 ticks at first")
	}
}

// A timer that is ready is postponed under the lock, and one on the scheme's due list without it. Neither runs early.
func TestPostponeOfDueTimers(t *testing.T) {
	var free chan struct{} // of the bubble
	execute := func(action func()) { <-free; action() }
	bubble(t, Design{}, systems.Options{Execute: execute}, func(t *testing.T, f *Service, s *shard) {
		free = make(chan struct{})
		const n = 3 * batch
		timers, runs := make([]systems.Timer, n), 0
		for i := range timers {
			timers[i] = start(t, f, time.Second, func() { runs++ })
		}
		time.Sleep(2 * time.Second)
		assert.Equal(t, batch, s.count(func() int { return s.live }))
		for _, timer := range timers {
			assert.True(t, timer.Reset(time.Minute))
		}
		close(free)
		time.Sleep(50 * time.Second)
		assert.Zero(t, s.count(func() int { return runs }))
		time.Sleep(time.Minute)
		assert.Equal(t, n, s.count(func() int { return runs }))
		assert.EqualValues(t, n, f.Stats().Started, "a Reset of a pending timer starts none")
	})
}

// A timer that counts from an old reading of the clock and is postponed is not corrected any more, also if the
// Reset is to the deadline that it had by that reading.
func TestPostponeOfYoungTimers(t *testing.T) {
	const old = 10 * time.Second
	for _, d := range []time.Duration{10*time.Second + slack.Slack, 30 * time.Second} {
		bubble(t, slack, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
			time.Sleep(time.Hour)
			hurry(t, f, s)
			s.readAt -= old
			ran, began := time.Duration(0), f.clock()
			timer := start(t, f, 20*time.Second, func() { ran = f.clock() - began })
			assert.True(t, timer.Reset(d))
			wait(time.Minute)
			assert.GreaterOrEqual(t, ran, d)
			assert.LessOrEqual(t, ran, d+time.Millisecond+slack.Slack)
		})
	}
}

// Schemes with lists to search, and wheels with a range, do not postpone: starts for the times that are left would
// search under one hold of the lock, and a duration beyond the range must be refused.
func TestPostpones(t *testing.T) {
	for name, c := range map[string]struct {
		scheme *schemes.Info
		levels []int
		want   bool
	}{
		"all":   {&hierarchical.Chunked, []int{256, 256, 256, 256, 256, 256, 256, 128}, true},
		"range": {&hierarchical.Chunked, []int{256, 256}, false},
		"list":  {&ordered.Rear, nil, false},
		"wheel": {&simplewheel.Overflow, nil, false},
		"slots": {&hashsorted.Info, nil, false},
	} {
		v, err := Open(Design{Scheme: c.scheme, Config: schemes.Config{Levels: c.levels}}, systems.Options{Tick: time.Millisecond})
		require.NoError(t, err, name)
		assert.Equal(t, c.want, v.postpones, name)
		_, err = v.Close()
		assert.NoError(t, err)
	}
}
