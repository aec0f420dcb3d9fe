package sharded

import (
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

// A Timer must be prepared, and not while it is pending, unless its service was closed.
func TestInit(t *testing.T) {
	bubble(t, Options{}, func(f *Service, _ func(time.Duration, func())) {
		var timer Timer
		assert.False(t, timer.Stop())
		const without = "sharded: Timer not initialised (call Init)"
		assert.PanicsWithValue(t, without, func() { _ = timer.Start(time.Second) })
		assert.PanicsWithValue(t, without, func() { timer.Reset(time.Second) })
		assert.PanicsWithValue(t, "sharded: nil action", func() { f.Init(&timer, nil) })
		ran := 0
		f.Init(&timer, func() { ran++ })
		assert.False(t, timer.Stop())
		require.NoError(t, timer.Start(time.Second))
		assert.PanicsWithValue(t, "sharded: Init of a pending Timer", func() { f.Init(&timer, func() {}) })
		wait(2 * time.Second)
		assert.Equal(t, 1, ran)
		f.Init(&timer, func() { ran += 10 })
		assert.False(t, timer.Reset(time.Second))
		require.NoError(t, timer.Start(time.Hour), "also if it is pending")
		assert.True(t, timer.Reset(time.Minute))
		wait(2 * time.Minute)
		assert.Equal(t, 11, ran)
		require.NoError(t, timer.Start(time.Hour))
		other, err := New(Options{})
		require.NoError(t, err)
		for _, closed := range []*Service{f, other} {
			_, err = closed.Close()
			require.NoError(t, err)
			closed.Init(&timer, func() {})
			assert.ErrorIs(t, timer.Start(time.Second), systems.ErrClosed)
			assert.False(t, timer.Reset(time.Second))
		}
	})
}

// An action may start its own Timer again, or give what it belongs to back to a pool. Nothing is allocated.
func TestTimersAreUsedAgain(t *testing.T) {
	bubble(t, Options{}, func(f *Service, _ func(time.Duration, func())) {
		var again Timer
		runs := 0
		f.Init(&again, func() {
			if runs++; runs < 1000 {
				assert.NoError(t, again.Start(time.Millisecond))
			}
		})
		require.NoError(t, again.Start(0))
		wait(2 * time.Minute)
		assert.Equal(t, 1000, runs)
	})
	f, err := New(Options{})
	require.NoError(t, err)
	type request struct {
		timeout Timer
		done    chan bool
	}
	pool := sync.Pool{New: func() any {
		r := &request{done: make(chan bool, 1)}
		f.Init(&r.timeout, func() { r.done <- true })
		return r
	}}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 2000 {
				r := pool.Get().(*request)
				assert.NoError(t, r.timeout.Start(time.Duration(i%8)*100*time.Microsecond))
				if i%2 == 0 || !r.timeout.Stop() {
					<-r.done
				}
				pool.Put(r)
			}
		})
	}
	all.Wait()
	var timer Timer
	f.Init(&timer, func() {})
	assert.Zero(t, testing.AllocsPerRun(1000, func() {
		_ = timer.Start(time.Hour)
		timer.Reset(2 * time.Hour)
		timer.Stop()
	}))
	dropped, err := f.Close()
	assert.NoError(t, err)
	assert.Zero(t, dropped)
}

// go vet finds a Timer that is copied.
func TestCopies(t *testing.T) {
	out, err := exec.Command("go", "vet", "./testdata/copies").CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(out), "return copies lock value")
}
