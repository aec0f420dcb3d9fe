package engine

import (
	"errors"
	"fmt"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
)

// Timer is one of an engine, for who started it: the engine knows the action by the scheme's
// ID, not the timer, and whether that still waits the scheme knows by its handle. It
// implements systems.Timer.
type Timer struct {
	engine *Engine
	action func()
	handle schemes.Handle // the engine's lock guards it
}

// NewTimer returns a timer that does not wait yet. No action is an error wrapping
// systems.ErrAction.
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
	if !e.lazy {
		interval := e.interval(deadline)
		switch h, err := e.scheme.Restart(t.handle, interval); {
		case err == nil:
			t.handle = h
			e.hurry(e.now + interval)
			return true
		case !errors.Is(err, schemes.ErrHandle):
			return true // it waits as before
		}
	}
	waited := e.stop(t)
	_ = e.start(t, deadline) // there is no way to tell that storage is full
	return waited
}
