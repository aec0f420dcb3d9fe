package engine

import (
	"errors"
	"math/bits"
	"time"

	"timerlab/schemes"
)

// errBatch ends an Expire that has handed out a batch.
var errBatch = errors.New("batch")

// mayFill reports whether fill is to be called while timers are ready. Actions that start timers
// of no duration may keep some ready for ever, and due timers in the scheme must have their turn.
func (s *shard) mayFill(now time.Duration) bool {
	return (s.live < batch || s.begun-s.filled >= batch) && s.scheme != nil && (s.due > 0 || s.now < s.endedBy(now))
}

// fill makes due timers ready. It may stop before all are.
func (s *shard) fill(now time.Duration) {
	if s.filled = s.begun; s.scheme == nil {
		s.behind = false
		return
	}
	if last := s.endedBy(now); s.due == 0 && s.now < last {
		s.passed(s.scheme.Advance(last - s.now))
	}
	if looked := s.looked; s.due > 0 {
		if s.handOut(); s.looked > looked {
			s.skim()
		}
	}
	s.behind = s.due > 0 || s.now < s.endedBy(now)
}

// handOut takes a batch of due timers from the scheme.
func (s *shard) handOut() {
	defer func() {
		if v := recover(); v != nil && v != errBatch {
			panic(v)
		}
	}()
	s.scheme.Expire(s.expire)
	s.due = 0
}

// handedOut is called by Expire, which a panic ends without losing the timers that are left.
func (s *shard) handedOut(id schemes.ID) {
	s.due = max(s.due-1, 0)
	if t := s.timers.At(uint32(id)); !s.continues(t, id) {
		s.timers.Release(uint32(id))
		s.push(t, s.dueAt-s.service.rounding())
	}
	if s.handed++; s.handed%batch == 0 {
		panic(errBatch)
	}
}

// continues starts a timer that was postponed for the time that is left, and reports whether it did. Else the
// timer is due, and cannot be postponed any more.
func (s *shard) continues(t *Timer, id schemes.ID) bool {
	for s.service.postpones {
		deadline := t.deadline.Load()
		if due := s.service.dueOn(time.Duration(deadline)); due > s.now {
			h, err := s.scheme.Start(s.place(due)-s.now, id)
			if err != nil {
				panic(err) // it has just left a record, and all durations are in range
			}
			t.handle = h
			s.looked++
			return true
		}
		if t.deadline.CompareAndSwap(deadline, 0) {
			break
		}
	}
	return false
}

// skimmer is a scheme that can move timers before they are due: see chunk.Module.
type skimmer interface {
	Skim(ahead schemes.Tick, most int, later func(schemes.ID) (interval schemes.Tick)) (seen int)
}

const (
	skimTicks   = 16        // for which skim looks ahead
	mostSkimmed = 4 * batch // timers of a tick: more are looked at when they are due, in batches
)

// skim looks at timers of the next ticks, too, since a worker is awake that has found postponed ones. So connections that
// have begun to be reset do not wake up the service on each tick of their first timeout.
func (s *shard) skim() {
	scheme, ok := s.scheme.(skimmer)
	for seen, ahead := 0, schemes.Tick(1); ok && seen < batch && ahead <= skimTicks; ahead++ {
		n := scheme.Skim(ahead, mostSkimmed, s.later)
		if n < 0 {
			return
		}
		seen += n
	}
}

// lookAgainIn returns in how many ticks to look at a timer again that was postponed beyond the ticks to skim; 0 if it was not.
func (s *shard) lookAgainIn(id schemes.ID) (interval schemes.Tick) {
	due := s.service.dueOn(time.Duration(s.timers.At(uint32(id)).deadline.Load()))
	if due <= s.now+skimTicks+exactTicks {
		return 0
	}
	s.looked++
	return s.place(due) - s.now
}

// crowd counts the timers that were placed on a tick.
type crowd struct {
	at schemes.Tick
	n  int
}

const (
	exactTicks = 1 << 6 // a timer with less left is placed on its deadline
	lookShare  = 16     // the part of what is left that a tick may be earlier

	// mostTogether is how many postponed timers are placed on one tick of a shard before their deadlines: to look at as many
	// takes 0.3 to 1 ms, for which the others that are due wait.
	mostTogether = 4096

	// crowdBits is the logarithm of how many ticks a shard counts the timers of: of each power of two, some 16 are in use.
	crowdBits, crowdTries = 8, 4
)

// place returns the tick on which to look again at a timer that was postponed: its deadline or, before the last
// ticks, a multiple of a power of two of ticks. Timers that are postponed again share these ticks, so the service
// does not wake up for each idle connection. One that is not comes up a few times more: each time, no more than a
// sixteenth of what was left is left. Where a tick has mostTogether timers, a smaller power of two does.
func (s *shard) place(due schemes.Tick) schemes.Tick {
	left := due - s.now
	if left < exactTicks {
		return due
	}
	for share := schemes.Tick(1) << (bits.Len64(uint64(left/lookShare)) - 1); share > 1; share /= 2 {
		if at := due &^ (share - 1); s.joinsCrowd(at) {
			return at
		}
	}
	return due
}

// joinsCrowd counts one more timer on a tick. It reports false if there are too many, or the tick cannot be counted.
func (s *shard) joinsCrowd(at schemes.Tick) bool {
	const factor = 0x9e3779b97f4a7c15 // 2^64 / the golden ratio
	if s.crowds == nil {
		s.crowds = make([]crowd, 1<<crowdBits)
	}
	var passed *crowd
	for i := range uint64(crowdTries) {
		switch c := &s.crowds[(uint64(at)*factor>>(64-crowdBits)+i)%(1<<crowdBits)]; {
		case c.at == at:
			c.n++
			return c.n <= mostTogether
		case c.at <= s.now:
			passed = c
		}
	}
	if passed != nil {
		*passed = crowd{at, 1}
	}
	return passed != nil
}

// push makes a timer ready.
func (s *shard) push(t *Timer, due time.Duration) {
	if len(s.ready) == cap(s.ready) && s.live < len(s.ready)/2 {
		s.compact()
	}
	s.ready = append(s.ready, readyTimer{t, due})
	t.handle = schemes.Handle(len(s.ready))
	s.live++
}

// compact removes from ready what is not live.
func (s *shard) compact() {
	live := s.ready[:0]
	for _, r := range s.ready[s.first:] {
		if r.timer != nil {
			live = append(live, r)
			r.timer.handle = schemes.Handle(len(live))
		}
	}
	clear(s.ready[len(live):])
	s.ready, s.first = live, 0
}

func (s *shard) isReady(t *Timer) bool {
	i := t.handle - 1
	return i < schemes.Handle(len(s.ready)) && s.ready[i].timer == t
}

// unready removes a timer from ready.
func (s *shard) unready(t *Timer) {
	s.ready[t.handle-1].timer = nil
	if s.live--; s.live > 0 {
		return
	}
	s.ready, s.first = s.ready[:0], 0
	if cap(s.ready) > keptReady {
		s.ready = nil
	}
}

// begin takes the first of the timers that are ready and returns its action.
func (s *shard) begin(now time.Duration) (action func()) {
	for s.ready[s.first].timer == nil {
		s.first++
	}
	r := s.ready[s.first]
	s.unready(r.timer)
	r.timer.handle = 0
	s.pending--
	s.shrink()
	s.running++
	s.begun++
	s.recordLateness(now - r.due)
	s.hire()
	s.settle()
	return r.timer.action
}
