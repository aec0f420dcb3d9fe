// Package systems defines timer services: what surrounds a timer scheme on a real clock, such
// as a worker, a lock or a queue in front of the scheme, and an executor for the actions. Each
// package below this one is a service with the design of a known library, or one of our own,
// on the schemes of timerlab/schemes. Each replaces time.AfterFunc.
package systems

import (
	"errors"
	"time"
)

// Facility is a timer service; the name is the paper's. It is safe for concurrent use, also
// by actions.
//
// An action never runs early by the monotonic clock. Each package documents how late it may
// run in addition to scheduling delay. Of every start and every Reset exactly one of three
// things happens: the action runs, a Stop or Reset returns true, or Close drops it.
type Facility interface {
	// AfterFunc runs f after the duration d, as time.AfterFunc does; at once if d is 0 or
	// negative. After Close it returns an error wrapping ErrClosed.
	AfterFunc(d time.Duration, f func()) (Timer, error)

	// Close stops the workers, drops all timers whose actions have not begun, waits for the
	// actions that have, and returns the number of timers dropped. A second Close returns 0.
	// It must not be called by an action.
	Close() (unexpired int)
}

// Timer is a timer started by AfterFunc.
type Timer interface {
	// Stop reports whether it prevented the action from running, as time.Timer.Stop does. It
	// returns false if the action has run or is about to, and if the timer was stopped or
	// dropped before.
	Stop() bool

	// Reset lets the action run after the duration d from now, as time.Timer.Reset does, also
	// if it has run or was stopped before, and reports whether the timer was pending. After
	// Close it does nothing and returns false.
	Reset(d time.Duration) bool
}

// Options configure a facility with one worker.
type Options struct {
	Tick time.Duration // 0 selects the facility's default

	// Execute runs an action now or later, in any order, like a go statement; it must not
	// drop the action. If it is nil, the worker runs actions itself, and a slow one delays
	// all others.
	Execute func(action func())

	// Panic is called with the value of a panicking action. If it is nil, the panic ends the
	// program, as one in an action of time.AfterFunc does.
	Panic func(value any)
}

// Waker is implemented by facilities that count how often their workers woke up, because a
// tick ended, a timer was due, or an earlier timer was started.
type Waker interface{ Wakeups() uint64 }

// ErrClosed is wrapped by the errors of a closed facility.
var ErrClosed = errors.New("facility is closed")

// ErrAction is wrapped by the error of AfterFunc if the action is nil.
var ErrAction = errors.New("nil action")
