package study

import (
	"fmt"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/tree"
	"timerlab/systems"
)

// JavaTimer starts java.util.Timer (as of OpenJDK 21): a binary heap under one lock, whose one thread
// runs all tasks. Cancelled tasks stay in the heap until their deadline. A task that throws ends the
// timer: what waits is lost, and a start is an error.
//
// Difference: tasks of equal times run in the order of their starts, which java.util.Timer leaves open.
func JavaTimer(o systems.Options) (systems.Service, error) {
	return executor(&model{mortal: true}, 1, true, o)
}

// ScheduledExecutor starts a ScheduledThreadPoolExecutor (as of OpenJDK 21): a binary heap under one
// lock, tasks of equal times in the order of their starts, and a pool of workers of which one, the
// leader, waits for the first task. With removeOnCancel, a cancelled task leaves the heap at once, in
// O(log n); otherwise it stays until its deadline. For fewer than one worker or more than MostWorkers it
// returns an error wrapping schemes.ErrConfig.
func ScheduledExecutor(workers int, removeOnCancel bool, o systems.Options) (systems.Service, error) {
	if workers < 1 || workers > MostWorkers {
		return nil, fmt.Errorf("%w: %d workers (must be 1 to %d)", schemes.ErrConfig, workers, MostWorkers)
	}
	return executor(&model{}, workers, !removeOnCancel, o)
}

// MostWorkers is the largest number of workers of a ScheduledExecutor.
const MostWorkers = 1 << 16

// executor starts a model on a heap, whose ticks are as long as the clock's.
func executor(m *model, workers int, lazy bool, o systems.Options) (systems.Service, error) {
	w, err := newWheel(&tree.Info, schemes.Config{}, time.Nanosecond)
	if err != nil {
		return nil, err
	}
	w.lazy, m.wheel = lazy, w
	return open(m, workers, o), nil
}
