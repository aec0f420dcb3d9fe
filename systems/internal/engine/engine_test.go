package engine

import (
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
)

func open(t *testing.T, o systems.Options, m Mode) *Facility {
	if o.Tick == 0 {
		o.Tick = time.Millisecond
	}
	f, err := Open(&hierarchical.Info, schemes.Config{}, o, m)
	require.NoError(t, err)
	return f
}

func start(t *testing.T, f *Facility, d time.Duration, action func()) systems.Timer {
	timer, err := f.engine.AfterFunc(d, action)
	require.NoError(t, err)
	return timer
}

// IDs are reused after a stop and after an expiry.
func TestIDsAreReused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, systems.Options{}, Mode{})
		defer f.Close()
		for range 1000 {
			assert.True(t, start(t, f, time.Hour, func() {}).Stop())
			start(t, f, time.Millisecond, func() {})
			time.Sleep(10 * time.Millisecond)
		}
		synctest.Wait()
		f.engine.WithLock(func() { assert.LessOrEqual(t, f.engine.actions.made, uint32(2)) })
	})
}

// Only a start of an earlier timer wakes the worker.
func TestWakeups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, systems.Options{}, Mode{})
		defer f.Close()
		start(t, f, time.Hour, func() {})
		synctest.Wait()
		before := f.Wakeups()
		for i := range 100 {
			start(t, f, time.Hour+time.Duration(i)*time.Second, func() {}).Reset(2 * time.Hour)
		}
		synctest.Wait()
		assert.Equal(t, before, f.Wakeups())
		start(t, f, 2*time.Hour, func() {}).Reset(time.Minute)
		synctest.Wait()
		assert.Equal(t, before+1, f.Wakeups())
	})
}

// A stepping worker wakes up for every tick, another one for no empty tick.
func TestStepping(t *testing.T) {
	for stepping, want := range map[bool]uint64{true: 1000, false: 0} {
		synctest.Test(t, func(t *testing.T) {
			f := open(t, systems.Options{}, Mode{Stepping: stepping})
			defer f.Close()
			start(t, f, time.Hour, func() {})
			synctest.Wait()
			before := f.Wakeups()
			time.Sleep(time.Second)
			synctest.Wait()
			assert.Equal(t, want, f.Wakeups()-before)
		})
	}
}

// A stepping worker that lags behind releases the lock while it catches up.
func TestSteppingReleasesTheLock(t *testing.T) {
	s, err := hierarchical.Info.New(schemes.Config{})
	require.NoError(t, err)
	e := New(s.(Scheme), time.Now().Add(-time.Hour), time.Millisecond, Mode{Stepping: true})
	for turn := range schemes.Tick(3) {
		sleep, ok := e.collect()
		assert.True(t, ok)
		assert.Negative(t, sleep)
		assert.Equal(t, (turn+1)*mostSteps, e.now)
	}
}

// A late action can still stop a timer that is due on a later tick.
func TestTicksAreHandedOutOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, systems.Options{}, Mode{})
		defer f.Close()
		start(t, f, time.Second, func() { time.Sleep(time.Minute) })
		var second atomic.Value
		stopped := false
		start(t, f, 2*time.Second, func() { stopped = second.Load().(systems.Timer).Stop() })
		second.Store(start(t, f, 3*time.Second, func() { t.Error("it was stopped") }))
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.True(t, stopped)
	})
}

// A deadline beyond the end of the clock is the end.
func TestDeadline(t *testing.T) {
	began := time.Now().Add(-time.Hour)
	assert.Equal(t, time.Duration(math.MaxInt64), Deadline(began, math.MaxInt64))
	assert.Equal(t, time.Duration(math.MaxInt64), Deadline(began, math.MaxInt64-time.Hour))
	for _, d := range []time.Duration{math.MinInt64, -1, 0} {
		assert.InDelta(t, time.Hour, Deadline(began, d), float64(time.Minute))
	}
}
