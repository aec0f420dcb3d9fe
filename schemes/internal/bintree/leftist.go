package bintree

import "fmt"

// Leftist are nodes that form leftist heaps. No node expires before the one
// above it, and the shortest way down to a missing child always leads along the
// right: a node's null-path length, the nodes on that way with itself, is at
// least as large on its left as on its right. So the way along the right of a
// heap of n nodes has at most log2(n+1), and a merge, which follows only the
// right, takes O(log n), however long the ways along the left are.
//
// Parent links, which merging alone could do without, let a node be taken out
// wherever it is.
type Leftist struct{ Nodes }

// NewLeftist returns nodes with room for the numbers up to capacity.
func NewLeftist(capacity int, inHeap bool) Leftist { return Leftist{NewNodes(capacity, inHeap)} }

// Push adds node i to the heap whose top is root. It returns the new top, which
// is i only if its deadline is before all others, and the number of comparisons. O(log n).
func (l *Leftist) Push(root, i uint32, deadline uint64) (top uint32, compares uint64) {
	l.Add(i, deadline)
	l.At(i).npl = 1
	return l.merge(root, i)
}

// Remove takes node i out of the heap whose top is root: what is below it is
// merged and fills the gap. It returns the new top and the number of comparisons.
// O(log n).
func (l *Leftist) Remove(root, i uint32) (top uint32, compares uint64) {
	at := l.At(i)
	parent := at.Parent
	below, compares := l.merge(at.Left, at.Right)
	root = l.Replace(root, i, below)
	for parent != None && l.settle(parent) {
		parent = l.At(parent).Parent
	}
	return root, compares
}

// merge makes one heap of those whose tops are a and b. It takes the nodes along
// the right of both, by deadline, and then settles each of them from below: each has
// another node on its right than before.
func (l *Leftist) merge(a, b uint32) (top uint32, compares uint64) {
	last := None // the nodes taken so far are the way from top to last
	for a != None && b != None {
		if compares++; l.At(b).Deadline < l.At(a).Deadline {
			a, b = b, a
		}
		if last == None {
			top = a
		}
		l.hang(a, last)
		last = a
		a = l.At(a).Right
	}
	rest := a | b // one of them is None
	l.hang(rest, last)
	if last == None {
		return rest, compares
	}
	for i := last; i != None; i = l.At(i).Parent {
		l.settle(i)
	}
	return top, compares
}

// hang puts node i, or nothing, on the right below parent, or makes it a top.
func (l *Leftist) hang(i, parent uint32) {
	if parent != None {
		l.At(parent).Right = i
	}
	if i != None {
		l.At(i).Parent = parent
	}
}

// settle restores node i's sides and null-path length after a change right below
// it, and reports whether the length changed. If it did not, nothing above needs
// settling because of it.
func (l *Leftist) settle(i uint32) bool {
	at := l.At(i)
	left, right := l.At(at.Left).npl, l.At(at.Right).npl
	if left < right {
		at.Left, at.Right = at.Right, at.Left
		right = left
	}
	before := at.npl
	at.npl = right + 1
	return at.npl != before
}

// Check verifies the heap whose top is root, of at most limit nodes; accept
// judges each. It returns their number. O(n).
func (l *Leftist) Check(root uint32, limit int, accept func(i uint32, deadline uint64) error) (int, error) {
	return l.Walk(root, limit, func(i uint32, at *Node) error {
		if err := accept(i, at.Deadline); err != nil {
			return err
		}
		left, right := l.At(at.Left).npl, l.At(at.Right).npl
		switch {
		case at.Parent != None && l.At(at.Parent).Deadline > at.Deadline:
			return fmt.Errorf("order: node %d expires at %d, before the one above it", i, at.Deadline)
		case left < right:
			return fmt.Errorf("leftist: node %d has null-path length %d on its left, %d on its right", i, left, right)
		case at.npl != right+1:
			return fmt.Errorf("leftist: node %d has null-path length %d (should be %d)", i, at.npl, right+1)
		}
		return nil
	})
}
