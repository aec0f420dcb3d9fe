package peers

import (
	"container/heap"
	"fmt"

	googlebtree "github.com/google/btree"
	tidwallbtree "github.com/tidwall/btree"

	"timerlab/schemes"
)

// GoogleBTree is google/btree, the generic form. Its documentation names no
// degree; its benchmarks and most programs use 32.
var GoogleBTree = virtualPeer(Peer{
	Info:     schemes.Info{Name: "googlebtree", Title: "google/btree"},
	Source:   "github.com/google/btree@v1.1.3",
	Settings: "BTreeG of degree 32, keys of deadline and slot",
}, func(name string, cfg schemes.Config) (schemes.Scheme, error) {
	return newQueued(name, cfg, googleBTree{googlebtree.NewG(32, entry.before)})
})

type googleBTree struct{ tree *googlebtree.BTreeG[entry] }

func (g googleBTree) insert(e entry) entry { g.tree.ReplaceOrInsert(e); return e }
func (g googleBTree) remove(e entry)       { g.tree.Delete(e) }
func (g googleBTree) least() (entry, bool) { return g.tree.Min() }
func (g googleBTree) popLeast()            { g.tree.DeleteMin() }

// TidwallBTree is tidwall/btree, the generic form without its lock, since a scheme
// is not safe for concurrent use either.
var TidwallBTree = virtualPeer(Peer{
	Info:     schemes.Info{Name: "tidwallbtree", Title: "tidwall/btree"},
	Source:   "github.com/tidwall/btree@v1.8.2",
	Settings: "BTreeG with NoLocks and the default degree of 32, keys of deadline and slot",
}, func(name string, cfg schemes.Config) (schemes.Scheme, error) {
	tree := tidwallbtree.NewBTreeGOptions(entry.before, tidwallbtree.Options{NoLocks: true})
	return newQueued(name, cfg, tidwallBTree{tree})
})

type tidwallBTree struct{ tree *tidwallbtree.BTreeG[entry] }

func (t tidwallBTree) insert(e entry) entry { t.tree.Set(e); return e }
func (t tidwallBTree) remove(e entry)       { t.tree.Delete(e) }
func (t tidwallBTree) least() (entry, bool) { return t.tree.Min() }
func (t tidwallBTree) popLeast()            { t.tree.PopMin() }

// ContainerHeap is the heap that most Go programs use: the example of
// container/heap's documentation with a deadline as the priority.
var ContainerHeap = virtualPeer(Peer{
	Info:     schemes.Info{Name: "containerheap", Title: "container/heap of pointers"},
	Source:   "std container/heap",
	Settings: "a slice of pointers to items that hold their index; a stop is heap.Remove, a restart heap.Fix",
}, newContainerHeap)

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

func (q *items) remove(it *item) { heap.Remove(q, it.index) }
func (q *items) popLeast()       { heap.Pop(q) }

func (q items) least() (entry, bool) {
	if len(q) == 0 {
		return entry{}, false
	}
	return q[0].entry, true
}

// containerHeap has a Restart of its own.
type containerHeap struct {
	*queued[*item]
	items *items
}

func newContainerHeap(name string, cfg schemes.Config) (schemes.Scheme, error) {
	q := make(items, 0, max(0, cfg.Capacity))
	s, err := newQueued(name, cfg, &q)
	return &containerHeap{s, &q}, err
}

// Restart gives a waiting item another deadline; a due one is pushed again.
func (c *containerHeap) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	old, ok := c.find(h)
	if !ok {
		return 0, fmt.Errorf("%s: restart of %#x: %w", c.name, uint64(h), schemes.ErrHandle)
	}
	i, fresh, err := c.add(interval, endOfClock, c.records[old].id)
	if err != nil {
		return 0, err
	}
	e := entry{c.now + uint64(interval), i}
	it, waits, _ := c.stop(h)
	if waits {
		it.entry = e
		heap.Fix(c.items, it.index)
	} else {
		it = c.items.insert(e)
	}
	c.first = min(c.first, e.deadline)
	c.keep(i, it)
	return fresh, nil
}

// queue is a third party's priority queue. T is what names an entry of it.
type queue[T any] interface {
	insert(entry) T
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

func newQueued[T any](name string, cfg schemes.Config, q queue[T]) (*queued[T], error) {
	t, err := newTable[T](name, cfg)
	return &queued[T]{t, q, endOfClock}, err
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
