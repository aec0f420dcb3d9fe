package peers

import (
	"container/heap"
	"fmt"

	"github.com/google/btree"

	"timerlab/schemes"
)

// GoogleBTree is google/btree, the generic form, with the deadline and the record as the key. Its
// documentation names no degree; its benchmarks and most programs use 32.
var GoogleBTree = virtualPeer("googlebtree", "google/btree", func(name string, cfg schemes.Config) (schemes.Scheme, error) {
	return newQueued(name, cfg, googleBTree{btree.NewG(32, entry.before)})
})

type googleBTree struct{ tree *btree.BTreeG[entry] }

func (g googleBTree) insert(e entry) entry    { g.tree.ReplaceOrInsert(e); return e }
func (g googleBTree) remove(e entry)          { g.tree.Delete(e) }
func (g googleBTree) move(old, e entry) entry { g.tree.Delete(old); return g.insert(e) }
func (g googleBTree) least() (entry, bool)    { return g.tree.Min() }
func (g googleBTree) popLeast()               { g.tree.DeleteMin() }

// ContainerHeap is the heap that most Go programs use: the example of container/heap's
// documentation, a slice of pointers to items that hold their index, with a deadline as the
// priority. A stop is heap.Remove, a restart heap.Fix.
var ContainerHeap = virtualPeer("containerheap", "container/heap of pointers",
	func(name string, cfg schemes.Config) (schemes.Scheme, error) {
		q := make(items, 0, max(0, cfg.Capacity))
		return newQueued(name, cfg, &q)
	})

// item is a timer in the heap.
type item struct {
	entry
	index int // in the heap
}

// items implements heap.Interface.
type items []*item

func (q items) Len() int           { return len(q) }
func (q items) Less(i, j int) bool { return q[i].deadline < q[j].deadline }

func (q items) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *items) Push(x any) {
	it := x.(*item)
	it.index = len(*q)
	*q = append(*q, it)
}

func (q *items) Pop() any {
	n := len(*q) - 1
	it := (*q)[n]
	(*q)[n] = nil
	*q = (*q)[:n]
	return it
}

func (q *items) insert(e entry) *item {
	it := &item{entry: e}
	heap.Push(q, it)
	return it
}

func (q *items) move(it *item, e entry) *item {
	it.entry = e
	heap.Fix(q, it.index)
	return it
}

func (q *items) remove(it *item) { heap.Remove(q, it.index) }
func (q *items) popLeast()       { heap.Pop(q) }

func (q items) least() (entry, bool) {
	if len(q) == 0 {
		return entry{}, false
	}
	return q[0].entry, true
}

// queue is a third party's priority queue. T is what names an entry of it.
type queue[T any] interface {
	insert(entry) T
	move(T, entry) T // to another deadline
	remove(T)
	least() (entry, bool)
	popLeast()
}

// queued is a scheme over a priority queue. O(log n) per start, stop and expiry; a
// tick without an expiry does not access the queue.
type queued[T any] struct {
	table[T]
	queue queue[T]
	first uint64 // no entry is before it
}

func newQueued[T any](name string, cfg schemes.Config, q queue[T]) (schemes.Scheme, error) {
	t, err := newTable[T](name, cfg)
	if err != nil {
		return nil, err
	}
	return &queued[T]{t, q, endOfClock}, nil
}

// Start inserts an entry.
func (q *queued[T]) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	i, h, err := q.add(interval, endOfClock, id)
	if err != nil {
		return 0, err
	}
	e := entry{q.now + uint64(interval), i}
	q.first = min(q.first, e.deadline)
	q.keep(i, q.queue.insert(e))
	return h, nil
}

// Stop removes the entry.
func (q *queued[T]) Stop(h schemes.Handle) bool {
	timer, waits, ok := q.stop(h)
	if waits {
		q.queue.remove(timer)
	}
	return ok
}

// Restart gives a waiting timer's entry another deadline; a due timer is inserted again.
func (q *queued[T]) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	old, ok := q.find(h)
	if !ok {
		return 0, fmt.Errorf("%s: restart of %#x: %w", q.name, uint64(h), schemes.ErrHandle)
	}
	i, fresh, err := q.add(interval, endOfClock, q.records[old].id)
	if err != nil {
		return 0, err
	}
	e := entry{q.now + uint64(interval), i}
	timer, waits, _ := q.stop(h)
	if waits {
		timer = q.queue.move(timer, e)
	} else {
		timer = q.queue.insert(e)
	}
	q.first = min(q.first, e.deadline)
	q.keep(i, timer)
	return fresh, nil
}

// PerTick removes the first entry while it is due.
func (q *queued[T]) PerTick() int {
	if q.now == endOfClock {
		return 0
	}
	if q.now++; q.first > q.now {
		return 0
	}
	before := len(q.due)
	e, ok := q.queue.least()
	for ; ok && e.deadline <= q.now; e, ok = q.queue.least() {
		q.queue.popLeast()
		q.expired(e.record)
	}
	q.first = endOfClock
	if ok {
		q.first = e.deadline
	}
	return len(q.due) - before
}
