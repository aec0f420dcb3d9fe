package study

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// model is a wheel of tasks under a lock, and workers that wait for the first one. One of them, the
// leader, is woken up by the alarm; when it has taken a task, it lets another one lead.
type model struct {
	panics func(any)
	mortal bool // a panic ends the service
	began  time.Time
	ending engine.Ending
	alive  sync.WaitGroup // workers

	mu sync.Mutex // of what follows, of tasks and of timers
	wheel
	idle             sync.Cond // workers that wait
	alarm            *time.Timer
	pending, running int // tasks
	wakeups          uint64
	closed           bool
}

// task is one start of a timer.
type task struct {
	action   func()
	deadline time.Duration  // since the model began
	ended    bool           // it was cancelled, or has begun
	start    uint64         // its number
	handle   schemes.Handle // in the scheme
}

// open starts a model on a scheme, with some workers.
func open(m *model, info *schemes.Info, cfg schemes.Config, workers int, o systems.Options) (systems.Service, error) {
	if m.tick <= 0 {
		return nil, fmt.Errorf("%w: Tick %v (must be above 0)", schemes.ErrConfig, m.tick)
	}
	s, err := info.New(cfg)
	if err != nil {
		return nil, err
	}
	m.scheme, m.panics, m.began = s.(scheme), o.Panic, time.Now()
	m.idle.L = &m.mu
	m.alarm = time.AfterFunc(math.MaxInt64, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.idle.Signal()
	})
	for range workers {
		m.alive.Go(m.work)
	}
	return m, nil
}

func (m *model) since() time.Duration { return time.Since(m.began) }

// work runs tasks until the model is closed. If a task calls runtime.Goexit, another worker takes over.
func (m *model) work() {
	m.mu.Lock()
	defer func() {
		defer m.mu.Unlock()
		if !m.closed {
			m.alive.Go(m.work)
		}
	}()
	for !m.closed {
		t := m.take(m.since())
		switch {
		case t == nil: // until the next task may be due, or an earlier one was started
			m.alarm.Reset(m.next() - m.since())
			m.idle.Wait()
			m.wakeups++
		case !t.ended:
			t.ended = true
			m.pending--
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

// cancel reports whether it prevented a task from running.
func (m *model) cancel(t *task) bool {
	if m.closed || t == nil || t.ended {
		return false
	}
	t.ended = true
	m.pending--
	m.wheel.cancel(t)
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
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.alarm.Stop()
	m.idle.Broadcast()
	unexpired, m.pending = m.pending, 0
	return unexpired
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
	return systems.Stats{Pending: m.pending, Running: m.running, Wakeups: m.wakeups}
}

// timer implements systems.Timer.
type timer struct {
	model  *model
	action func()
	task   *task // nil before the first start
}

// Stop implements systems.Timer.
func (t *timer) Stop() bool {
	t.model.mu.Lock()
	defer t.model.mu.Unlock()
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
	now := m.since()
	engine.CheckClock(now)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false, systems.ErrClosed
	}
	pending = m.cancel(t.task)
	next := &task{action: t.action, deadline: now + min(max(d, 0), math.MaxInt64-now)}
	first, err := m.add(next, now)
	if err != nil {
		return pending, err
	}
	t.task = next
	m.pending++
	if first {
		m.idle.Signal()
	}
	return pending, nil
}
