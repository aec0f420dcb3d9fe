package engine

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes/hierarchical"
	"timerlab/systems"
)

// open returns a service, which is closed when the test ends.
func open(t testing.TB, d Design, o systems.Options) *Service {
	d.Scheme = &hierarchical.Chunked
	d.Config.Levels = []int{256, 64, 64, 64, 64, 64, 64, 64} // all durations in ticks of 1 ms, so that Resets postpone
	if o.Tick == 0 {
		o.Tick = time.Millisecond
	}
	f, err := Open(d, o)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := f.Close()
		assert.NoError(t, err)
	})
	return f
}

func start(t testing.TB, f systems.Service, d time.Duration, action func()) systems.Timer {
	timer, err := f.AfterFunc(d, action)
	require.NoError(t, err)
	return timer
}

func nothing() {}

// wait lets time pass, and everything happen that is due.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// count reads a field of the shard after all that is due has happened.
func (s *shard) count(read func() int) int {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return read()
}

// bubble runs a test on a fake clock with a service.
func bubble(t *testing.T, d Design, o systems.Options, test func(t *testing.T, f *Service, s *shard)) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, d, o)
		test(t, f, f.shards[0])
	})
}

// The scheme hands out one batch at a time.
func TestBatches(t *testing.T) {
	bubble(t, Design{}, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		for range 10 * batch {
			start(t, f, time.Second, nothing)
		}
		s.mu.Lock()
		for left := 9 * batch; left >= 0; left -= batch {
			s.fill(time.Minute)
			assert.Equal(t, batch, s.live)
			assert.Equal(t, left > 0, s.due > 0)
			s.stopReady()
		}
		s.pending = 0
		s.mu.Unlock()
	})
}

// stopReady stops the timers that are ready, of which none has begun, and returns their number.
func (s *shard) stopReady() (n int) {
	for n = s.live; s.live > 0; {
		s.unready(s.ready[len(s.ready)-s.live].timer)
	}
	return n
}

// The workers that blocked actions needed end; none and no look at them is left.
func TestWorkersEnd(t *testing.T) {
	bubble(t, Design{}, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		for range 5 {
			most := 0
			for range 100 {
				start(t, f, time.Second, func() { time.Sleep(50 * time.Millisecond) })
			}
			for range 1020 {
				wait(time.Millisecond)
				most = max(most, f.Stats().Running)
			}
			assert.Equal(t, 100, most)
			time.Sleep(time.Minute)
			assert.Zero(t, s.count(func() int { return s.workers }))
			s.count(func() int { assert.Equal(t, time.Duration(math.MaxInt64), s.alarmAt); return 0 })
		}
	})
}

// Quick actions are run by one goroutine, in order.
func TestQuickActionsNeedOneWorker(t *testing.T) {
	bubble(t, Design{}, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		most, order := 0, []int{}
		for i := range 10_000 {
			start(t, f, time.Second+time.Duration(i/100)*time.Millisecond, func() {
				most = max(most, s.workers) // the only one writes it
				order = append(order, i/100)
			})
		}
		wait(time.Minute)
		assert.Equal(t, 1, most)
		assert.IsNonDecreasing(t, order)
		assert.Len(t, order, 10_000)
	})
}

// No action of any shard begins after Close was called, while those of others end.
func TestCloseOfTwoShards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := func(action func()) { action() } // at a time, in each shard
		f := open(t, Design{Shards: 2}, systems.Options{Execute: one})
		var ran atomic.Int32
		slow := func(d time.Duration) *Timer {
			return &Timer{action: func() { time.Sleep(d); ran.Add(1) }}
		}
		for i, n := range []int{1, 5} {
			s := f.shards[i]
			for range n {
				timer := slow(time.Duration(30-25*i) * time.Second)
				timer.shard.Store(s)
				s.mu.Lock()
				_, err := s.startNew(timer, time.Second)
				s.mu.Unlock()
				require.NoError(t, err)
			}
		}
		time.Sleep(2 * time.Second)
		dropped, err := f.Close()
		assert.NoError(t, err)
		assert.Equal(t, 4, dropped)
		assert.EqualValues(t, 2, ran.Load())
	})
}

