package study

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// model is a queue of tasks under a lock, and workers that wait for the first one. One of them, the
// leader, is woken up by the alarm; when it has taken a task, it lets another one lead.
type model struct {
	queue   queue
	clients sync.Locker // under which they use the queue
	panics  func(any)
	mortal  bool // a panic ends the service
	began   time.Time
	pending atomic.Int64 // tasks
	ending  engine.Ending
	alive   sync.WaitGroup // workers

	mu      sync.Mutex // under which the workers use the queue
	idle    sync.Cond  // workers that wait
	alarm   *time.Timer
	running int // tasks
	wakeups uint64
	closed  bool // set under both locks
}

// queue has the tasks that are waiting.
type queue interface {
	add(t *task, now time.Duration) (first bool, err error)
	cancel(t *task)
	take(now time.Duration) *task // one that is due, or nil
	next() time.Duration          // when take must be called again; math.MaxInt64 if never
}

// task is one start of a timer.
type task struct {
	action   func()
	deadline time.Duration // since the model began
	state    atomic.Int32
	start    uint64         // its number
	handle   schemes.Handle // in the scheme
}

// States of a task.
const (
	waiting int32 = iota
	cancelled
	begun
)

// open starts a model whose clients use the queue under its one lock, unless they have another one.
func open(m *model, workers int, o systems.Options) systems.Service {
	m.panics, m.began = o.Panic, time.Now()
	m.idle.L = &m.mu
	if m.clients == nil {
		m.clients = &m.mu
	}
	m.alarm = time.AfterFunc(math.MaxInt64, m.ring)
	for range workers {
		m.alive.Add(1)
		go m.work()
	}
	return m
}

func (m *model) now() time.Duration { return time.Since(m.began) }

// ring is the alarm's function.
func (m *model) ring() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.idle.Signal()
}

// work runs tasks until the model is closed. If a task calls runtime.Goexit, another worker takes over.
func (m *model) work() {
	m.mu.Lock()
	defer func() {
		defer m.mu.Unlock()
		if m.closed {
			m.alive.Done()
		} else {
			go m.work()
		}
	}()
	for !m.closed {
		t := m.queue.take(m.now())
		switch {
		case t == nil:
			m.wait()
		case t.state.CompareAndSwap(waiting, begun):
			m.pending.Add(-1)
			m.idle.Signal()
			m.run(t.action)
		}
	}
}

// run runs an action without the lock.
func (m *model) run(action func()) {
	m.running++
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		m.running--
	}()
	engine.Run(action, func(value any) {
		if m.panics != nil {
			m.panics(value)
		}
		if m.mortal {
			m.drop()
		}
	})
}

// wait waits until the next task may be due, or an earlier one was started.
func (m *model) wait() {
	m.alarm.Reset(m.queue.next() - m.now())
	m.idle.Wait()
	m.wakeups++
}

// cancel reports whether it prevented a task from running, under the clients' lock.
func (m *model) cancel(t *task) bool {
	if m.closed || t == nil || !t.state.CompareAndSwap(waiting, cancelled) {
		return false
	}
	m.pending.Add(-1)
	m.queue.cancel(t)
	return true
}

// AfterFunc implements systems.Service.
func (m *model) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if action == nil {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrAction)
	}
	t := &timer{model: m, action: action}
	if _, err := t.TryReset(d); err != nil {
		return nil, fmt.Errorf("AfterFunc(%v): %w", d, err)
	}
	return t, nil
}

// drop drops all tasks that have not begun, and returns their number.
func (m *model) drop() (unexpired int) {
	m.mu.Lock() // before the clients' lock, as take does
	defer m.mu.Unlock()
	if m.clients != &m.mu {
		m.clients.Lock()
		defer m.clients.Unlock()
	}
	m.closed = true
	m.alarm.Stop()
	m.idle.Broadcast()
	return int(m.pending.Swap(0))
}

// Close implements systems.Service.
func (m *model) Close() (unexpired int, err error) { return m.CloseContext(context.Background()) }

// CloseContext implements systems.Service.
func (m *model) CloseContext(ctx context.Context) (unexpired int, err error) {
	unexpired = m.drop()
	return unexpired, m.ending.Wait(ctx, func() int { return m.Stats().Running }, m.alive.Wait)
}

// Stats implements systems.Service. It contains no memory and no lateness.
func (m *model) Stats() systems.Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	return systems.Stats{Pending: int(m.pending.Load()), Running: m.running, Wakeups: m.wakeups}
}

// timer implements systems.Timer. It is guarded by the clients' lock.
type timer struct {
	model  *model
	action func()
	task   *task // nil before the first start
}

// Stop implements systems.Timer.
func (t *timer) Stop() bool {
	t.model.clients.Lock()
	defer t.model.clients.Unlock()
	return t.model.cancel(t.task)
}

// Reset implements systems.Timer.
func (t *timer) Reset(d time.Duration) bool {
	pending, err := t.TryReset(d)
	return pending && err == nil
}

// TryReset implements systems.Resetter. It cancels the timer's task and starts another one.
func (t *timer) TryReset(d time.Duration) (pending bool, err error) {
	m := t.model
	now := m.now()
	m.clients.Lock()
	defer m.clients.Unlock()
	if m.closed {
		return false, systems.ErrClosed
	}
	pending = m.cancel(t.task)
	next := &task{action: t.action, deadline: now + min(max(d, 0), math.MaxInt64-now)}
	first, err := m.queue.add(next, now)
	if err != nil {
		return pending, err
	}
	t.task = next
	m.pending.Add(1)
	if first {
		m.idle.Signal()
	}
	return pending, nil
}
