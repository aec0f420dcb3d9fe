package engine

import (
	"errors"
	"fmt"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
)

// Timer implements systems.Timer. It is the client's: the engine refers to the action by the
// scheme's ID and stores no Timer, and only the scheme records whether the handle is still
// pending.
type Timer struct {
	engine *Engine
	action func()
	handle schemes.Handle // guarded by the engine's lock
}

// NewTimer returns a timer that is not started yet. If the action is nil, it returns an error
// wrapping systems.ErrAction.
func NewTimer(action func()) (*Timer, error) {
	if action == nil {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrAction)
	}
	return &Timer{action: action}, nil
}

// Stop implements systems.Timer.
func (t *Timer) Stop() bool {
	e := t.engine
	e.lock()
	defer e.unlock(Stopping)
	return !e.closed && e.stop(t)
}

// Reset implements systems.Timer.
func (t *Timer) Reset(d time.Duration) bool {
	e := t.engine
	deadline := Deadline(e.began, d)
	e.lock()
	defer e.unlock(Resetting)
	if e.closed {
		return false
	}
	if !e.mode.Lazy {
		interval := Interval(deadline, e.tick, e.now)
		switch h, err := e.scheme.Restart(t.handle, interval); {
		case err == nil:
			t.handle = h
			e.wakeIfEarlier(e.now + interval)
			return true
		case !errors.Is(err, schemes.ErrHandle):
			return true // the timer keeps its deadline
		}
	}
	pending := e.stop(t)
	_ = e.start(t, deadline) // Reset cannot return that storage is full
	return pending
}
