package tree

import (
	"timerlab/schemes"
	"timerlab/schemes/internal/bintree"
	"timerlab/schemes/internal/store"
)

// leftist is a leftist heap. A timer's node has its record's number.
type leftist struct {
	*store.Store
	nodes bintree.Leftist
	root  uint32 // the earliest timer
}

func newLeftist(m *store.Store, cfg schemes.Config) queue {
	l := &leftist{Store: m, nodes: bintree.NewLeftist(cfg.Capacity, cfg.Heap)}
	m.Others = append(m.Others, &l.nodes)
	return l
}

// first returns the entry on top.
func (l *leftist) first() entry { return entry{l.nodes.At(l.root).Deadline, l.root} }

// push merges the heap with one of a single timer. O(log n).
func (l *leftist) push(e entry) {
	root, compares := l.nodes.Push(l.root, e.record, e.deadline)
	l.root = root
	l.Tally.Compares += compares
}

// pop merges the two heaps below the top. O(log n).
func (l *leftist) pop() entry {
	l.remove(l.root)
	return l.first()
}

// remove merges the heaps below the timer into its place. O(log n).
func (l *leftist) remove(record uint32) {
	root, compares := l.nodes.Remove(l.root, record)
	l.root = root
	l.Tally.Compares += compares
}

// move takes the timer out and puts it in again. O(log n).
func (l *leftist) move(e entry) {
	l.remove(e.record)
	l.push(e)
}

func (l *leftist) check(limit int, accept func(entry) error) (int, error) {
	return l.nodes.Check(l.root, limit, func(i uint32, deadline uint64) error { return accept(entry{deadline, i}) })
}

func (l *leftist) top() uint32 { return l.root }

func (l *leftist) below(records []uint32, record uint32) []uint32 {
	return children(&l.nodes.Nodes, records, record)
}
