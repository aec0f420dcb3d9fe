// Package systems defines timer services: what surrounds a timer scheme on a real clock, such as a lock in front of the
// scheme, and workers for the actions. Packages sharded, locked and std are services to use; package bench measures them
// all, and package load what the timers of one workload cost.
//
// Each service replaces time.AfterFunc. There is no replacement for time.NewTimer: an action that sends on a channel
// of the caller's is one line. There is none for context.WithTimeout: one around a service takes 2.6 times the memory
// and twice the time, since only package context can cancel a context's children without a goroutine for each.
//
// All services read the monotonic clock, which stands still while the machine is suspended. All work
// with the fake clock of testing/synctest if they are opened in the bubble. If a service was opened
// outside, for instance in a variable of a package, AfterFunc and Reset panic in the bubble.
package systems

import (
	"context"
	"errors"
	"time"
)

// Service is a timer service. It is safe for concurrent use, also by actions.
//
// An action never runs early by the monotonic clock. Each package documents how late it may run in addition to
// scheduling delay. Of every start and every Reset exactly one of these happens: the action runs, a Stop or a later
// Reset stops it, Close drops it, or the start or Reset fails with an error.
type Service interface {
	// AfterFunc runs f after the duration d, as time.AfterFunc does; at once if d is 0 or negative. After Close it
	// returns an error wrapping ErrClosed, and for a nil f one wrapping ErrAction. If the scheme has no room, or d is
	// beyond its range, it returns an error wrapping schemes.ErrFull or schemes.ErrInterval.
	AfterFunc(d time.Duration, f func()) (Timer, error)

	// Close is CloseContext with a context that is never done.
	Close() (unexpired int, err error)

	// CloseContext drops all timers whose actions have not begun and returns their number; a second call returns 0.
	// No action begins after the call. It waits for the actions that have begun, and for all goroutines of the
	// service. It returns an error wrapping ErrRunning, which says how many actions and calls of Execute have not
	// returned, if ctx is done before, or at once if an action or an Execute of any service calls it: none can wait
	// for itself.
	CloseContext(ctx context.Context) (unexpired int, err error)

	// Stats returns what the service holds, and how late actions began since the last call.
	Stats() Stats
}

// Timer is a timer started by AfterFunc. A *time.Timer is one, too.
type Timer interface {
	// Stop reports whether it prevented the action from running, as time.Timer.Stop does: it can until the action
	// begins. It returns false if the action has begun, and if the timer was stopped or dropped before.
	Stop() bool

	// Reset lets the action run after the duration d from now, as time.Timer.Reset does, also if it has run or was
	// stopped before, and reports whether the timer was pending. After Close it does nothing and returns false. If
	// the timer cannot be started again, it is stopped, and Reset returns false; TryReset returns the error.
	Reset(d time.Duration) bool
}

// Resetter is implemented by the timers of all services.
type Resetter interface {
	// TryReset is Reset with the errors of AfterFunc. With any error the timer is not pending
	// afterwards; pending reports whether it was before.
	TryReset(d time.Duration) (pending bool, err error)
}

// Options configure a service.
type Options struct {
	Tick time.Duration // 0 selects the service's default

	// Execute runs an action now or later, in any order, like a go statement; it must not drop the action. Each call
	// runs the action that has waited longest, so one that comes late delays one action, not always its own. If
	// Execute is nil, the service's workers run actions; each package documents how far a slow action delays others.
	Execute func(action func())

	// Panic is called with the value of a panicking action. If it is nil, the panic ends the
	// program, as one in an action of time.AfterFunc does.
	Panic func(value any)
}

// Stats describe a service. A service returns zero for what it does not know.
type Stats struct {
	Pending int // timers started, whose actions have not begun
	Due     int // of Pending, timers whose time has come; some stopped or reset since may be included
	Running int // actions

	// Since New: timers started that were not pending, stops that returned true, actions that have begun, and looks at
	// timers that a Reset had postponed.
	Started, Stopped, Expired, Looked uint64

	Bytes   int64 // memory of the service and its Timers, an estimate
	OffHeap int64 // of Bytes, what is outside Go's heap

	// Wakeups counts since New how often a goroutine began to look for due timers.
	Wakeups uint64

	// How late actions began since the last call of Stats, at most: what rounding to ticks adds
	// counts as a whole tick. Within 10 %.
	LateP50, LateP99, LateMax time.Duration
}

var (
	ErrClosed  = errors.New("service is closed") // wrapped by errors of a closed service
	ErrAction  = errors.New("nil action")        // AfterFunc: the action is nil
	ErrRunning = errors.New("actions still run") // CloseContext: actions or calls of Execute
)
