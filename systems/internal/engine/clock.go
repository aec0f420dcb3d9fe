package engine

import (
	"math"
	"time"

	"timerlab/schemes"
)

// CheckClock panics if a service sees a time before its opening. Only a synctest bubble has one, for a service that was
// opened outside of it: there the timer would never run.
func CheckClock(sinceOpening time.Duration) {
	if sinceOpening < 0 {
		panic("systems: this service was opened outside of the testing/synctest bubble that uses it (open it in the bubble)")
	}
}

// endedBy returns the last tick that has ended.
func (s *shard) endedBy(now time.Duration) schemes.Tick {
	return schemes.Tick(now / s.service.options.Tick)
}

// passed records that the scheme has passed ticks, and moved timers to its due list.
func (s *shard) passed(ticks schemes.Tick, due int) {
	s.now += ticks
	if due == 0 {
		return
	}
	if s.due == 0 {
		s.dueAt = s.service.end(s.now)
	}
	s.due += due
	s.behind, s.vain = true, 0
}

// catchUp advances the scheme's clock to the present, also where a worker is busy. Timers that
// become due stay in the scheme until a worker takes them.
func (s *shard) catchUp(now time.Duration) {
	for last := s.endedBy(now); s.now < last; {
		s.passed(s.scheme.Advance(last - s.now))
	}
}

// vainShare is how many timers a scheme looks at in the time of a wake-up.
const vainShare = 256

// nextEvent returns the time until which no timer can be due, and the clock need not be read;
// math.MaxInt64 if no timer is pending. A scheme's quick answer may be far too early: a hashed wheel
// returns its next occupied slot, in which no timer may be due for a long time. When wake-ups in vain have
// taken as long as it takes to look at all timers, nextEvent asks for the exact answer.
func (s *shard) nextEvent() time.Duration {
	if s.scheme == nil {
		return math.MaxInt64
	}
	next := s.next
	if s.vain > 0 && s.vain*vainShare >= s.pending {
		next, s.vain = s.scheme.Next, 0
	}
	if wait, ok := next(); ok {
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

// rowAlarms are alarms that follow each other closely. Where an alarm is set that is earlier than all of the program's
// timers, Go's runtime wakes up a thread, to wait for it. So while nearly every tick has timers, the alarm for the tick after
// the next is set before the next one rings: then it is not the earliest. It may ring in vain.
type rowAlarms struct {
	rungAt  time.Duration // the last alarm
	inRow   int           // alarms that were at most rowTicks after the one before
	ahead   *time.Timer   // nil before it is first set
	aheadAt time.Duration // 0: it is not set, or about to ring
}

const (
	rowTicks = 2
	leastRow = 4 // alarms in a row, after which another is expected: where one tick in four has timers, one alarm in 27 has as many before it
)

// ring notes that an alarm has rung, and reports whether it was in vain: the one ahead, or one that was stopped too late.
func (s *shard) ring(now time.Duration) (inVain bool) {
	if s.aheadAt <= now {
		s.aheadAt = 0
	}
	if s.alarmAt == 0 || s.alarmAt > now {
		s.inRow /= 2
		return true
	}
	if s.inRow++; s.alarmAt-s.rungAt > rowTicks*s.service.options.Tick {
		s.inRow = 0
	}
	s.vain++
	s.rungAt, s.alarmAt, s.looking, s.behind = s.alarmAt, 0, false, true
	return false
}

// armAhead sets the alarm ahead, one tick after s.alarm, which rings after the wait. If s.alarm is not set, it stops it.
func (s *shard) armAhead(wait time.Duration) {
	tick := s.service.options.Tick
	if s.alarmAt == math.MaxInt64 {
		if s.aheadAt != 0 && s.ahead.Stop() {
			s.alive.Done()
		}
		s.aheadAt = 0
		return
	}
	if s.inRow < leastRow || s.alarmAt-s.rungAt > rowTicks*tick || s.aheadAt == s.alarmAt+tick {
		return
	}
	s.aheadAt = s.alarmAt + tick
	if s.ahead == nil {
		s.alive.Add(1)
		s.ahead = time.AfterFunc(wait+tick, s.wake)
	} else if !s.ahead.Reset(wait + tick) {
		s.alive.Add(1)
	}
}

// arm sets the alarm; for math.MaxInt64 it stops it.
func (s *shard) arm(at time.Duration) {
	if at == s.alarmAt {
		return
	}
	var wait time.Duration
	if at != math.MaxInt64 {
		now := s.service.clock()
		if s.outside = now < 0; s.outside {
			return
		}
		wait = at - now
	}
	if (at > s.alarmAt || at == s.aheadAt) && s.alarm != nil { // after a Reset the runtime would wake up for the earlier time, too
		if s.alarm.Stop() {
			s.alive.Done()
		}
		s.alarm, s.spare = s.spare, s.alarm
	}
	s.alarmAt = at
	switch {
	case at == math.MaxInt64:
	case at == s.aheadAt:
		s.alarm, s.ahead, s.aheadAt = s.ahead, s.alarm, 0
	case s.alarm == nil:
		s.alive.Add(1)
		s.alarm = time.AfterFunc(wait, s.wake)
	case !s.alarm.Reset(wait):
		s.alive.Add(1) // else the one that it counted is replaced
	}
	s.armAhead(wait)
}

// wake is the alarm's function. It becomes a worker if there are not enough of them.
func (s *shard) wake() {
	s.mu.Lock()
	s.wakeups++
	now := s.service.clock()
	waited := s.looking && s.short()
	switch {
	case s.ring(now): // a worker is awake, or the alarm is still set
	case s.joins(waited):
		s.workers++
		s.mu.Unlock()
		s.work(false)
		return
	default:
		s.settle()
	}
	s.mu.Unlock()
	s.alive.Done()
}

// settle sets the alarm after timers have begun or have become ready: if the shard is not short,
// to when the next may be due; else to look, after some patience, whether it still is. Where no workers
// are added, the only one will come back to the timers that wait.
func (s *shard) settle() {
	switch {
	case s.closed:
	case !s.short():
		s.looking = false
		s.arm(s.nextEvent())
	case s.grows() && !s.looking:
		s.looking, s.begunThen = true, s.begun
		s.arm(s.service.lookAt(s.readClock()))
	}
}

// lookAt returns when to look whether timers still wait: after the patience, or at the end of a tick in its second half, on which
// the next timers may be due. For these the alarm need not be set again, at which Go's runtime wakes up a thread.
func (v *Service) lookAt(now time.Duration) time.Duration {
	look := now + patience
	if end := look - look%v.options.Tick; end > now+patience/2 {
		return end
	}
	return look
}
