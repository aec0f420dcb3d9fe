package engine

import (
	"math"
	"time"

	"timerlab/schemes"
)

// mostSteps bounds the ticks that a stepping worker passes before it releases the lock: some
// 20 µs of work.
const mostSteps = 4096

// endedBy returns the last tick that has ended.
func (s *shard) endedBy(now time.Duration) schemes.Tick {
	return schemes.Tick(now / s.service.options.Tick)
}

// pass passes ticks until timers are due, the scheme's clock is up to date, or a stepping worker
// must release the lock.
func (s *shard) pass(now time.Duration) {
	v, last := s.service, s.endedBy(now)
	if v.inbox != nil {
		v.inbox.deliver(now, last)
	}
	switch {
	case s.now >= last:
	case !v.design.Stepping:
		s.passed(s.scheme.Advance(last - s.now))
	default:
		for end := min(last, s.now+mostSteps); s.now < end && s.due == 0; {
			s.passed(1, s.scheme.PerTick())
		}
	}
}

// passed records that the scheme has passed ticks, and moved timers to its due list.
func (s *shard) passed(ticks schemes.Tick, due int) {
	s.now += ticks
	if due > 0 && s.due == 0 {
		s.dueAt = s.service.end(s.now)
	}
	s.due += due
	s.behind = s.behind || due > 0
}

// catchUp advances the scheme's clock to the present, also where a worker is busy. Timers that
// become due stay in the scheme until a worker takes them.
func (s *shard) catchUp(now time.Duration) {
	for last := s.endedBy(now); s.now < last; {
		s.passed(s.scheme.Advance(last - s.now))
	}
}

// nextEvent returns the time until which no timer can be due, and the clock need not be read;
// math.MaxInt64 if no timer is pending.
func (s *shard) nextEvent() time.Duration {
	if s.service.design.Stepping {
		return s.service.end(s.now + 1)
	}
	if wait, ok := s.next(); ok {
		return min(s.service.end(s.now+wait), s.nextReading())
	}
	return math.MaxInt64
}

// alarmBy makes sure that a worker is awake on the tick due.
func (s *shard) alarmBy(due schemes.Tick) {
	if at := s.service.end(due); at < s.alarmAt {
		s.arm(at)
	}
}

// arm sets the alarm; for math.MaxInt64 it stops it.
func (s *shard) arm(at time.Duration) {
	if at == s.alarmAt {
		return
	}
	if at > s.alarmAt && s.alarm != nil { // after a Reset the runtime would wake up for the earlier time, too
		if s.alarm.Stop() {
			s.alive.Done()
		}
		s.alarm, s.spare = s.spare, s.alarm
	}
	s.alarmAt = at
	switch {
	case at == math.MaxInt64:
	case s.alarm == nil:
		s.alive.Add(1)
		s.alarm = time.AfterFunc(at-s.service.clock(), s.wake)
	case !s.alarm.Reset(at - s.service.clock()):
		s.alive.Add(1) // else the one that it counted is replaced
	}
}

// step sets the alarm of a stepping service for the first time.
func (s *shard) step() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scheme != nil {
		s.catchUp(s.service.clock())
		s.arm(s.service.end(s.now + 1))
	}
}

// wake is the alarm's function. It becomes a worker if there are not enough of them.
func (s *shard) wake() {
	s.mu.Lock()
	s.wakeups++
	waited := s.looking && s.short()
	s.alarmAt, s.looking, s.behind = 0, false, true
	switch {
	case s.scheme == nil:
		s.alarmAt = math.MaxInt64
	case s.joins(waited):
		s.workers++
		s.mu.Unlock()
		s.work(false)
		return
	case s.service.inbox != nil: // the workers are busy, but stopped timers must not pile up
		now := s.service.clock()
		ended := s.endedBy(now)
		s.service.inbox.deliver(now, ended)
		s.arm(s.service.end(ended + 1))
	default:
		s.settle()
	}
	s.mu.Unlock()
	s.alive.Done()
}

// settle sets the alarm after timers have begun or have become ready: if the shard is not short,
// to when the next may be due; else to look, after some patience, whether it still is. Without
// Grow the workers will come back to those that wait.
func (s *shard) settle() {
	switch {
	case s.scheme == nil:
	case !s.short():
		s.looking = false
		s.arm(s.nextEvent())
	case s.service.design.Grow && !s.looking:
		s.looking, s.begunThen = true, s.begun
		s.arm(s.readClock() + patience)
	}
}
