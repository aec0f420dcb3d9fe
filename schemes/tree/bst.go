package tree

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/internal/bintree"
	"timerlab/schemes/internal/store"
)

// bst is an unbalanced binary search tree. Invariant: the timers on a timer's
// left are due before it; those on its right, later or on the same tick, in which
// case they were started later. A timer's node has its record's number.
type bst struct {
	*store.Store
	nodes    bintree.Nodes
	root     uint32
	leftmost uint32 // the earliest timer, of equal ones the first started
}

func newBST(m *store.Store, cfg schemes.Config) queue {
	b := &bst{Store: m, nodes: bintree.NewNodes(cfg.Capacity, cfg.Heap)}
	m.Others = append(m.Others, &b.nodes)
	return b
}

// first returns the leftmost timer.
func (b *bst) first() entry { return entry{b.nodes.At(b.leftmost).Deadline, b.leftmost} }

// push goes down from the top to a link that leads nowhere, and hangs the timer
// there. It compares with every timer that it passes: O(depth), which is n if
// every deadline is later than those already there.
func (b *bst) push(e entry) {
	b.nodes.Add(e.record, e.deadline)
	link, parent, compares := &b.root, bintree.None, uint64(0)
	for *link != bintree.None {
		parent = *link
		n := b.nodes.At(parent)
		if compares++; e.deadline < n.Deadline {
			link = &n.Left
		} else {
			link = &n.Right
		}
	}
	*link, b.nodes.At(e.record).Parent = e.record, parent
	b.Tally.Compares += compares
	if parent == bintree.None || e.deadline < b.first().deadline {
		b.leftmost = e.record
	}
}

// pop takes the leftmost timer out and looks for the next one. O(1) over many.
func (b *bst) pop() entry {
	b.remove(b.leftmost)
	return b.first()
}

// remove takes a timer out. One without a timer on both sides gives its place to
// what is below it, in O(1); any other to its successor. The nodes are linked
// again, not their contents moved, since a handle always names the same record.
func (b *bst) remove(record uint32) {
	n := b.nodes.At(record)
	if record == b.leftmost {
		next, passed := b.successor(record)
		b.leftmost = next
		b.Tally.Compares += passed
	}
	switch {
	case n.Left == bintree.None:
		b.root = b.nodes.Replace(b.root, record, n.Right)
	case n.Right == bintree.None:
		b.root = b.nodes.Replace(b.root, record, n.Left)
	default:
		b.replaceBySuccessor(record, n)
	}
}

// move takes the timer out and puts it in again. O(depth).
func (b *bst) move(e entry) {
	b.remove(e.record)
	b.push(e)
}

// replaceBySuccessor takes out a node n that has both children. Its successor,
// the leftmost on its right, has no left child, so that it leaves its place
// easily and is free to take both of n's. O(depth).
func (b *bst) replaceBySuccessor(record uint32, n *bintree.Node) {
	next, passed := b.leftmostOf(n.Right)
	b.Tally.Compares += passed
	s := b.nodes.At(next)
	if next != n.Right {
		b.nodes.Replace(b.root, next, s.Right)
		s.Right, b.nodes.At(n.Right).Parent = n.Right, next
	}
	b.root = b.nodes.Replace(b.root, record, next)
	s.Left, b.nodes.At(n.Left).Parent = n.Left, next
}

// successor returns the node after node i in the order of deadlines, and how many
// nodes below i it passed on the way, that one included. Over a whole walk, from
// first to last, O(1) each.
func (b *bst) successor(i uint32) (next uint32, passed uint64) {
	n := b.nodes.At(i)
	if n.Right != bintree.None {
		return b.leftmostOf(n.Right)
	}
	parent := n.Parent
	for parent != bintree.None && b.nodes.At(parent).Right == i {
		i, parent = parent, b.nodes.At(parent).Parent
	}
	return parent, 0
}

// leftmostOf returns the earliest timer of the tree at node i, and the number of nodes
// down to it, both ends included.
func (b *bst) leftmostOf(i uint32) (first uint32, passed uint64) {
	for left := i; left != bintree.None; left = b.nodes.At(left).Left {
		first = left
		passed++
	}
	return first, passed
}

func (b *bst) check(limit int, accept func(entry) error) (int, error) {
	count, err := b.nodes.Walk(b.root, limit, func(i uint32, n *bintree.Node) error {
		return accept(entry{n.Deadline, i})
	})
	if err != nil {
		return 0, err
	}
	if first, _ := b.leftmostOf(b.root); first != b.leftmost {
		return 0, fmt.Errorf("leftmost: record %d (should be %d)", b.leftmost, first)
	}
	return count, b.checkOrder()
}

// checkOrder follows the timers from the earliest to the latest. One that has a left
// child directly follows a timer on its left, so it must be later.
func (b *bst) checkOrder() error {
	last := uint64(0)
	for i := b.leftmost; i != bintree.None; i, _ = b.successor(i) {
		n := b.nodes.At(i)
		if n.Deadline < last || n.Deadline == last && n.Left != bintree.None {
			return fmt.Errorf("order: record %d expires at %d, but one on its left at %d", i, n.Deadline, last)
		}
		last = n.Deadline
	}
	return nil
}

func (b *bst) top() uint32 { return b.root }

func (b *bst) below(records []uint32, record uint32) []uint32 {
	return children(&b.nodes, records, record)
}

// children appends the records below a node, if it has any, from the left.
func children(nodes *bintree.Nodes, records []uint32, record uint32) []uint32 {
	n := nodes.At(record)
	return append(records, n.Left, n.Right)
}
