package systems

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ChanTimer is a timer with a channel, as time.NewTimer returns one. Nothing is sent on C after
// the service is closed.
type ChanTimer struct {
	C <-chan time.Time // receives the time when the timer expires

	timer    Timer
	mu       sync.Mutex
	c        chan time.Time // with room for one
	pending  bool
	deadline time.Time
}

// NewTimer starts a timer of a service that sends the time on its channel. It returns the errors
// of AfterFunc.
func NewTimer(f Facility, d time.Duration) (*ChanTimer, error) {
	c := make(chan time.Time, 1)
	t := &ChanTimer{C: c, c: c, pending: true, deadline: time.Now().Add(d)}
	t.mu.Lock()
	defer t.mu.Unlock()
	var err error
	t.timer, err = f.AfterFunc(d, t.expire)
	return t, err
}

// expire sends the time, unless the timer was stopped or reset after expire had begun.
func (t *ChanTimer) expire() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := time.Now(); t.pending && !now.Before(t.deadline) {
		t.pending = false
		t.c <- now
	}
}

// Stop reports whether it prevented the time from being received. Nothing is received afterwards.
// A first Stop after the service was closed returns true also if the close had dropped the timer.
func (t *ChanTimer) Stop() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stop()
}

func (t *ChanTimer) stop() bool {
	was := t.pending
	t.pending = false
	t.timer.Stop()
	select {
	case <-t.c:
		return true
	default:
		return was
	}
}

// Reset is Stop and a start; of the earlier start nothing is received afterwards. After the
// service was closed it returns false.
func (t *ChanTimer) Reset(d time.Duration) bool {
	pending, _ := t.TryReset(d)
	return pending
}

// TryReset implements Resetter.
func (t *ChanTimer) TryReset(d time.Duration) (pending bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	pending = t.stop()
	t.deadline = time.Now().Add(d)
	_, err = t.timer.(Resetter).TryReset(d)
	t.pending = err == nil
	return pending && !errors.Is(err, ErrClosed), err
}

// timeout is a context with a deadline that cancels the embedded one with a cause. The context
// package would let contexts that derive from it report that cancellation, and not the timeout,
// if both had the same channel; so Done is that of another child.
type timeout struct {
	context.Context
	done     context.Context
	deadline time.Time
}

// WithTimeout is context.WithTimeout with a timer of a service. As there, calling cancel releases
// the timer; if the parent is cancelled, the timer is kept until cancel is called or its time has
// come. If the service refuses the timer, the context is cancelled with that cause. If the service
// is closed later, the context has no timeout any more: the parent or cancel must end it.
func WithTimeout(parent context.Context, f Facility, d time.Duration) (context.Context, context.CancelFunc) {
	child, cancelCause := context.WithCancelCause(parent)
	done, cancel := context.WithCancel(child)
	c := &timeout{child, done, time.Now().Add(d)}
	if d <= 0 {
		cancelCause(context.DeadlineExceeded)
		return c, cancel
	}
	t, err := f.AfterFunc(d, func() { cancelCause(context.DeadlineExceeded) })
	if err != nil {
		cancelCause(err)
		return c, cancel
	}
	return c, func() {
		t.Stop()
		cancelCause(nil)
		cancel()
	}
}

// Deadline implements context.Context.
func (c *timeout) Deadline() (deadline time.Time, ok bool) {
	if at, ok := c.Context.Deadline(); ok && at.Before(c.deadline) {
		return at, true
	}
	return c.deadline, true
}

// Done implements context.Context.
func (c *timeout) Done() <-chan struct{} { return c.done.Done() }

// Err implements context.Context.
func (c *timeout) Err() error {
	if c.done.Err() == nil {
		return nil // Done is not closed yet, even if the embedded context is cancelled
	}
	if err := c.Context.Err(); err == nil || context.Cause(c.Context) != context.DeadlineExceeded {
		return err
	}
	return context.DeadlineExceeded
}

// AfterFunc lets contexts that derive from this one be cancelled without a goroutine of their own.
func (c *timeout) AfterFunc(f func()) (stop func() bool) { return context.AfterFunc(c.done, f) }
