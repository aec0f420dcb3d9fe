package fixedtimeout

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

// A key expires once its time has passed since it was added last.
func TestSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var expired []string
		began := time.Now()
		at := map[string]time.Duration{}
		s, err := NewSet(10*time.Second, Options{Tick: time.Millisecond}, func(key string) {
			expired = append(expired, key)
			at[key] = time.Since(began)
		})
		require.NoError(t, err)
		for _, key := range []string{"a", "b", "c"} {
			require.NoError(t, s.Add(key))
		}
		time.Sleep(5 * time.Second)
		require.NoError(t, s.Add("a"))
		assert.True(t, s.Remove("b"))
		assert.False(t, s.Remove("b"))
		assert.Equal(t, 2, s.Len())
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, []string{"c", "a"}, expired)
		assert.Equal(t, map[string]time.Duration{"c": 10 * time.Second, "a": 15 * time.Second}, at)
		assert.Zero(t, s.Len())
		require.NoError(t, s.Add("d"))
		assert.Equal(t, 1, s.Close())
		assert.ErrorIs(t, s.Add("e"), systems.ErrClosed)
	})
}

// The facility's timers can be stopped and reset, as the others' can.
func TestFacility(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, err := New(time.Second, Options{})
		require.NoError(t, err)
		var runs atomic.Int32
		timer, err := f.AfterFunc(time.Second, func() { runs.Add(1) })
		require.NoError(t, err)
		time.Sleep(900 * time.Millisecond)
		assert.True(t, timer.Reset(time.Second))
		time.Sleep(900 * time.Millisecond)
		synctest.Wait()
		assert.Zero(t, runs.Load())
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		assert.EqualValues(t, 1, runs.Load())
		assert.False(t, timer.Stop())
		assert.Zero(t, f.Close())
	})
}
