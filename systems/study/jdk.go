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
	return open(&model{mortal: true, wheel: wheel{tick: clockTick, lazy: true}}, &tree.Info, schemes.Config{}, 1, o)
}

// ScheduledExecutor starts a ScheduledThreadPoolExecutor (as of OpenJDK 21): a binary heap under one lock, tasks of
// equal times in the order of their starts, and a pool of workers of which one, the leader, waits for the first task.
// With removeOnCancel, a cancelled task leaves the heap at once, in O(log n); otherwise it stays until its deadline.
// For fewer than one worker it returns an error wrapping schemes.ErrConfig.
func ScheduledExecutor(workers int, removeOnCancel bool, o systems.Options) (systems.Service, error) {
	if workers < 1 {
		return nil, fmt.Errorf("%w: %d workers (must be above 0)", schemes.ErrConfig, workers)
	}
	w := wheel{tick: clockTick, lazy: !removeOnCancel}
	return open(&model{wheel: w}, &tree.Info, schemes.Config{}, workers, o)
}

// clockTick makes a heap's ticks as long as the clock's.
const clockTick = time.Nanosecond
