package engine

import (
	"math"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"timerlab/systems"
)

// slack is a design whose shard reads the clock for one in 64 starts that follow fast.
var slack = Design{Slack: time.Millisecond / 4}

// hurry lets starts follow each other fast, until the next does not read the clock.
func hurry(t *testing.T, f *Service, s *shard) {
	for s.startTime(1) <= s.readAt {
	}
	assert.True(t, s.fast)
}

// Few of many starts read the clock, and one wake-up after them is enough. After a pause each start reads it again.
func TestReadings(t *testing.T) {
	bubble(t, slack, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		var timers []systems.Timer
		for range 1000 {
			timers = append(timers, start(t, f, time.Hour, nothing))
		}
		young := func() int { return s.count(func() int { return len(s.young) }) }
		assert.NotZero(t, young())
		assert.Less(t, young(), readEvery)
		time.Sleep(time.Minute)
		assert.Zero(t, young())
		assert.EqualValues(t, 1, f.Stats().Wakeups)
		for range 2 * readEvery {
			time.Sleep(slack.Slack)
			timers = append(timers, start(t, f, time.Hour, nothing))
		}
		assert.Zero(t, young())
		assert.False(t, s.fast)
		for _, timer := range timers {
			assert.True(t, timer.Stop())
		}
	})
}

// If the last reading is too old when a timer is started, the next one corrects that: the action
// is not early. It does so also after a Reset and a stop.
func TestOldReading(t *testing.T) {
	for _, old := range []time.Duration{0, slack.Slack, time.Second, time.Hour} {
		bubble(t, slack, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
			time.Sleep(2 * time.Hour)
			hurry(t, f, s)
			s.readAt -= old
			began, at := f.clock(), map[string]time.Duration{}
			ran := func(name string) func() { return func() { at[name] = f.clock() - began } }
			reset := start(t, f, 3*time.Second, ran("reset"))
			start(t, f, time.Second, ran("stopped")).Stop()
			start(t, f, time.Second, ran("started"))
			reset.Reset(2 * time.Second)
			again := start(t, f, time.Second, ran("again"))
			again.Stop()
			again.Reset(4 * time.Second)
			wait(time.Minute)
			assert.Len(t, at, 3, old)
			for name, d := range map[string]time.Duration{"started": 1, "reset": 2, "again": 4} {
				late := at[name] - d*time.Second
				assert.GreaterOrEqual(t, late, time.Duration(0), "%s, %v", name, old)
				assert.LessOrEqual(t, late, time.Millisecond+slack.Slack, "%s, %v", name, old)
			}
		})
	}
}

// After a burst, the first of the starts that are slow again wakes the service up, and the next ones do not.
func TestWakeupsAfterABurst(t *testing.T) {
	bubble(t, slack, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		hurry(t, f, s)
		for range 40 {
			time.Sleep(20 * time.Millisecond)
			start(t, f, time.Hour, nothing)
		}
		synctest.Wait()
		assert.LessOrEqual(t, f.Stats().Wakeups, uint64(1))
	})
}

// Timers that a late reading corrects to a later tick are waited for until then, not until the tick before too.
func TestCorrectionsWakeNoOne(t *testing.T) {
	const n = 10
	bubble(t, slack, systems.Options{}, func(t *testing.T, f *Service, s *shard) {
		time.Sleep(time.Hour)
		woken := f.Stats().Wakeups
		hurry(t, f, s)
		s.readAt -= 2 * time.Millisecond // the alarm is late
		for i := range n {
			start(t, f, time.Duration(i+1)*5*time.Millisecond, nothing)
		}
		wait(time.Minute)
		assert.LessOrEqual(t, f.Stats().Wakeups-woken, uint64(n+3), "one for each, for the reading and for wheels that wrap")
	})
}

// In a bubble that the service was opened outside of, a start that does not read the clock changes nothing either.
func TestFastStartOutside(t *testing.T) {
	f := open(t, slack, systems.Options{})
	s := f.shards[0]
	s.readAt, s.fast = f.clock(), true // as after a burst of starts, all stopped
	synctest.Test(t, func(t *testing.T) {
		for _, d := range []time.Duration{time.Microsecond, time.Second, 2 * time.Hour} {
			assert.Panics(t, func() { _, _ = f.AfterFunc(d, nothing) }, d)
		}
	})
	assert.Equal(t, []any{0, time.Duration(math.MaxInt64), 0}, []any{s.pending, s.alarmAt, len(s.young)})
	ran := make(chan bool)
	start(t, f, time.Millisecond, func() { close(ran) })
	<-ran
}

// What a start writes in its shard is in three lines of the cache, and what a Reset reads is in another.
func TestAStartWritesThreeLines(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("on 32 bits the lines hold more")
	}
	var s shard
	const line = 64
	begin := unsafe.Offsetof(s.mu)
	assert.Zero(t, begin%line)
	assert.Less(t, unsafe.Offsetof(s.service), begin)
	for name, at := range map[string][2]uintptr{ // the line, and the byte
		"now": {0, unsafe.Offsetof(s.now)}, "alarmAt": {0, unsafe.Offsetof(s.alarmAt)}, "fast": {0, unsafe.Offsetof(s.fast)},
		"startsFrom": {0, unsafe.Offsetof(s.startsFrom)}, "young": {1, unsafe.Offsetof(s.young)},
		"pending": {1, unsafe.Offsetof(s.pending)}, "started": {1, unsafe.Offsetof(s.started)},
		"timers": {2, unsafe.Offsetof(s.timers)}, "stopped": {2, unsafe.Offsetof(s.stopped)},
	} {
		assert.Equal(t, at[0], (at[1]-begin)/line, name)
	}
}
