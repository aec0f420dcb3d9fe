// Package jdk has the two timers of the JDK (as of OpenJDK 21). Both are a binary heap under
// one lock. In java.util.Timer one thread runs all actions, so a slow one delays all others.
// ScheduledThreadPoolExecutor has a pool of workers of which one, the leader, waits for the
// earliest timer. Both leave cancelled timers in the heap until their deadline; the executor
// can be configured to remove them at once.
//
// The JDK's clocks count ms and ns; here a tick is 1 µs. An action runs at most a tick late,
// plus the delay of scheduling and, with one worker, of earlier actions. java.util.Timer
// follows the wall clock and its steps; here both follow the monotonic clock. Periodic tasks,
// purge, futures, pools that grow and shrink, and the end of the timer when an action throws
// are left out.
package jdk

import (
	"fmt"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/tree"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Tick is the unit of both facilities' clocks.
const Tick = time.Microsecond

// Timer is java.util.Timer. It implements systems.Facility.
type Timer struct{ *engine.Facility }

// NewTimer starts a facility with one worker. If handler is nil, a panic of an action ends the
// program; otherwise handler is called with its value.
func NewTimer(handler func(value any)) (Timer, error) {
	f, err := open(engine.Mode{Lazy: true}, handler)
	return Timer{f}, err
}

// Executor is ScheduledThreadPoolExecutor. It implements systems.Facility.
type Executor struct{ *engine.Facility }

// MostWorkers is the largest number of workers of an Executor.
const MostWorkers = 1 << 15

// NewExecutor starts a facility with 1 to MostWorkers workers; for any other number it returns
// an error wrapping schemes.ErrConfig. With removeOnStop, a stopped timer leaves the heap at
// once, in O(log n); otherwise it stays until its deadline. The handler is that of NewTimer.
func NewExecutor(workers int, removeOnStop bool, handler func(value any)) (Executor, error) {
	if workers < 1 || workers > MostWorkers {
		return Executor{}, fmt.Errorf("%w: %d workers (must be 1 to %d)", schemes.ErrConfig, workers, MostWorkers)
	}
	f, err := open(engine.Mode{Workers: workers, Lazy: !removeOnStop}, handler)
	return Executor{f}, err
}

func open(m engine.Mode, handler func(any)) (*engine.Facility, error) {
	return engine.Open(&tree.Info, schemes.Config{}, systems.Options{Tick: Tick, Panic: handler}, m)
}
