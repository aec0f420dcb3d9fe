package sharded

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/systems"
)

func start(t *testing.T, f systems.Facility, d time.Duration, action func()) systems.Timer {
	timer, err := f.AfterFunc(d, action)
	require.NoError(t, err)
	return timer
}

func one(t *testing.T, tick time.Duration) *Facility {
	f, err := New(Options{Shards: 1, Tick: tick})
	require.NoError(t, err)
	return f
}

// Actions queued after one that blocks wait for one or two checks of the watchdog, and for one
// more for each further action that blocks.
func TestSlowActions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tick = 10 * time.Millisecond
		f := one(t, tick)
		began := time.Now()
		for range 3 {
			start(t, f, time.Second, func() { time.Sleep(time.Hour) })
		}
		var late []time.Duration
		var mu sync.Mutex
		check := func(due time.Duration) {
			start(t, f, due, func() {
				mu.Lock()
				defer mu.Unlock()
				late = append(late, time.Since(began)-due)
			})
		}
		check(time.Second)
		check(time.Second + tick)
		check(time.Minute)
		time.Sleep(2 * time.Minute)
		mu.Lock()
		require.Len(t, late, 3)
		assert.LessOrEqual(t, late[0], 4*tick)
		assert.LessOrEqual(t, late[1], 4*tick)
		assert.Zero(t, late[2])
		mu.Unlock()
		f.Close()
	})
}

// Workers that were blocked are counted again afterwards, and those that are not needed end.
func TestWorkersAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := one(t, time.Millisecond)
		c := f.shards[0].pool
		for round := range 5 {
			for range 20 {
				start(t, f, time.Second, func() { time.Sleep(50 * time.Millisecond) })
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			c.mu.Lock()
			assert.Equal(t, 0, c.active, "round %d", round)
			assert.Equal(t, 1, c.idle, "round %d", round)
			assert.False(t, c.armed, "round %d", round)
			c.mu.Unlock()
		}
		assert.Zero(t, f.Close())
	})
}

// Quick actions are run by one goroutine, in order.
func TestQuickActionsNeedOneWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := one(t, time.Millisecond)
		var most atomic.Int64
		order := []int{}
		before := runtime.NumGoroutine()
		for i := range 10_000 {
			start(t, f, time.Second+time.Duration(i/100)*time.Millisecond, func() {
				most.Store(max(most.Load(), int64(runtime.NumGoroutine())))
				order = append(order, i/100)
			})
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.LessOrEqual(t, most.Load(), int64(before+2), "one worker, and perhaps a watchdog")
		assert.IsNonDecreasing(t, order)
		assert.Len(t, order, 10_000)
		f.Close()
	})
}

// Close drops the actions queued after a slow one, counts them, and does not wait for the
// watchdog.
func TestCloseDropsWhatHasNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tick = time.Minute
		f := one(t, tick)
		began, ran := time.Now(), 0
		for range 3 {
			start(t, f, time.Second, func() { time.Sleep(time.Second); ran++ })
		}
		time.Sleep(tick + time.Millisecond) // the first runs, and the watchdog has not checked
		assert.Equal(t, 2, f.Close())
		assert.Equal(t, 1, ran)
		assert.Equal(t, tick+time.Second, time.Since(began))
	})
}

// While the queue never becomes empty, actions that have begun are removed from it.
func TestBegunActionsAreDropped(t *testing.T) {
	c := newPool(time.Hour, nil)
	c.queue, c.at, c.active, c.armed = make([]func(), 100), 90, 1, true
	c.add([]func(){func() {}})
	assert.Len(t, c.queue, 11)
	assert.Zero(t, c.at)
}

// An action that has run can be collected while the facility is idle.
func TestActionsAreCollected(t *testing.T) {
	f := one(t, time.Millisecond)
	defer f.Close()
	var ran, gone atomic.Int32
	const n = 100
	for range n {
		big := new([1024]int)
		runtime.AddCleanup(big, func(int) { gone.Add(1) }, 0)
		start(t, f, time.Millisecond, func() { ran.Add(int32(1 + big[0])) })
	}
	assert.Eventually(t, func() bool { runtime.GC(); return gone.Load() == n }, 10*time.Second, 10*time.Millisecond)
	assert.EqualValues(t, n, ran.Load())
}

// The memory of a burst is released when it is over.
func TestBurstIsTrimmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := one(t, time.Millisecond)
		const n = 100_000
		ran := 0
		for range n {
			start(t, f, time.Second, func() { ran++ })
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, n, ran)
		f.shards[0].pool.mu.Lock()
		assert.LessOrEqual(t, cap(f.shards[0].pool.queue), keptActions)
		f.shards[0].pool.mu.Unlock()
		f.Close()
	})
}

// A processor that finds a lock taken moves on to another wheel, and stays there.
func TestTakenLocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, err := New(Options{Shards: 3})
		require.NoError(t, err)
		for _, s := range f.shards { // later timers wake no collector, which would take the third lock
			_, err := s.engine.AfterFunc(time.Hour, func() {})
			require.NoError(t, err)
		}
		synctest.Wait()
		release := make(chan bool)
		held := make(chan bool)
		for _, s := range f.shards[:2] {
			go s.engine.WithLock(func() { held <- true; <-release })
			<-held
		}
		for range 100 {
			start(t, f, 2*time.Hour, func() {})
		}
		close(release)
		for i, want := range []int{1, 1, 101} {
			assert.Equal(t, want, f.shards[i].engine.Stored())
		}
		f.Close()
	})
}

func TestBadOptions(t *testing.T) {
	for text, o := range map[string]Options{
		"Tick -1ns (must":                 {Tick: -1, Shards: 1},
		"Shards -2 (must":                 {Shards: -2},
		"Shards 4097 (must be 0 to 4096)": {Shards: MostShards + 1},
	} {
		_, err := New(o)
		assert.ErrorIs(t, err, schemes.ErrConfig)
		assert.ErrorContains(t, err, text)
	}
}
