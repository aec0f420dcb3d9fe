package netty

import (
	"slices"
	"sync/atomic"
	"time"

	"timerlab/schemes"
)

// entry is one start of a timer: each Reset makes a new one.
type entry struct {
	deadline time.Duration // since began
	action   func()
	state    atomic.Int32
	starting node           // in the queue of starts
	stopping node           // in the queue of stops
	handle   schemes.Handle // 0 if not in the wheel; the worker's
	id       uint32         // the worker's
}

// States of an entry.
const (
	waiting = iota
	stopped
	begun
	dropped
)

// become reports whether it changed the state from waiting to another one. Each entry does so
// once.
func (e *entry) become(state int32) bool { return e.state.CompareAndSwap(waiting, state) }

// queue has many producers and one consumer: a stack that the consumer takes as a whole.
type queue struct{ top atomic.Pointer[node] }

type node struct {
	next  *node
	entry *entry
}

func (q *queue) push(n *node) {
	for {
		n.next = q.top.Load()
		if q.top.CompareAndSwap(n.next, n) {
			return
		}
	}
}

// take empties the queue and appends its entries to into, the oldest first.
func (q *queue) take(into []*entry) []*entry {
	first := len(into)
	for n := q.top.Swap(nil); n != nil; {
		into = append(into, n.entry)
		n, n.next = n.next, nil // so that a pending entry does not retain all that were queued before it
	}
	slices.Reverse(into[first:])
	return into
}
