package jdk

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

// A stopped timer leaves the heap at once or at its deadline.
func TestLazy(t *testing.T) {
	for name, c := range map[string]struct {
		open func() (systems.Facility, error)
		lazy bool
	}{
		"Timer":                    {func() (systems.Facility, error) { return NewTimer(nil) }, true},
		"Executor":                 {func() (systems.Facility, error) { return NewExecutor(1, false, nil) }, true},
		"Executor, remove on stop": {func() (systems.Facility, error) { return NewExecutor(1, true, nil) }, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			f, err := c.open()
			require.NoError(t, err)
			timer, err := f.AfterFunc(time.Second, func() {})
			require.NoError(t, err)
			synctest.Wait()
			before := f.(systems.Waker).Wakeups()
			assert.True(t, timer.Stop())
			time.Sleep(time.Minute)
			synctest.Wait()
			woken := f.(systems.Waker).Wakeups() - before
			assert.EqualValues(t, 1, woken, name) // its alarm was still set
			_, err = f.AfterFunc(time.Second, func() {})
			require.NoError(t, err)
			assert.Equal(t, 1, f.Close(), name)
			want := map[bool]int{true: 1, false: 0}[c.lazy]
			assert.Equal(t, want, storedAfterStop(t, c.open), name)
		})
	}
}

// storedAfterStop returns the number of timers in the scheme after the only one was stopped.
func storedAfterStop(t *testing.T, open func() (systems.Facility, error)) int {
	f, err := open()
	require.NoError(t, err)
	defer f.Close()
	timer, err := f.AfterFunc(time.Hour, func() {})
	require.NoError(t, err)
	timer.Stop()
	return f.(interface{ Stored() int }).Stored()
}

// Two workers run two slow actions at the same time.
func TestPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, err := NewExecutor(2, true, nil)
		require.NoError(t, err)
		var ended atomic.Int32
		for range 2 {
			_, err := f.AfterFunc(time.Second, func() { time.Sleep(10 * time.Second); ended.Add(1) })
			require.NoError(t, err)
		}
		time.Sleep(11*time.Second + 2*Tick)
		synctest.Wait()
		assert.EqualValues(t, 2, ended.Load())
		f.Close()
	})
}
