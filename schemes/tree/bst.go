package tree

import (
	"cmp"
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/internal/array"
	"timerlab/schemes/internal/store"
)

// none is the number of no node: an empty tree, a missing child, the parent of the top.
const none uint32 = 0

// node is a timer's place in the tree, 24 bytes. Nodes name each other by number, so the garbage
// collector has nothing to scan.
type node struct {
	deadline            uint64
	left, right, parent uint32
}

// bst is an unbalanced binary search tree. Invariant: the timers on a timer's
// left are due before it; the timers on its right, later or on the same tick, in which
// case they were started later. A timer's node has its record's number. The tree may be as deep
// as it has nodes, so nothing here is recursive.
type bst struct {
	*store.Store
	nodes    array.Vector[node] // node 0 is no timer's
	root     uint32
	leftmost uint32 // the earliest timer, of equal ones the first started
}

func newBST(m *store.Store, cfg schemes.Config) queue {
	b := &bst{Store: m, nodes: array.NewVector[node](cfg.Capacity+1, cfg.Heap)}
	b.nodes.Push(node{})
	m.Arrays = append(m.Arrays, &b.nodes)
	return b
}

func (b *bst) at(i uint32) *node { return b.nodes.At(int(i)) }

func (b *bst) first() entry { return entry{b.at(b.leftmost).deadline, b.leftmost} }

// push goes down from the top to a link that leads nowhere, and hangs the timer
// there. It compares with every timer that it passes: O(depth), which is n if
// every deadline is later than all that are there.
func (b *bst) push(e entry) {
	for b.nodes.Len() <= int(e.record) {
		b.nodes.Push(node{})
	}
	*b.at(e.record) = node{deadline: e.deadline}
	link, parent, compares := &b.root, none, uint64(0)
	for *link != none {
		parent = *link
		n := b.at(parent)
		if compares++; e.deadline < n.deadline {
			link = &n.left
		} else {
			link = &n.right
		}
	}
	*link, b.at(e.record).parent = e.record, parent
	b.Tally.Compares += compares
	if parent == none || e.deadline < b.first().deadline {
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
	n := b.at(record)
	if record == b.leftmost {
		next, passed := b.successor(record)
		b.leftmost = next
		b.Tally.Compares += passed
	}
	switch {
	case n.left == none:
		b.replace(record, n.right)
	case n.right == none:
		b.replace(record, n.left)
	default:
		b.replaceBySuccessor(record, n)
	}
}

func (b *bst) move(e entry) {
	b.remove(e.record)
	b.push(e)
}

// replaceBySuccessor takes out a node n that has both children. Its successor,
// the leftmost on its right, has no left child, so that it leaves its place
// easily and is free to take both of n's. O(depth).
func (b *bst) replaceBySuccessor(record uint32, n *node) {
	next, passed := b.leftmostOf(n.right)
	b.Tally.Compares += passed
	s := b.at(next)
	if next != n.right {
		b.replace(next, s.right)
		s.right, b.at(n.right).parent = n.right, next
	}
	b.replace(record, next)
	s.left, b.at(n.left).parent = n.left, next
}

// replace puts by, the top of a tree or none, where node i is. The links below i stay as they
// are. O(1).
func (b *bst) replace(i, by uint32) {
	parent := b.at(i).parent
	if by != none {
		b.at(by).parent = parent
	}
	switch p := b.at(parent); {
	case parent == none:
		b.root = by
	case p.left == i:
		p.left = by
	default:
		p.right = by
	}
}

// successor returns the node after node i in the order of deadlines, and how many
// nodes below i it passed on the way, that one included. Over a whole walk, from
// first to last, O(1) each.
func (b *bst) successor(i uint32) (next uint32, passed uint64) {
	n := b.at(i)
	if n.right != none {
		return b.leftmostOf(n.right)
	}
	parent := n.parent
	for parent != none && b.at(parent).right == i {
		i, parent = parent, b.at(parent).parent
	}
	return parent, 0
}

// leftmostOf returns the earliest timer of the tree at node i, and the number of nodes
// down to it, both ends included.
func (b *bst) leftmostOf(i uint32) (first uint32, passed uint64) {
	for left := i; left != none; left = b.at(left).left {
		first = left
		passed++
	}
	return first, passed
}

// check goes through the timers in the order of their deadlines.
func (b *bst) check(accept func(entry) error) (count int, err error) {
	if err := b.leadsTo(b.root, none); err != nil {
		return 0, err
	}
	first, last := none, uint64(0)
	var above []uint32 // nodes whose left side is being checked
	for i := b.root; i != none || len(above) > 0; {
		if i != none {
			n := b.at(i)
			if n.left == n.right && n.left != none {
				return 0, fmt.Errorf("tree: node %d is on both sides of %d", n.left, i)
			}
			if err := cmp.Or(b.leadsTo(n.left, i), b.leadsTo(n.right, i)); err != nil {
				return 0, err
			}
			above, i = append(above, i), n.left
			continue
		}
		i, above = above[len(above)-1], above[:len(above)-1]
		n := b.at(i)
		// One that has a left child directly follows a timer on its left, so it must be later.
		if n.deadline < last || n.deadline == last && n.left != none {
			return 0, fmt.Errorf("order: record %d expires at %d, but one on its left at %d", i, n.deadline, last)
		}
		if err := accept(entry{n.deadline, i}); err != nil {
			return 0, err
		}
		if count++; count == 1 {
			first = i
		}
		last, i = n.deadline, n.right
	}
	if first != b.leftmost {
		return 0, fmt.Errorf("leftmost: record %d (should be %d)", b.leftmost, first)
	}
	return count, nil
}

// leadsTo verifies that node i, if it is one, exists and has this parent. A node has one parent, so
// check reaches no node from two sides.
func (b *bst) leadsTo(i, parent uint32) error {
	switch {
	case i == none:
		return nil
	case int(i) >= b.nodes.Len():
		return fmt.Errorf("tree: link to node %d, which does not exist", i)
	case b.at(i).parent != parent:
		return fmt.Errorf("tree: node %d does not lead back to %d", i, parent)
	}
	return nil
}

func (b *bst) top() uint32 { return b.root }

// below appends the children; a missing left one is store.Due, the same number as none.
func (b *bst) below(records []uint32, record uint32) []uint32 {
	n := b.at(record)
	switch {
	case n.right != none:
		return append(records, n.left, n.right)
	case n.left != none:
		return append(records, n.left)
	}
	return records
}
