package engine

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/HdrHistogram/hdrhistogram-go"

	"timerlab/schemes"
	"timerlab/systems"
)

// shard is a scheme under a lock, with the goroutines that wait for its timers and run their actions. Its tick k ends
// k ticks after the service began; a timer due on tick k is never handed out before that.
//
// It has no goroutine while nothing is due. The alarm, a timer of Go's runtime, starts one,
// which becomes a worker: it passes ticks, takes due timers, and runs their actions.
type shard struct {
	service *Service // all that a Reset without the lock reads
	closed  bool
	_       [63 - unsafe.Sizeof(uintptr(0))]byte

	// What a start or a stop writes is in three lines of the cache, and most of what they read: these come from another
	// processor, where a timer of the shard was started last.
	mu      sync.Mutex
	scheme  Scheme        // nil before the first start, and once the shard is closed
	now     schemes.Tick  // the scheme's clock
	alarmAt time.Duration // since the service began; 0: a worker is awake, and will set it
	reading

	pending int           // timers in the scheme and ready
	peak    int           // of pending, since the scheme was made
	left    int           // timers after the last peak
	taken   uint          // by lockShard, for the balance of shards
	started uint64        // timers
	timers  Table[*Timer] // in the scheme, by ID
	stopped uint64        // timers

	looked uint64                              // looks at postponed timers
	crowds []crowd                             // nil before the first of them
	next   func() (wait schemes.Tick, ok bool) // the scheme's NextEvent, or Next
	alive  sync.WaitGroup                      // goroutines, and the alarm if it is set
	alarm  *time.Timer                         // nil before it is first set
	spare  *time.Timer                         // stopped, or about to wake the shard in vain
	rowAlarms
	behind  bool // due timers may be in the scheme, or ticks to pass
	wakeups uint64
	vain    int // wake-ups since a timer was due

	crew
	late *hdrhistogram.Histogram // nil before the first action
	_    [64]byte                // against false sharing of locks
}

func (s *shard) setScheme(scheme Scheme) {
	s.scheme, s.next, s.peak = scheme, scheme.Next, s.pending
	if sleeper, ok := scheme.(schemes.Sleeper); ok {
		s.next = sleeper.NextEvent
	}
}

// open makes a scheme, for the first start or after a peak.
func (s *shard) open(now schemes.Tick) error {
	d := s.service.design
	d.Config.Now = now
	scheme, err := d.Scheme.New(d.Config)
	if err == nil {
		s.now = now
		s.setScheme(scheme.(Scheme))
	}
	return err
}

// Timer implements systems.Timer. It is 32 bytes, which its client may allocate. Its fields but the deadline and the
// shard are guarded by the shard's lock.
type Timer struct {
	shard  shardPointer // nil before Init; it changes only under its lock, while the timer is not pending
	action func()

	// deadline is when the timer is due, since the service began, while it can be postponed without the
	// lock: while it is in the scheme of a service that postpones. Else it is 0. Only a holder of the lock
	// sets it to or from 0. The timer's place in the scheme is due then or earlier.
	deadline atomic.Int64

	// The scheme's handle of the timer, or one more than its index in ready; 0 if it is not
	// pending. The scheme's may coincide with an index: ready decides.
	handle schemes.Handle
}

// shardPointer is an atomic pointer. For a Timer that no other goroutine has yet, its p is written directly: an atomic write
// takes a tenth of a start.
type shardPointer struct{ p unsafe.Pointer }

func (h *shardPointer) Load() *shard   { return (*shard)(atomic.LoadPointer(&h.p)) }
func (h *shardPointer) Store(s *shard) { atomic.StorePointer(&h.p, unsafe.Pointer(s)) }

// Init prepares a timer of the client's for v. It panics if the timer is pending, or the action is nil.
func (v *Service) Init(t *Timer, action func()) {
	if action == nil {
		panic("sharded: nil action")
	}
	if t.shard.Load() != nil {
		s := t.lock()
		defer s.mu.Unlock()
		if t.handle != 0 && !s.closed {
			panic("sharded: Init of a pending Timer")
		}
	}
	t.action, t.handle = action, 0
	t.deadline.Store(0)
	t.shard.Store(v.shards[0])
}

// mustBeInitialised panics if s is nil: then Init was not called.
func mustBeInitialised(s *shard) {
	if s == nil {
		panic("sharded: Timer not initialised (call Init)")
	}
}

// lock locks the timer's shard.
func (t *Timer) lock() *shard {
	for {
		s := t.shard.Load()
		s.mu.Lock()
		if t.shard.Load() == s {
			return s
		}
		s.mu.Unlock()
	}
}

// lockForStart locks the shard in which the timer is to start: that of the goroutine or, if the timer is pending, its own.
func (t *Timer) lockForStart(v *Service) *shard {
	near := v.lockShard()
	if t.shard.Load() == near {
		return near
	}
	near.mu.Unlock()
	s := t.lock()
	if t.handle != 0 {
		return s
	}
	t.shard.Store(near)
	s.mu.Unlock()
	return t.lock()
}

// Stop implements systems.Timer.
func (t *Timer) Stop() bool {
	if t.shard.Load() == nil {
		return false
	}
	s := t.lock()
	pending := s.stop(t)
	if pending {
		s.stopped++
	}
	s.mu.Unlock()
	return pending
}

// Start starts the timer, also if it is pending. It mostly does without a reading of the clock: see reading. Its errors are those
// of AfterFunc.
func (t *Timer) Start(d time.Duration) error {
	s := t.shard.Load()
	mustBeInitialised(s)
	_, err := t.startAt(s.service, unread, d)
	return err
}

