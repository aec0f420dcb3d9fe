package locked

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

func requireDropped(t *testing.T, want int, close func() (int, error)) {
	t.Helper()
	dropped, err := close()
	require.NoError(t, err)
	assert.Equal(t, want, dropped)
}

// A stopped timer leaves the heap at once or at its deadline.
func TestLazy(t *testing.T) {
	for name, c := range map[string]struct {
		open func() (systems.Facility, error)
		lazy bool
	}{
		"JavaTimer":                          {func() (systems.Facility, error) { return JavaTimer(systems.Options{}) }, true},
		"ScheduledExecutor":                  {func() (systems.Facility, error) { return ScheduledExecutor(1, false, systems.Options{}) }, true},
		"ScheduledExecutor, removes on stop": {func() (systems.Facility, error) { return ScheduledExecutor(1, true, systems.Options{}) }, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			f, err := c.open()
			require.NoError(t, err)
			empty := f.Stats().Bytes
			for range 1000 {
				timer, err := f.AfterFunc(time.Second, func() {})
				require.NoError(t, err)
				assert.True(t, timer.Stop())
			}
			kept := f.Stats().Bytes
			assert.Equal(t, c.lazy, kept > 2*empty+10_000, name)
			time.Sleep(time.Minute)
			synctest.Wait()
			assert.Less(t, f.Stats().Bytes, empty+10_000, name)
			assert.EqualValues(t, 1, f.Stats().Wakeups, name) // the alarm was set
			_, err = f.AfterFunc(time.Second, func() {})
			require.NoError(t, err)
			requireDropped(t, 1, f.Close)
		})
	}
}

// Two workers run two slow actions at the same time.
func TestPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, err := ScheduledExecutor(2, true, systems.Options{})
		require.NoError(t, err)
		var ended atomic.Int32
		for range 2 {
			_, err := f.AfterFunc(time.Second, func() { time.Sleep(10 * time.Second); ended.Add(1) })
			require.NoError(t, err)
		}
		time.Sleep(11*time.Second + 2*JavaTick)
		synctest.Wait()
		assert.EqualValues(t, 2, ended.Load())
		requireDropped(t, 0, f.Close)
	})
}
