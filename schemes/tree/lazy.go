package tree

import (
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// Lazy describes scheme 3 as a 4-ary heap whose Stop only marks the timer.
var Lazy = func() schemes.Info {
	v := describe("tree-lazy", "Tree: 4-ary heap, lazy stops", heapOf(2), heapBytes(2), false)
	eager, bytes := v.New, v.Bytes
	v.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := eager(withStopped(cfg))
		if err != nil {
			return nil, err
		}
		l := &lazy{tree: s.(*tree)}
		l.heap.heap = l.queue.(*heap)
		l.queue = &l.heap
		return l, nil
	}
	v.Bytes = func(n int, cfg schemes.Config) int64 { return bytes(n, withStopped(cfg)) }
	return v
}()

// stoppedShare says how many timers may be stopped: one of this many entries. Go's runtime has the same bound.
const stoppedShare = 4

// withStopped returns cfg with room for the stopped timers too, while cfg.Capacity timers wait.
func withStopped(cfg schemes.Config) schemes.Config {
	if cfg.Capacity > 0 && cfg.Capacity < math.MaxInt/2 { // New refuses others
		cfg.Capacity += cfg.Capacity / (stoppedShare - 1)
	}
	return cfg
}

// lazy is the module of scheme 3 with lazy stops.
type lazy struct {
	*tree
	heap lazyHeap // the tree's queue
}

// lazyHeap is a heap that holds stopped timers too. Invariant: as many of its entries have no timer any more as
// stopped says, at most a quarter of all, and the one on top has one.
type lazyHeap struct {
	*heap
	stopped int // timers stopped and not yet discarded
}

// Stop marks the timer if it waits. Its record and its entry stay until it surfaces, or until more than a quarter of
// the entries are marked. A due timer is unlinked. O(1) on average; a Stop that sweeps takes O(n).
func (l *lazy) Stop(h schemes.Handle) bool {
	r := l.Find(h)
	if r == nil || r.Key == 0 {
		return l.Store.Stop(h)
	}
	r.Link = store.NoTimer
	l.heap.stopped++
	l.first = l.heap.first()
	return true
}

// first returns the earliest timer. It discards stopped ones: those that have surfaced, O(log n) each, and all of them,
// O(n), if they are too many.
func (h *lazyHeap) first() entry {
	if stoppedShare*h.stopped > h.entries.Len()-h.root {
		h.sweep()
	}
	e := h.heap.first()
	for ; e.deadline != noTimer && h.At(e.record).Link == store.NoTimer; e = h.heap.pop() {
		h.Free(e.record, h.At(e.record))
		h.stopped--
	}
	return e
}

// sweep discards the stopped timers, each of which the last one replaces, and makes the array a heap again from the
// bottom up.
func (h *lazyHeap) sweep() {
	for at := h.entries.Len() - 1; at >= h.root; at-- {
		i := h.entries.At(at).record
		if r := h.At(i); r.Link == store.NoTimer {
			h.Free(i, r)
			if last := h.entries.Pop(); at < h.entries.Len() {
				h.put(at, last)
			}
		}
	}
	for at := h.parent(h.entries.Len() - 1); at >= h.root; at-- {
		e := *h.entries.At(at)
		h.put(h.down(at, e), e)
	}
	h.stopped = 0
}

func (h *lazyHeap) pop() entry {
	h.heap.pop()
	return h.first()
}

// Len returns the number of outstanding timers, without the stopped ones. O(1).
func (l *lazy) Len() int { return l.Held() - l.heap.stopped }

// Held returns the number of records in use, also of stopped timers. O(1).
func (l *lazy) Held() int { return l.tree.Len() }

// check verifies the heap and the marks; accept judges the timers that are not stopped.
func (h *lazyHeap) check(accept func(entry) error) (int, error) {
	found := 0
	n, err := h.heap.check(func(e entry) error {
		if r, _ := h.Live(e.record); r != nil && r.Link == store.NoTimer {
			found++
			return nil
		}
		return accept(e)
	})
	if err == nil && (found != h.stopped || stoppedShare*found > n) {
		err = fmt.Errorf("%d of %d timers are marked as stopped, the count says %d", found, n, h.stopped)
	}
	return n, err
}

// String draws the tree, with the stopped timers in it.
func (l *lazy) String() string { return l.draw(l.Len(), "id(deadline, x: stopped)") }
