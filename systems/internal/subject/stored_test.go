package subject

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

func storedTimer(t *testing.T, d time.Duration, f func()) systems.Timer {
	open, err := StoredTime.Open()
	require.NoError(t, err)
	timer, err := open.AfterFunc(d, f)
	require.NoError(t, err)
	return timer
}

// A timer runs at its last deadline, neither earlier nor later, and Stop and Reset return what package time's return.
func TestStoredTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, ran := time.Now(), make(chan time.Duration, 9)
		timer := storedTimer(t, 10, func() { ran <- time.Since(begun) })
		at := func(when time.Duration) { time.Sleep(when - time.Since(begun)); synctest.Wait() }
		at(7)
		assert.True(t, timer.Reset(10))
		at(16)
		assert.Empty(t, ran, "it fired at 10")
		at(17)
		assert.False(t, timer.Reset(100), "it has run")
		assert.True(t, timer.Reset(20), "to an earlier deadline")
		at(40)
		assert.False(t, timer.Stop())
		assert.False(t, timer.Reset(10))
		assert.True(t, timer.Stop())
		at(60)
		assert.False(t, timer.Reset(-1))
		at(61)
		assert.Equal(t, []time.Duration{17, 37, 60}, []time.Duration{<-ran, <-ran, <-ran})
		assert.Empty(t, ran)
	})
}

// Of every start and every Reset exactly one thing happens, whichever goroutines call: the action runs, or a Stop or Reset
// returns true.
func TestStoredTimeRace(t *testing.T) {
	const timers, calls = 4, 20_000
	var ended atomic.Int64
	var all [timers]systems.Timer
	for i := range all {
		all[i] = storedTimer(t, 0, func() { ended.Add(1) })
	}
	var clients sync.WaitGroup
	var started atomic.Int64
	started.Add(timers)
	for range 4 {
		clients.Go(func() {
			for range calls {
				timer, prevented := all[rand.IntN(timers)], false
				if rand.IntN(4) == 0 {
					prevented = timer.Stop()
				} else {
					started.Add(1)
					prevented = timer.Reset(rand.N(20 * time.Microsecond))
				}
				if prevented {
					ended.Add(1)
				}
			}
		})
	}
	clients.Wait()
	assert.Eventually(t, func() bool { return ended.Load() >= started.Load() }, 10*time.Second, time.Millisecond)
	time.Sleep(time.Millisecond)
	assert.Equal(t, started.Load(), ended.Load())
}
