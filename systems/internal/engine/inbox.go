package engine

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
)

// inbox is the queue of a service whose clients do not touch the scheme: a stack that the worker
// takes as a whole. A timer is in it at most once, however often it is stopped and reset.
type inbox struct {
	service *Service
	top     atomic.Pointer[queued]
	pending atomic.Int64 // timers, those stopped and not yet taken from the queue included
	opened  sync.Once    // sets the alarm
	closing sync.RWMutex // orders each start, Stop and Reset before or after Close

	// The worker's.
	backlog []*queued    // taken, but not moved into the scheme
	tick    schemes.Tick // the last that has ended
	moved   int          // on this tick, timers
}

// queued implements systems.Timer. Its embedded Timer is the worker's.
type queued struct {
	Timer
	next   *queued // in the inbox
	action func()

	mu       sync.Mutex
	deadline time.Duration
	pending  bool
	inQueue  bool
	counted  bool // in inbox.pending
}

func (b *inbox) afterFunc(d time.Duration, action func()) (systems.Timer, error) {
	q := &queued{action: action}
	q.shard, q.Timer.action = b.service.shards[0], q.run
	if _, err := q.TryReset(d); err != nil {
		return nil, fmt.Errorf("AfterFunc(%v): %w", d, err)
	}
	return q, nil
}

// Stop implements systems.Timer.
func (q *queued) Stop() bool {
	pending, _ := q.set(false, 0)
	return pending
}

// Reset implements systems.Timer.
func (q *queued) Reset(d time.Duration) bool {
	pending, _ := q.TryReset(d)
	return pending
}

// TryReset implements systems.Resetter.
func (q *queued) TryReset(d time.Duration) (pending bool, err error) {
	s := q.shard
	s.service.inbox.opened.Do(s.step)
	if pending, err = q.set(true, d); err == nil && d <= 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.behind = true
		s.hire()
	}
	return pending, err
}

// set queues a timer to be started or stopped. It reports whether it was pending.
func (q *queued) set(pending bool, d time.Duration) (was bool, err error) {
	v := q.shard.service
	b, most := v.inbox, int64(v.design.MaxPending)
	b.closing.RLock()
	defer b.closing.RUnlock()
	q.mu.Lock()
	defer q.mu.Unlock()
	switch was = q.pending; {
	case v.closed.Load():
		return false, systems.ErrClosed
	case !pending && !was:
		return false, nil
	case pending && !q.counted:
		if n := b.pending.Add(1); most > 0 && n > most {
			b.pending.Add(-1)
			return was, fmt.Errorf("%w: %d (at most %d)", systems.ErrPending, n, most)
		}
		q.counted = true
	}
	q.pending, q.deadline = pending, after(v.clock(), d)
	b.push(q)
	return was, nil
}

// push puts a timer into the queue, unless it is in it.
func (b *inbox) push(q *queued) {
	if q.inQueue {
		return
	}
	q.inQueue = true
	for {
		q.next = b.top.Load()
		if b.top.CompareAndSwap(q.next, q) {
			return
		}
	}
}

// take moves the queue to the backlog, the oldest timer first.
func (b *inbox) take() {
	first := len(b.backlog)
	for q := b.top.Swap(nil); q != nil; {
		b.backlog = append(b.backlog, q)
		q, q.next = q.next, nil
	}
	slices.Reverse(b.backlog[first:])
}

// deliver stops what was stopped, and moves timers into the scheme, up to MostMoved on a tick.
// Those left wait for another one.
func (b *inbox) deliver(now time.Duration, tick schemes.Tick) {
	if b.tick != tick {
		b.tick, b.moved = tick, 0
	}
	b.take()
	left := b.backlog[:0]
	for _, q := range b.backlog {
		if b.moved == b.service.design.MostMoved || !q.settle(now) {
			left = append(left, q)
		} else if q.handle != 0 {
			b.moved++
		}
	}
	clear(b.backlog[len(left):])
	if b.backlog = left; len(left) == 0 && cap(left) > keptReady {
		b.backlog = nil
	}
}

// settle lets the scheme have the timer as its client has set it. It returns false if the scheme
// is full.
func (q *queued) settle(now time.Duration) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shard.stop(&q.Timer)
	if q.pending && q.shard.start(&q.Timer, now, q.deadline-now) != nil {
		return false
	}
	q.inQueue = false
	if !q.pending {
		q.uncount()
	}
	return true
}

func (q *queued) uncount() {
	if q.counted {
		q.counted = false
		q.shard.service.inbox.pending.Add(-1)
	}
}

// run is the action of the embedded Timer. That may have been stopped or reset meanwhile.
func (q *queued) run() {
	q.mu.Lock()
	begins := q.pending && q.deadline <= q.shard.service.clock()
	if begins {
		q.pending = false
		q.uncount()
	}
	q.mu.Unlock()
	if begins {
		q.action()
	}
}

// drop drops the timers in the queue. It returns how many are pending that the scheme does not
// have, less those stopped that it still has.
func (b *inbox) drop() (n int) {
	b.take()
	for _, q := range b.backlog {
		q.mu.Lock()
		switch {
		case q.pending && q.handle == 0:
			n++
		case !q.pending && q.handle != 0:
			n--
		}
		q.pending = false
		q.mu.Unlock()
	}
	b.backlog = nil
	b.pending.Store(0)
	return n
}
