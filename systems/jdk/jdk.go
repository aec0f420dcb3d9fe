// Package jdk has the timers of the JDK (as of OpenJDK 21): java.util.Timer, a binary heap
// under one lock whose one thread runs the actions, so that a slow one delays all others,
// and ScheduledThreadPoolExecutor, the same heap with a pool of workers of which one leads,
// waiting for the earliest. Both leave cancelled timers in the heap until they would have
// been due; the executor can be told to remove them.
//
// The JDK counts in ms and in ns; here a tick is 1 µs, which is how late an action may be
// beyond scheduling and, with one worker, the actions before it. java.util.Timer follows the
// wall clock and its steps; here both follow the monotonic one. Left out: periodic tasks,
// purge, futures, growing and shrinking pools, and threads that outlive their actions'
// panics by ending the timer.
package jdk

import (
	"fmt"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/tree"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Tick is what the heap's clock counts.
const Tick = time.Microsecond

// Timer is java.util.Timer. It implements systems.Facility.
type Timer struct{ *engine.Single }

// NewTimer starts a facility with one worker. Panics of actions go to the handler; without
// one they end the program.
func NewTimer(handler func(any)) (Timer, error) {
	f, err := engine.Make(&tree.Info, schemes.Config{}, systems.Options{Tick: Tick, Panic: handler}, engine.Mode{Lazy: true})
	return Timer{f}, err
}

// Executor is ScheduledThreadPoolExecutor. It implements systems.Facility.
type Executor struct{ *engine.Pool }

// MostWorkers bounds those of an Executor.
const MostWorkers = 1 << 15

// NewExecutor starts a facility with so many workers, 1 to MostWorkers: else an error
// wrapping schemes.ErrConfig. With removeOnStop a stopped timer leaves the heap, in
// O(log n); without, it stays until it would have been due.
func NewExecutor(workers int, removeOnStop bool, handler func(any)) (Executor, error) {
	if workers < 1 || workers > MostWorkers {
		return Executor{}, fmt.Errorf("%w: %d workers, allowed 1 to %d", schemes.ErrConfig, workers, MostWorkers)
	}
	s, err := tree.Info.New(schemes.Config{})
	if err != nil {
		return Executor{}, err
	}
	return Executor{engine.NewPool(engine.New(s.(engine.Scheme), time.Now(), Tick, !removeOnStop), workers, handler)}, nil
}
