package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"timerlab/systems"
)

// After a peak, the timers that are left run on time and can be stopped and reset, and their shard
// has the memory of few.
func TestShrink(t *testing.T) {
	bubble(t, Design{}, systems.Options{}, func(t *testing.T, f *Service, _ *shard) {
		memory := func() int64 { return f.Stats().OffHeap }
		for range 3 {
			began, ran := f.clock(), make([]time.Duration, 20*leastPeak)
			var timers []systems.Timer
			for i := range ran {
				d := time.Minute + time.Duration(i)*time.Millisecond
				timers = append(timers, start(t, f, d, func() { ran[i] = f.clock() - began }))
			}
			peak := memory()
			for i, timer := range timers {
				if i%1000 != 0 {
					assert.True(t, timer.Stop())
				}
			}
			assert.LessOrEqual(t, memory(), peak/20)
			assert.True(t, timers[0].Reset(time.Hour))
			assert.True(t, timers[1000].Stop())
			assert.False(t, timers[1].Reset(time.Second))
			wait(2 * time.Hour)
			for i, at := range ran {
				switch {
				case i == 0:
					assert.Equal(t, time.Hour, at)
				case i == 1:
					assert.Equal(t, time.Second, at)
				case i%1000 == 0 && i > 1000:
					assert.Equal(t, time.Minute+time.Duration(i)*time.Millisecond, at)
				default:
					assert.Zero(t, at)
				}
			}
			assert.Zero(t, f.Stats().Pending)
		}
	})
}