// Reset implements systems.Timer.
func (t *Timer) Reset(d time.Duration) bool {
	pending, err := t.TryReset(d)
	return pending && err == nil
}

// TryReset implements systems.Resetter.
func (t *Timer) TryReset(d time.Duration) (pending bool, err error) {
	now := sinceEpoch()
	s := t.shard.Load()
	mustBeInitialised(s)
	now -= s.service.began
	CheckClock(now)
	if t.postpone(now, d) {
		return true, nil
	}
	return t.startAt(s.service, now, d)
}

// unread is the time given to startAt by a caller that has not read the clock.
const unread = time.Duration(-1)

// startAt starts the timer, pending or not, under the lock.
func (t *Timer) startAt(v *Service, now, d time.Duration) (pending bool, err error) {
	s := t.lockForStart(v)
	if now == unread && t.handle != 0 {
		now = v.clock()
	}
	switch {
	case now == unread:
		now, err = s.startNew(t, d)
	case now >= 0:
		pending, err = s.restart(t, now, d)
	}
	s.mu.Unlock()
	CheckClock(now)
	return pending, err
}

// postpone moves the deadline of a timer in the scheme to a later time, and reports whether it did. It takes
// no lock and leaves the timer where it is: when that place is due, the timer is started for the time that
// is left, as in Go's runtime. So a Reset of an idle connection writes its Timer alone, and the scheme does as
// much as if there were none.
func (t *Timer) postpone(now, d time.Duration) bool {
	old, v := t.deadline.Load(), t.shard.Load().service
	if old == 0 || d <= 0 || v.closed.Load() {
		return false
	}
	later := int64(after(now, d))
	return later > old && t.deadline.CompareAndSwap(old, later) // strictly later: correct recognizes a postponed timer by its changed deadline
}

// setDeadline records the deadline of a timer that was put into the scheme.
func (s *shard) setDeadline(t *Timer, now, d time.Duration) {
	if s.service.postpones {
		t.deadline.Store(int64(after(now, d)))
	}
}

// restart starts a timer, pending or not.
func (s *shard) restart(t *Timer, now, d time.Duration) (pending bool, err error) {
	if s.closed {
		return false, systems.ErrClosed
	}
	if d > 0 && t.handle != 0 && !s.isReady(t) {
		interval, due := s.interval(now, d)
		h, err := s.scheme.Restart(t.handle, interval)
		if err == nil {
			t.handle = h
			s.setDeadline(t, now, d)
			s.alarmBy(due)
			return true, nil
		}
	}
	if pending = s.stop(t); pending {
		s.started-- // it is the same start, for Stats
	}
	return pending, s.start(t, now, d)
}

// startNew starts a timer that is not pending, and returns the time from which its duration counts. If that is before 0,
// it does nothing: see CheckClock. Where only arm has read the clock, the start is undone; where arm has not, as the alarm
// was set for other starts within the last Slack, the timer runs, on the clock of outside.
func (s *shard) startNew(t *Timer, d time.Duration) (from time.Duration, err error) {
	if s.closed {
		return 0, systems.ErrClosed
	}
	if from = s.startTime(d); from < 0 {
		return from, nil
	}
	if err = s.start(t, from, d); err == nil {
		s.noteStart(t, from, d)
	}
	if s.outside {
		s.stop(t)
		s.started--
		s.outside, s.young = false, s.young[:len(s.young)-1]
		return -1, nil
	}
	return from, err
}

// start starts a timer that is not pending.
func (s *shard) start(t *Timer, now, d time.Duration) error {
	if d <= 0 {
		s.started++
		s.pending++
		s.push(t, now)
		s.hire()
		s.settle()
		return nil
	}
	if s.scheme == nil {
		if err := s.open(max(s.now, s.endedBy(max(0, now-s.service.design.Slack)))); err != nil {
			return err
		}
	}
	interval, due := s.interval(now, d)
	id := s.timers.Take(t)
	h, err := s.scheme.Start(interval, schemes.ID(id))
	if err != nil {
		s.timers.Release(id)
		return err
	}
	t.handle = h
	s.setDeadline(t, now, d)
	s.started++
	s.pending++
	s.peak = max(s.peak, s.pending)
	s.alarmBy(due)
	return nil
}

// interval returns the ticks from the scheme's clock to the one that a timer is due on, which it
// returns too. The clock stands still while no timer is due: if the timer would not be within
// the scheme's range, interval advances the clock first.
func (s *shard) interval(now, d time.Duration) (interval, due schemes.Tick) {
	v := s.service
	due = v.dueOn(after(now, d))
	if due > s.now && due-s.now > v.reach {
		s.catchUp(now)
	}
	due = max(due, s.now+1)
	return due - s.now, due
}

// stop reports whether the timer was pending. It is not afterwards.
func (s *shard) stop(t *Timer) bool {
	if t.handle == 0 || s.closed {
		return false
	}
	if s.isReady(t) {
		s.unready(t)
	} else {
		id, _ := s.scheme.ID(t.handle)
		s.scheme.Stop(t.handle)
		s.timers.Release(uint32(id))
		if s.service.postpones {
			t.deadline.Store(0)
		}
	}
	t.handle = 0
	s.pending--
	s.shrink()
	return true
}

// drop drops all pending timers and returns their number.
func (s *shard) drop() (unexpired int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	unexpired = s.pending
	s.arm(math.MaxInt64)
	if r, ok := s.scheme.(schemes.Releaser); ok {
		r.Release()
	}
	s.closed, s.scheme, s.next, s.timers, s.pending = true, nil, nil, Table[*Timer]{}, 0
	s.ready, s.live, s.due, s.young, s.crowds = nil, 0, 0, nil, nil
	return unexpired
}
