package study

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

type opener = func() (systems.Service, error)

// bubble runs a test on a fake clock with a model, which it closes.
func bubble(t *testing.T, open opener, test func(m *model)) {
	synctest.Test(t, func(*testing.T) {
		f, err := open()
		require.NoError(t, err)
		test(f.(*model))
		_, err = f.Close()
		require.NoError(t, err)
	})
}

func start(t *testing.T, m *model, d time.Duration, action func()) systems.Timer {
	timer, err := m.AfterFunc(d, action)
	require.NoError(t, err)
	return timer
}

func nothing() {}

func pool(workers int, removeOnCancel bool) opener {
	return func() (systems.Service, error) {
		return ScheduledExecutor(workers, removeOnCancel, systems.Options{})
	}
}

// kept returns the number of timers in the model's scheme, once all goroutines wait.
func kept(m *model) int {
	synctest.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.scheme.(interface{ Len() int }).Len()
}

// A cancelled task leaves the heap at once or at its deadline.
func TestLazy(t *testing.T) {
	for name, c := range map[string]struct {
		open opener
		kept int
	}{
		"JavaTimer":                          {javaTimer, 1000},
		"ScheduledExecutor":                  {pool(1, false), 1000},
		"ScheduledExecutor, removeOnCancel ": {pool(1, true), 0},
	} {
		bubble(t, c.open, func(m *model) {
			for range 1000 {
				assert.True(t, start(t, m, time.Second, nothing).Stop())
			}
			assert.Equal(t, c.kept, kept(m), name)
			time.Sleep(time.Minute)
			assert.Zero(t, kept(m), name)
		})
	}
}

// The JDK's queue is first in, first out for tasks of equal times.
func TestEqualTimes(t *testing.T) {
	bubble(t, pool(1, true), func(m *model) {
		var order []int
		for i := range 100 {
			start(t, m, time.Second, func() { order = append(order, i) })
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Len(t, order, 100)
		assert.True(t, slices.IsSorted(order), order)
	})
}

// A panic ends java.util.Timer, also without a handler: what waits is lost, and a start is an error. The other
// services continue: see the rule "panics" of package systems.
func TestPanic(t *testing.T) {
	bubble(t, javaTimer, func(m *model) {
		start(t, m, time.Second, func() { panic("a") })
		start(t, m, time.Minute, func() { t.Error("it ran") })
		time.Sleep(2 * time.Second)
		_, err := m.AfterFunc(time.Second, nothing)
		assert.ErrorIs(t, err, systems.ErrClosed)
		time.Sleep(time.Hour)
	})
}

func netty() (systems.Service, error)     { return Netty(systems.Options{}) }
func javaTimer() (systems.Service, error) { return JavaTimer(systems.Options{}) }

// A timer runs on the tick that ends after its deadline: one of an exact multiple a whole tick later.
func TestNettyTicks(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{
		0: NettyTick, 1: NettyTick, NettyTick: 2 * NettyTick, 7*NettyTick - 1: 7 * NettyTick, 7 * NettyTick: 8 * NettyTick,
	} {
		bubble(t, netty, func(m *model) {
			began, at := time.Now(), time.Duration(0)
			start(t, m, d, func() { at = time.Since(began) })
			time.Sleep(time.Minute)
			synctest.Wait()
			assert.Equal(t, want, at, d)
		})
	}
}

// A tick moves a limited number of timers into the wheel, in the order of their starts.
func TestNettyMostMoved(t *testing.T) {
	bubble(t, netty, func(m *model) {
		for range MostMoved + 1 {
			start(t, m, time.Hour, nothing)
		}
		assert.Zero(t, kept(m))
		for _, want := range []int{MostMoved, MostMoved + 1} {
			time.Sleep(NettyTick)
			assert.Equal(t, want, kept(m))
		}
		dropped, _ := m.Close()
		assert.Equal(t, MostMoved+1, dropped)
	})
}