// Functions given to Execute do not pile up where timers are stopped that they were for: the next timer's action takes one over.
func TestExecuteOfStoppedTimers(t *testing.T) {
	var waiting []func()
	bubble(t, Design{}, systems.Options{Execute: func(action func()) { waiting = append(waiting, action) }}, func(t *testing.T, f *Service, s *shard) {
		for range 100 {
			start(t, f, 0, nothing).Stop()
			timer := start(t, f, time.Millisecond, func() { t.Error("it was stopped") })
			wait(time.Millisecond)
			assert.True(t, timer.Stop())
		}
		require.Len(t, waiting, 1)
		ran := false
		start(t, f, time.Millisecond, func() { ran = true })
		wait(time.Millisecond)
		require.Len(t, waiting, 1)
		waiting[0]()
		assert.True(t, ran)
		assert.Zero(t, s.count(func() int { return s.tokens }))
	})
}

// A function that Execute calls late delays one action at most, also if it runs another one's.
func TestExecuteLate(t *testing.T) {
	calls := 0
	o := systems.Options{Execute: func(action func()) {
		if calls++; calls == 1 {
			time.AfterFunc(time.Hour, action)
		} else {
			go action()
		}
	}}
	bubble(t, Design{}, o, func(t *testing.T, f *Service, s *shard) {
		var ran atomic.Int32
		const n = 10
		for i := range time.Duration(n) {
			start(t, f, (i+1)*time.Second, func() { ran.Add(1) })
		}
		for i := range n {
			wait(time.Second)
			assert.EqualValues(t, i, ran.Load())
		}
		time.Sleep(time.Hour)
		assert.EqualValues(t, n, ran.Load())
	})
}

// An action that has run can be collected while the service is idle.
func TestActionsAreCollected(t *testing.T) {
	f := open(t, Design{}, systems.Options{})
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

// What is ready is bounded by what is live, and the memory of a burst is released when it is over.
func TestReadyIsReleased(t *testing.T) {
	bubble(t, Design{}, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		capacity := func() int { return s.count(func() int { return cap(s.ready) }) }
		start(t, f, 0, func() { time.Sleep(time.Hour) })
		synctest.Wait()
		var ran atomic.Int32
		const n = 100_000
		kept := start(t, f, 0, nothing)
		for range n {
			assert.True(t, start(t, f, 0, nothing).Stop())
		}
		assert.LessOrEqual(t, capacity(), keptReady)
		assert.True(t, kept.Stop())
		wait(2 * time.Hour)
		for _, d := range []time.Duration{0, time.Second} {
			for range n {
				start(t, f, d, func() { ran.Add(1) })
			}
			wait(60 * d)
			assert.LessOrEqual(t, capacity(), keptReady)
		}
		assert.EqualValues(t, 2*n, ran.Load())
		assert.LessOrEqual(t, s.count(s.timers.bytes), 16<<10)
	})
}

// Goroutines begin with the first shard. One that finds its lock taken starts that timer in the next one, and stays there if
// that happens again soon, until no lock has been taken for a while.
func TestTakenLocks(t *testing.T) {
	bubble(t, Design{Shards: 3}, systems.Options{}, func(t *testing.T, f *Service, first *shard) {
		starts := func(taken bool, want ...int) {
			if taken {
				first.mu.Lock()
			}
			start(t, f, time.Hour, nothing)
			if taken {
				first.mu.Unlock()
			}
			assert.Equal(t, want, []int{f.shards[0].pending, f.shards[1].pending, f.shards[2].pending})
		}
		for i := range 5 {
			time.Sleep(contended)
			starts(true, i, i+1, 0)
			starts(false, i+1, i+1, 0)
		}
		starts(true, 5, 6, 0)
		starts(false, 5, 7, 0)
		time.Sleep(calm)
		for first.pending == 5 && f.shards[1].pending <= balanceEvery {
			start(t, f, time.Hour, nothing)
		}
		assert.Equal(t, 6, first.pending)
	})
}

