package peers

import (
	"container/heap"

	"github.com/google/btree"

	"timerlab/schemes"
)

// entry is a waiting timer in a queue.
type entry struct {
	deadline uint64
	handle   schemes.Handle
}

// GoogleBTree is google/btree, the generic form, with the deadline and the handle as the key. Its
// documentation names no degree; its benchmarks and most programs use 32.
var GoogleBTree = queuePeer("googlebtree", "google/btree", func(int) queue[entry] {
	return googleBTree{btree.NewG(32, func(a, b entry) bool {
		return a.deadline < b.deadline || a.deadline == b.deadline && a.handle < b.handle
	})}
})

type googleBTree struct{ tree *btree.BTreeG[entry] }

func (g googleBTree) insert(e entry) entry    { g.tree.ReplaceOrInsert(e); return e }
func (g googleBTree) remove(e entry)          { g.tree.Delete(e) }
func (g googleBTree) move(old, e entry) entry { g.tree.Delete(old); return g.insert(e) }
func (g googleBTree) least() (entry, bool)    { return g.tree.Min() }
func (g googleBTree) popLeast()               { g.tree.DeleteMin() }

// ContainerHeap is the heap that most Go programs use: the example of container/heap's documentation, a slice of
// pointers to items that hold their index, with a deadline as the priority. A stop is heap.Remove, a restart heap.Fix.
var ContainerHeap = queuePeer("containerheap", "container/heap of pointers", func(capacity int) queue[*item] {
	q := make(items, 0, capacity)
	return &q
})

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

// queuePeer returns a peer over a priority queue. O(log n) per start, stop and expiry; a
// tick without an expiry does not access the queue.
func queuePeer[T any](name, title string, open func(capacity int) queue[T]) *Peer {
	return virtualPeer(name, title, func(cfg schemes.Config) (schemes.Scheme, error) {
		q, now, first := open(max(0, cfg.Capacity)), uint64(cfg.Now), uint64(endOfClock) // no entry is before the first
		entryOf := func(interval schemes.Tick, h schemes.Handle) entry {
			e := entry{now + uint64(interval), h}
			first = min(first, e.deadline)
			return e
		}
		return newWrapper(name, cfg, endOfClock, func(expired func(schemes.Handle)) (l library[T], err error) {
			l.start = func(interval schemes.Tick, h schemes.Handle) T { return q.insert(entryOf(interval, h)) }
			l.stop = func(timer T) bool { q.remove(timer); return true }
			l.move = func(timer T, interval schemes.Tick, h schemes.Handle) T {
				return q.move(timer, entryOf(interval, h))
			}
			l.pass = func() { now++ }
			l.report = func() {
				if first > now {
					return
				}
				e, ok := q.least()
				for ; ok && e.deadline <= now; e, ok = q.least() {
					q.popLeast()
					expired(e.handle)
				}
				first = endOfClock
				if ok {
					first = e.deadline
				}
			}
			return l, nil
		})
	})
}
