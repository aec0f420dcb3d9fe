package locked

import (
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

const timeout = 10 * time.Second

// slowSet returns a set in which a and b expire on the same tick. It calls meanwhile while a
// expires and b is still in the batch. expired returns the keys that have expired.
func slowSet(t *testing.T, meanwhile func(s *Set[string])) (s *Set[string], expired func() []string) {
	var mu sync.Mutex
	var keys []string
	expired = func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(keys)
	}
	s, err := NewSet(timeout, systems.Options{Tick: time.Millisecond}, func(key string) {
		mu.Lock()
		keys = append(keys, key)
		first := len(keys) == 1
		mu.Unlock()
		if first {
			meanwhile(s)
		}
	})
	require.NoError(t, err)
	for _, key := range []string{"a", "b"} {
		require.NoError(t, s.Add(key))
	}
	return s, expired
}

// A key that is added again, or removed, when it is about to expire does not expire then.
func TestSetAtTheLastMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, expired := slowSet(t, func(s *Set[string]) {
			assert.Equal(t, 1, s.Len())
			assert.NoError(t, s.Add("b"))
		})
		time.Sleep(timeout + time.Second)
		synctest.Wait()
		assert.Equal(t, []string{"a"}, expired())
		time.Sleep(timeout)
		synctest.Wait()
		assert.Equal(t, []string{"a", "b"}, expired())
		requireDropped(t, 0, s.Close)
	})
	synctest.Test(t, func(t *testing.T) {
		s, expired := slowSet(t, func(s *Set[string]) {
			assert.True(t, s.Remove("b"))
			assert.NoError(t, s.Add("c"))
		})
		time.Sleep(timeout + time.Second)
		synctest.Wait()
		assert.Equal(t, []string{"a"}, expired())
		requireDropped(t, 1, s.Close)
	})
}

// Close returns the number of keys, including those about to expire, and empties the set.
func TestSetClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := slowSet(t, func(s *Set[string]) {
			assert.NoError(t, s.Add("a"))
			assert.True(t, s.Remove("b"))
			time.Sleep(timeout / 2)
		})
		time.Sleep(timeout + time.Second)
		requireDropped(t, 1, s.Close)
		assert.Zero(t, s.Len())
		assert.False(t, s.Remove("a"))
		requireDropped(t, 0, s.Close)
	})
}

// Remove stops the timer of its key.
func TestSetRemove(t *testing.T) {
	s, err := NewSet(timeout, systems.Options{}, func(int) {})
	require.NoError(t, err)
	require.NoError(t, s.Add(1))
	assert.True(t, s.Remove(1))
	assert.Zero(t, s.facility.Stats().Pending)
	requireDropped(t, 0, s.Close)
	_, err = NewSet[int](timeout, systems.Options{}, nil)
	assert.ErrorIs(t, err, systems.ErrAction)
}

// The default tick is a hundredth of the timeout.
func TestDefaultTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, err := FixedTimeout(time.Second, systems.Options{})
		require.NoError(t, err)
		time.Sleep(3*time.Millisecond + 1)
		began, ran := time.Now(), time.Time{}
		_, err = f.AfterFunc(time.Second, func() { ran = time.Now() })
		require.NoError(t, err)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Equal(t, time.Second+7*time.Millisecond-1, ran.Sub(began))
		f.Close()
	})
}

// A key expires when the timeout has passed since it was last added.
func TestSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var expired []string
		began := time.Now()
		at := map[string]time.Duration{}
		s, err := NewSet(10*time.Second, systems.Options{Tick: time.Millisecond}, func(key string) {
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
		requireDropped(t, 1, s.Close)
		assert.ErrorIs(t, s.Add("e"), systems.ErrClosed)
	})
}

// The facility's timers can be stopped and reset, like those of others.
func TestFacility(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, err := FixedTimeout(time.Second, systems.Options{})
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
		requireDropped(t, 0, f.Close)
	})
}

// stubborn is a service whose timers cannot be started again.
type stubborn struct{ systems.Facility }

type stubbornTimer struct{ systems.Timer }

func (f stubborn) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	t, err := f.Facility.AfterFunc(d, action)
	return stubbornTimer{t}, err
}

func (stubbornTimer) TryReset(time.Duration) (bool, error) { return false, schemes.ErrFull }

// A key whose timeout cannot be restarted is not in the set, and can be added again.
func TestSetOfStubbornTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		expired := 0
		s, err := NewSet(timeout, systems.Options{}, func(string) { expired++ })
		require.NoError(t, err)
		s.facility = stubborn{s.facility}
		require.NoError(t, s.Add("a"))
		assert.ErrorIs(t, s.Add("a"), schemes.ErrFull)
		assert.Zero(t, s.Len())
		assert.False(t, s.Remove("a"))
		require.NoError(t, s.Add("a"))
		time.Sleep(2 * timeout)
		synctest.Wait()
		assert.Equal(t, 1, expired)
		_, err = s.Close()
		assert.NoError(t, err)
	})
}