// A goroutine that finds most locks taken waits for one: it does not start all its timers in one shard.
func TestMostLocksTaken(t *testing.T) {
	f := open(t, Design{Shards: 4}, systems.Options{})
	for _, s := range f.shards[1:] {
		s.mu.Lock()
	}
	started := make(chan bool)
	go func() {
		for range 2 * mostAhead {
			_, err := f.AfterFunc(time.Hour, nothing)
			assert.NoError(t, err)
		}
		close(started)
	}()
	select {
	case <-started:
		t.Error("all timers are in one shard")
	case <-time.After(100 * time.Millisecond): // some times what the starts would take
	}
	for _, s := range f.shards[1:] {
		s.mu.Unlock()
	}
	<-started
}

// No shard has many more timers than its share, whatever their deadlines are and how many goroutines start
// them: then the hold of a lock by a worker handles no more either. Resets leave the timers where they are.
func TestCrowds(t *testing.T) {
	const shards, n, most = 16, 400_000, 10_000
	for _, starters := range []int{1, 8} {
		f := open(t, Design{Shards: shards, Slack: 250 * time.Microsecond}, systems.Options{})
		timers := make([]systems.Timer, n)
		var all sync.WaitGroup
		for g := range starters {
			all.Go(func() {
				for i := g; i < n; i += starters {
					d := time.Hour + time.Duration(i%2)*time.Minute // two crowds in turn
					if i > n/2 {
						d += time.Duration(i) * time.Second // and others
					}
					timers[i], _ = f.AfterFunc(d, nothing)
				}
			})
		}
		all.Wait()
		at := f.clock() + 2*time.Hour
		for _, timer := range timers {
			assert.True(t, timer.Reset(at-f.clock()))
		}
		for _, s := range f.shards {
			s.mu.Lock()
			for s.behind = true; s.behind; { // the places that the timers were postponed from
				s.fill(at - time.Second)
				assert.LessOrEqual(t, s.due, n/shards+most)
				assert.Zero(t, s.live)
			}
			handled, crowd := 0, 0
			for s.behind = true; s.behind; {
				s.fill(at + time.Minute)
				crowd = max(crowd, s.due+s.live)
				handled += s.stopReady()
			}
			assert.Equal(t, s.pending, handled)
			s.pending = 0
			s.mu.Unlock()
			assert.LessOrEqual(t, crowd, n/shards+most, "%d goroutines", starters)
		}
	}
}

// While timers are due tick by tick, alarms are set ahead. They are late for none, and Close does not wait for one.
func TestAlarmsInARow(t *testing.T) {
	for _, then := range []time.Duration{0, time.Millisecond, time.Hour} {
		bubble(t, Design{}, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
			const n = 20
			ran := 0
			for i := range time.Duration(n) {
				d, began := (i+1)*time.Millisecond, f.clock()
				start(t, f, d, func() { ran++; assert.Equal(t, d, f.clock()-began) })
			}
			start(t, f, 2*time.Hour, nothing)
			wait(n * time.Millisecond)
			assert.Equal(t, n, ran)
			assert.Equal(t, f.clock()+time.Millisecond, s.aheadAt)
			if then > 0 {
				s.inRow = 0 // as after some in vain: then no other is set ahead
				start(t, f, then, nothing)
			}
			began := f.clock()
			_, err := f.Close()
			assert.NoError(t, err)
			assert.Equal(t, began, f.clock())
			assert.LessOrEqual(t, f.Stats().Wakeups, uint64(n+2))
		})
	}
}

// The alarm ahead adds no worker: timers that are due wait for the patience before there are two.
func TestAlarmsAheadAddNoWorkers(t *testing.T) {
	const tick = patience / 10
	bubble(t, Design{}, systems.Options{Tick: tick}, func(t *testing.T, f *Service, s *shard) {
		for i := range time.Duration(20) {
			start(t, f, (i+1)*tick, nothing)
		}
		for range 3 {
			start(t, f, 20*tick, func() { time.Sleep(time.Second) })
		}
		wait(22 * tick)
		assert.Equal(t, 1, s.count(func() int { return s.workers }))
		wait(patience)
		assert.Equal(t, 3, s.count(func() int { return s.workers }), "one for each action")
		time.Sleep(time.Minute)
	})
}

