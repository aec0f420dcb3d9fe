package peers

import (
	"container/heap"
	"fmt"

	"timerlab/schemes"
)

// ContainerHeap is the heap that most Go programs use: the example of
// container/heap's documentation with a deadline as the priority.
var ContainerHeap = virtualPeer(Peer{
	Info:     schemes.Info{Name: "containerheap", Title: "container/heap of pointers"},
	Source:   "std container/heap",
	Settings: "a slice of pointers to items that know their index; a stop is heap.Remove, a restart heap.Fix",
}, newContainerHeap)

// item is a timer in the heap.
type item struct {
	deadline uint64
	index    int // in the heap
	slot     uint32
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

// containerHeap keeps the timers that are not due in items.
type containerHeap struct {
	table[*item]
	items items
}

func newContainerHeap(cfg schemes.Config) (schemes.Scheme, error) {
	t, err := newTable[*item]("containerheap", cfg)
	if err != nil {
		return nil, err
	}
	return &containerHeap{t, make(items, 0, cfg.Capacity)}, nil
}

// Start pushes an item.
func (c *containerHeap) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	h, s, err := c.add(interval, endOfClock, id)
	if err != nil {
		return 0, err
	}
	s.peer = &item{deadline: c.now + uint64(interval), slot: uint32(h)}
	heap.Push(&c.items, s.peer)
	return h, nil
}

// Stop removes the item.
func (c *containerHeap) Stop(h schemes.Handle) bool {
	it, waits, ok := c.stop(h)
	if waits {
		heap.Remove(&c.items, it.index)
	}
	return ok
}

// PerTick pops the items that are due.
func (c *containerHeap) PerTick() int {
	if c.now == endOfClock {
		return 0
	}
	c.now++
	before := len(c.due)
	for len(c.items) > 0 && c.items[0].deadline <= c.now {
		it := heap.Pop(&c.items).(*item)
		c.expired(c.handle(it.slot), &c.slots[it.slot])
	}
	return len(c.due) - before
}

// Restart gives a waiting item another deadline; a due one is pushed again.
func (c *containerHeap) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	s := c.find(h)
	if s == nil {
		return 0, fmt.Errorf("containerheap: restart of %#x: %w", uint64(h), schemes.ErrHandle)
	}
	fresh, to, err := c.add(interval, endOfClock, s.id)
	if err != nil {
		return 0, err
	}
	it, waits, _ := c.stop(h)
	it.deadline, it.slot = c.now+uint64(interval), uint32(fresh)
	to.peer = it
	if waits {
		heap.Fix(&c.items, it.index)
	} else {
		heap.Push(&c.items, it)
	}
	return fresh, nil
}
