package netty

import (
	"runtime"
	"slices"
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

func open(t *testing.T, o Options) *Facility {
	f, err := New(o)
	require.NoError(t, err)
	return f
}

func start(t *testing.T, f *Facility, d time.Duration, action func()) systems.Timer {
	timer, err := f.AfterFunc(d, action)
	require.NoError(t, err)
	return timer
}

func nothing() {}

// stored returns the number of entries in the wheel, and those left for the next tick. The worker
// must be asleep.
func (f *Facility) stored() (wheel int, backlog []*entry) {
	wheel, backlog = f.entries.Len(), slices.Clone(f.backlog)
	f.stops.top.CompareAndSwap(nil, nil) // orders the reads above before the worker's next tick
	return wheel, backlog
}

// A tick moves at most 100,000 timers into the wheel, in the order of their starts.
func TestMostMoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, Options{})
		for range MostMoved {
			start(t, f, time.Hour, nothing)
		}
		start(t, f, 2*time.Hour, nothing)
		time.Sleep(DefaultTick)
		synctest.Wait()
		wheel, backlog := f.stored()
		assert.Equal(t, MostMoved, wheel)
		if assert.Len(t, backlog, 1) {
			assert.Equal(t, 2*time.Hour, backlog[0].deadline)
		}
		time.Sleep(DefaultTick)
		synctest.Wait()
		wheel, _ = f.stored()
		assert.Equal(t, MostMoved+1, wheel)
		assert.Equal(t, MostMoved+1, f.Close())
	})
}

// At most MaxPending timers are pending, those stopped since the last tick included.
func TestMaxPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, Options{MaxPending: 2})
		full := func() {
			_, err := f.AfterFunc(time.Hour, nothing)
			assert.ErrorIs(t, err, ErrPending)
			assert.ErrorContains(t, err, "3 (at most 2)")
		}
		first := start(t, f, time.Hour, nothing)
		second := start(t, f, time.Second, nothing)
		full()
		full()
		assert.True(t, first.Stop())
		full()
		assert.False(t, first.Reset(time.Hour), "of a timer that is not pending")
		assert.True(t, second.Reset(time.Second), "of a pending timer")
		time.Sleep(DefaultTick)
		synctest.Wait()
		start(t, f, time.Hour, nothing)
		full()
		time.Sleep(2 * time.Second) // the second one runs
		synctest.Wait()
		start(t, f, time.Hour, nothing)
		full()
		assert.Equal(t, 2, f.Close())
		_, err := f.AfterFunc(time.Hour, nothing)
		assert.ErrorIs(t, err, systems.ErrClosed)
	})
}

// A stopped timer leaves the wheel by the next tick, or never enters it.
func TestStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, Options{})
		defer f.Close()
		var timers []systems.Timer
		for range 1000 {
			timers = append(timers, start(t, f, time.Hour, nothing))
			start(t, f, time.Hour, nothing).Stop()
		}
		time.Sleep(DefaultTick)
		synctest.Wait()
		made := len(slices.Collect(f.entries.All()))
		wheel, _ := f.stored()
		assert.Equal(t, 1000, wheel)
		assert.Equal(t, 1000, made)
		for _, timer := range timers {
			assert.True(t, timer.Stop())
		}
		time.Sleep(DefaultTick)
		synctest.Wait()
		wheel, _ = f.stored()
		assert.Zero(t, wheel)
		assert.Zero(t, f.pending.Load())
	})
}

// A pending timer does not retain those that were queued before it.
func TestNothingIsKept(t *testing.T) {
	f := open(t, Options{Options: systems.Options{Tick: time.Millisecond}})
	defer f.Close()
	var gone atomic.Int32
	const n = 100
	for range n {
		big := new([1024]int)
		runtime.AddCleanup(big, func(int) { gone.Add(1) }, 0)
		timer := start(t, f, time.Hour, func() { big[0]++ })
		start(t, f, time.Hour, nothing) // stays pending, and was queued between them
		timer.Stop()
		if big[0] > 0 {
			t.Error("it ran")
		}
	}
	assert.Eventually(t, func() bool { runtime.GC(); return gone.Load() >= n-1 }, 10*time.Second, 10*time.Millisecond)
}

// A start during Close returns an error or is dropped, also the first one and with several
// calls of Close.
func TestStartDuringClose(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	for range rounds {
		f := open(t, Options{})
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
			all.Go(func() { dropped.Add(int64(f.Close())) })
		}
		all.Wait()
		require.Equal(t, accepted.Load(), dropped.Load())
	}
}

// An action may run on the tick at whose end it is due, the first of all too.
func TestExactTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, Options{})
		began := time.Now()
		var at time.Duration
		start(t, f, 7*DefaultTick, func() { at = time.Since(began) })
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, 7*DefaultTick, at)
		f.Close()
	})
}

// Close does not wait for a tick to end.
func TestCloseAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, Options{Options: systems.Options{Tick: time.Hour}})
		start(t, f, time.Hour, nothing)
		began := time.Now()
		assert.Equal(t, 1, f.Close())
		assert.Zero(t, time.Since(began))
	})
}

// A Reset after Close queues nothing.
func TestResetAfterClose(t *testing.T) {
	f := open(t, Options{})
	timer := start(t, f, time.Hour, nothing)
	f.Close()
	assert.False(t, timer.Reset(time.Hour))
	assert.Nil(t, f.starts.top.Load())
	assert.Nil(t, f.stops.top.Load())
}

func TestOptions(t *testing.T) {
	f := open(t, Options{Slots: 500})
	assert.Equal(t, 512, f.Slots)
	f.Close()
	for text, o := range map[string]Options{
		"Slots -1":                          {Slots: -1},
		"MaxPending -5":                     {MaxPending: -5},
		"Tick -1ns":                         {Options: systems.Options{Tick: -1}},
		"Slots 2147483649 (must be at most": {Slots: schemes.MaxSlots + 1},
	} {
		_, err := New(o)
		assert.ErrorIs(t, err, schemes.ErrConfig)
		assert.ErrorContains(t, err, text)
	}
}

// The executor given is used, for each action once.
func TestExecute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls, runs := 0, 0
		f := open(t, Options{Options: systems.Options{Execute: func(action func()) { calls++; action() }}})
		for range 10 {
			start(t, f, time.Second, func() { runs++ })
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, 10, calls)
		assert.Equal(t, 10, runs)
		f.Close()
	})
}
