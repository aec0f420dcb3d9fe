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