// A timer that is not pending starts on the shard of the goroutine; one that is pending stays.
func TestTimersMove(t *testing.T) {
	bubble(t, Design{Shards: 2}, systems.Options{}, func(t *testing.T, f *Service, first *shard) {
		var timer Timer
		f.Init(&timer, nothing)
		for _, stops := range []bool{false, false, true} {
			if stops {
				assert.True(t, timer.Stop())
			}
			assert.NoError(t, timer.Start(time.Hour))
			assert.Equal(t, stops, timer.shard.Load() == f.shards[1])
			for i := range f.near {
				f.near[i].set(1, 0)
			}
		}
		assert.Equal(t, []int{0, 1}, []int{first.pending, f.shards[1].pending})
	})
}

// An action of one service may close another one, also while actions of that run.
func TestCloseOfAnother(t *testing.T) {
	bubble(t, Design{}, systems.Options{}, func(t *testing.T, f *Service, _ *shard) {
		for _, busy := range []bool{false, true} {
			other, closed := open(t, Design{}, systems.Options{}), make(chan bool)
			if busy {
				start(t, other, 0, func() { time.Sleep(time.Minute) })
			}
			start(t, f, time.Second, func() {
				_, err := other.CloseContext(context.Background())
				assert.Equal(t, busy, err != nil, err)
				close(closed)
			})
			<-closed
		}
	})
}

// CloseContext gives up while Execute blocks, by one goroutine however many calls give up. Close called by
// Execute returns an error.
func TestCloseOfBlockedExecute(t *testing.T) {
	var f *Service
	o := systems.Options{Execute: func(func()) {
		dropped, err := f.Close()
		assert.Equal(t, 2, dropped)
		assert.ErrorIs(t, err, systems.ErrRunning)
		time.Sleep(time.Hour)
	}}
	synctest.Test(t, func(t *testing.T) {
		f = open(t, Design{}, o)
		start(t, f, time.Second, nothing)
		start(t, f, time.Hour, nothing)
		time.Sleep(2 * time.Second)
		goroutines := runtime.NumGoroutine()
		for range 100 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			began := time.Now()
			_, err := f.CloseContext(ctx)
			assert.ErrorIs(t, err, systems.ErrRunning)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			assert.Equal(t, time.Second, time.Since(began))
			cancel()
		}
		assert.Less(t, runtime.NumGoroutine(), goroutines+50, "the runtime's own come and go")
	})
}

// The lateness of Stats contains what rounding to a tick adds, as a whole tick.
func TestLateness(t *testing.T) {
	const tick = 100 * time.Millisecond
	bubble(t, Design{}, systems.Options{Tick: tick}, func(t *testing.T, f *Service, s *shard) {
		began, late := f.clock(), time.Duration(0)
		start(t, f, time.Millisecond, func() { late = f.clock() - began - time.Millisecond })
		time.Sleep(time.Second)
		st := f.Stats()
		assert.Equal(t, tick-time.Millisecond, late)
		assert.InEpsilon(t, tick, st.LateP50, 0.1)
		assert.InEpsilon(t, tick, st.LateMax, 0.1)
		start(t, f, 0, nothing) // without rounding
		synctest.Wait()
		assert.Zero(t, f.Stats().LateMax)
	})
	// It contains the time for which an action waited for others, however long that is, and a tick that is as long.
	for wait, tick := range map[time.Duration]time.Duration{8 * time.Second: time.Millisecond, 3 * time.Hour: time.Millisecond,
		200 * 365 * 24 * time.Hour: time.Millisecond, 50 * time.Hour: 50 * time.Hour} {
		one := systems.Options{Tick: tick, Execute: func(action func()) { action() }} // at a time
		bubble(t, Design{}, one, func(t *testing.T, f *Service, s *shard) {
			start(t, f, tick, func() { time.Sleep(wait + tick) })
			time.Sleep(2 * tick)
			start(t, f, tick, nothing)
			time.Sleep(wait + 9*tick)
			st := f.Stats()
			assert.InEpsilon(t, min(wait, 146*365*24*time.Hour), st.LateMax, 0.1, "%v", wait)
			assert.LessOrEqual(t, st.LateP99, st.LateMax)
		})
	}
}
