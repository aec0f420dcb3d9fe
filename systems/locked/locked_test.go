package locked

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/simplewheel"
	"timerlab/systems"
)

// A Reset beyond the range is an error and never returns true, and the timer does not run at its earlier time.
// It can be reset later.
func TestBeyondTheRange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, err := New(&simplewheel.Info, schemes.Config{Slots: 64}, systems.Options{Tick: time.Second})
		require.NoError(t, err)
		var timers []systems.Timer
		runs := 0
		for _, d := range []time.Duration{time.Minute, time.Minute, 0} {
			timer, err := f.AfterFunc(d, func() { runs++ })
			require.NoError(t, err)
			timers = append(timers, timer)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		assert.False(t, timers[0].Reset(time.Hour), "the Reset did not start it")
		for i, was := range []bool{false, true, false} {
			pending, err := timers[i].(systems.Resetter).TryReset(time.Hour)
			assert.ErrorIs(t, err, schemes.ErrInterval)
			assert.Equal(t, was, pending)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.Equal(t, 1, runs)
		assert.False(t, timers[1].Reset(time.Second))
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, 2, runs)
		f.Close()
	})
}
