package study

import (
	"container/heap"
	"fmt"
	"math"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
)

// JavaTimer starts java.util.Timer (as of OpenJDK 21): a binary heap under one lock, whose one thread
// runs all tasks. Cancelled tasks stay in the heap until their deadline. A task that throws ends the
// timer: what waits is lost, and a start is an error.
//
// Difference: tasks of equal times run in the order of their starts, which java.util.Timer leaves open.
func JavaTimer(o systems.Options) (systems.Service, error) {
	return open(&model{queue: &binaryHeap{lazy: true}, mortal: true}, 1, o), nil
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
	return open(&model{queue: &binaryHeap{lazy: !removeOnCancel}}, workers, o), nil
}

// MostWorkers is the largest number of workers of a ScheduledExecutor.
const MostWorkers = 1 << 16

// binaryHeap is a queue in the order of deadlines, then of starts. It has no ticks.
type binaryHeap struct {
	tasks  []*task
	starts uint64
	lazy   bool // cancelled tasks stay
}

func (h *binaryHeap) add(t *task, _ time.Duration) (first bool, err error) {
	h.starts++
	t.number = h.starts
	heap.Push(h, t)
	return t.index == 0, nil
}

func (h *binaryHeap) cancel(t *task) {
	if !h.lazy {
		heap.Remove(h, t.index)
	}
}

func (h *binaryHeap) take(now time.Duration) *task {
	if h.next() > now {
		return nil
	}
	return heap.Pop(h).(*task)
}

func (h *binaryHeap) next() time.Duration {
	if len(h.tasks) == 0 {
		return math.MaxInt64
	}
	return h.tasks[0].deadline
}

// The methods of heap.Interface.

func (h *binaryHeap) Len() int { return len(h.tasks) }

func (h *binaryHeap) Less(i, j int) bool {
	a, b := h.tasks[i], h.tasks[j]
	return a.deadline < b.deadline || a.deadline == b.deadline && a.number < b.number
}

func (h *binaryHeap) Swap(i, j int) {
	h.tasks[i], h.tasks[j] = h.tasks[j], h.tasks[i]
	h.tasks[i].index, h.tasks[j].index = i, j
}

func (h *binaryHeap) Push(t any) {
	t.(*task).index = len(h.tasks)
	h.tasks = append(h.tasks, t.(*task))
}

func (h *binaryHeap) Pop() any {
	last := len(h.tasks) - 1
	t := h.tasks[last]
	h.tasks[last] = nil
	h.tasks = h.tasks[:last]
	return t
}
