// Package systems has what surrounds a timer scheme in practice, on a real clock: a
// worker, a lock or a queue between it and those who start timers, somebody to run the
// actions, lazy or eager stops, and empty ticks or none. Each package below this one is the
// facility of a known library, or what such a facility can be, on the schemes of
// timerlab/schemes, and stands in for time.AfterFunc.
package systems

import (
	"errors"
	"time"
)

// Facility starts timers. It is safe for concurrent use, also from inside actions.
//
// An action never runs early by the monotonic clock; each package says how late it may be
// beyond what the processor's scheduling adds. Of every start and every Reset exactly one
// of three happens: the action runs, a Stop or Reset returns true, or Close drops it.
type Facility interface {
	// AfterFunc runs f once d has passed, as time.AfterFunc does, at once if d is 0 or
	// less. It returns an error wrapping ErrClosed after Close.
	AfterFunc(d time.Duration, f func()) (Timer, error)

	// Close ends the facility: it stops the worker, drops the timers that have not begun
	// to run their actions, waits for the actions that have, and returns how many it
	// dropped. A second Close returns 0. It must not be called from inside an action.
	Close() (unexpired int)
}

// Timer is one that was started.
type Timer interface {
	// Stop reports whether it keeps the action from running, as time.Timer.Stop does: it
	// is false if the action has run, is about to, or was stopped or dropped before.
	Stop() bool

	// Reset lets the action run once d has passed from now, as time.Timer.Reset does, also
	// if it has run or was stopped before, and reports whether the timer was waiting.
	// After Close it does nothing and returns false.
	Reset(d time.Duration) bool
}

// Options are what a facility with one worker can be told.
type Options struct {
	Tick time.Duration // 0: the facility's default

	// Execute runs an action, now or later, in order or not, as Go's go statement would;
	// it must not drop it. nil: the worker runs it, and a slow action delays all others.
	Execute func(action func())

	// Panic is given what an action panics with. nil: a panic ends the program, as one in
	// an action of time.AfterFunc does.
	Panic func(value any)
}

// Waker is a facility that can tell how often its workers have been woken, by a tick or a
// timer that is due, or by somebody who started an earlier one.
type Waker interface{ Wakeups() uint64 }

// ErrClosed is wrapped by the errors of a facility that has been closed.
var ErrClosed = errors.New("facility is closed")

// ErrAction is wrapped by the error of AfterFunc without an action.
var ErrAction = errors.New("no action")
