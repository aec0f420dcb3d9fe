package engine

import (
	"math"
	"time"

	"timerlab/schemes"
)

// reading is the clock as a shard last read it. Where every start reads it, a start and a stop take 1.8 times as long
// (BenchmarkTricks). So while starts follow each other fast, one in readEvery reads it. The others count from the last
// reading plus Design.Slack. That is not before their start if the next reading is made within Slack; if it is made later,
// it corrects them. The alarm makes sure that there is a next reading, and no scheme advances without one, so no action is
// early.
type reading struct {
	readAt     time.Duration // since the service began
	starts     uint32        // since startsFrom, a reading
	fast       bool          // they follow each other fast
	outside    bool          // the alarm was not set, as the clock is before 0: see startNew
	startsFrom time.Duration
	young      []youngTimer // started since readAt without reading the clock
}

// youngTimer is a timer that was started for a duration.
type youngTimer struct {
	handle schemes.Handle
	d      time.Duration
}

const (
	// readEvery is the number of starts of which one reads the clock.
	readEvery = 64

	// fastShare is the part of Slack within which readEvery starts must follow each other. With the default tick that
	// is a million starts a second, where the wake-ups of the alarm cost no more than the readings that are left out.
	fastShare = 4
)

// readClock reads the clock, and corrects timers that count from before their start.
func (s *shard) readClock() (now time.Duration) {
	if now = s.service.clock(); now < 0 {
		return now // to CheckClock, and nothing has changed
	}
	if late := now - s.readAt; late >= s.service.design.Slack {
		for _, y := range s.young {
			s.correct(y, now)
		}
		s.fast = false // the alarm, not a start, had to read it
	}
	s.readAt = now
	if len(s.young) > 0 { // else the line of young is not written
		s.young = s.young[:0]
	}
	return now
}

// correct restarts a timer, unless it has been stopped or reset.
func (s *shard) correct(y youngTimer, now time.Duration) {
	if id, ok := s.scheme.ID(y.handle); ok {
		t, restart := s.timers.At(uint32(id)), s.scheme.Restart
		from := int64(after(s.readAt+s.service.design.Slack, y.d))
		if s.service.postpones && !t.deadline.CompareAndSwap(from, int64(after(now, y.d))) {
			return // postponed, by a reading of its own
		}
		interval, _ := s.interval(now, y.d)
		if m, ok := s.scheme.(mover); ok {
			restart = m.Move
		}
		if h, err := restart(y.handle, interval); err == nil { // the range has no end
			t.handle = h
		}
	}
}

// mover is a scheme whose Restart leaves a timer where the service would wake up for it in vain.
type mover interface {
	Move(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error)
}

// startTime returns the time from which the duration of a timer counts.
func (s *shard) startTime(d time.Duration) time.Duration {
	slack := s.service.design.Slack
	if slack == 0 {
		return s.service.clock()
	}
	if s.starts++; s.fast && s.starts < readEvery && d > 0 {
		return s.readAt + slack
	}
	now := s.readClock()
	if s.starts >= readEvery && now >= 0 {
		s.fast = now-s.startsFrom <= slack/fastShare
		s.starts, s.startsFrom = 0, now
	}
	return now
}

// noteStart records that a timer was started for a duration from a startTime.
func (s *shard) noteStart(t *Timer, from, d time.Duration) {
	if from <= s.readAt || s.service.design.Slack == 0 {
		return
	}
	s.young = append(s.young, youngTimer{t.handle, d})
	if at := s.nextReading(); at < s.alarmAt {
		s.arm(at)
	}
}

// nextReading returns the time until which the clock must be read; math.MaxInt64 if it need not.
func (s *shard) nextReading() time.Duration {
	if len(s.young) == 0 {
		return math.MaxInt64
	}
	return s.readAt + s.service.design.Slack
}
