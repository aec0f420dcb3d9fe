package engine

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"

	"testing/synctest"
)

const mostMoved = 1000

var queueing = Design{Stepping: true, MostMoved: mostMoved}

// A tick moves a limited number of timers into the scheme, in the order of their starts.
func TestMostMoved(t *testing.T) {
	bubble(t, queueing, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		for range mostMoved {
			start(t, f, time.Hour, nothing)
		}
		last := start(t, f, 2*time.Hour, nothing).(*queued)
		for range 2 { // each lets the worker look at the queue
			start(t, f, 0, nothing)
			assert.Equal(t, mostMoved, s.started())
			assert.Zero(t, s.count(func() int { return int(last.handle) }))
		}
		time.Sleep(time.Millisecond)
		assert.Equal(t, mostMoved+1, s.started())
		dropped, _ := f.Close()
		assert.Equal(t, mostMoved+1, dropped)
	})
}

// The number of pending timers is limited, those stopped since the last tick included.
func TestMaxPending(t *testing.T) {
	d := queueing
	d.MaxPending = 2
	bubble(t, d, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		full := func() {
			_, err := f.AfterFunc(time.Hour, nothing)
			assert.ErrorIs(t, err, systems.ErrPending)
			assert.ErrorContains(t, err, "3 (at most 2)")
		}
		first, second := start(t, f, time.Hour, nothing), start(t, f, time.Second, nothing)
		for range 100_000 { // a timer counts once, however often it is reset
			second.Reset(time.Second)
		}
		full()
		assert.True(t, first.Stop())
		full()
		assert.False(t, first.Reset(time.Hour), "it counts until the next tick")
		assert.True(t, first.Stop())
		time.Sleep(time.Millisecond)
		synctest.Wait()
		start(t, f, time.Hour, nothing)
		full()
		_, err := first.(systems.Resetter).TryReset(time.Hour)
		assert.ErrorIs(t, err, systems.ErrPending)
		time.Sleep(2 * time.Second) // the second one runs
		synctest.Wait()
		start(t, f, time.Hour, nothing)
		full()
		assert.Equal(t, 2, f.Stats().Pending)
	})
}

// A stopped timer leaves the scheme by the next tick, or never enters it.
func TestStoppedInTheQueue(t *testing.T) {
	bubble(t, queueing, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		var timers []systems.Timer
		for range mostMoved {
			timers = append(timers, start(t, f, time.Hour, nothing))
			start(t, f, time.Hour, nothing).Stop()
		}
		time.Sleep(time.Millisecond)
		assert.Equal(t, mostMoved, s.started())
		for _, timer := range timers {
			assert.True(t, timer.Stop())
		}
		time.Sleep(time.Millisecond)
		assert.Zero(t, s.started())
		assert.Zero(t, f.inbox.pending.Load())
	})
}

// Nothing wakes up before the first start.
func TestAsleepBeforeTheFirstStart(t *testing.T) {
	bubble(t, queueing, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.Zero(t, f.Stats().Wakeups)
	})
}

// A start during Close returns an error or is dropped, also the first one and with several
// calls of Close.
func TestStartDuringClose(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	for range rounds {
		f := open(t, queueing, systems.Options{})
		var accepted, dropped atomic.Int64
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				for range 5 {
					if _, err := f.AfterFunc(time.Hour, nothing); err == nil {
						accepted.Add(1)
					}
				}
			})
			all.Go(func() {
				n, _ := f.Close()
				dropped.Add(int64(n))
			})
		}
		all.Wait()
		require.Equal(t, accepted.Load(), dropped.Load())
	}
}
