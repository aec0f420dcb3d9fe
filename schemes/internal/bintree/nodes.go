// Package bintree holds binary trees of timers: nodes that name each other by
// number, so that the garbage collector has nothing to scan, and leftist heaps
// of them. A scheme numbers its timers from 1; the number follows from the
// record's index, so a handle leads to its node at once.
//
// Trees may be as deep as they have nodes. Nothing here is recursive.
package bintree

import (
	"fmt"

	"timerlab/schemes/internal/store"
)

// None is the number of no node: an empty tree, a missing child, the parent of
// the top.
const None uint32 = 0

// Node is a timer's place in a tree, 24 bytes.
type Node struct {
	Deadline            uint64
	Left, Right, Parent uint32
	npl                 uint32 // of a leftist heap: the null-path length
}

// Nodes are the nodes of all trees of one scheme. Make them with NewNodes.
type Nodes struct{ nodes store.Vector[Node] }

// NewNodes returns nodes with room for the numbers up to capacity.
func NewNodes(capacity int, inHeap bool) Nodes {
	n := Nodes{store.NewVector[Node](capacity+1, inHeap)}
	n.nodes.Push(Node{}) // None: its null-path length is 0
	return n
}

// OffHeap returns the bytes that are not in Go's heap. O(1).
func (n *Nodes) OffHeap() int { return n.nodes.OffHeap() }

// Release gives all memory back.
func (n *Nodes) Release() { n.nodes.Release() }

// At returns node i, valid until the next Add. O(1).
func (n *Nodes) At(i uint32) *Node { return n.nodes.At(int(i)) }

// Add makes node i a tree of its own. O(1), except when memory must be allocated; what a
// peak needed is kept.
func (n *Nodes) Add(i uint32, deadline uint64) {
	for n.nodes.Len() <= int(i) {
		n.nodes.Push(Node{})
	}
	*n.At(i) = Node{Deadline: deadline}
}

// Replace puts by, the top of a tree or None, where node i is in the tree whose
// top is root, and returns that tree's top. The links below i stay as they are.
// O(1).
func (n *Nodes) Replace(root, i, by uint32) uint32 {
	parent := n.At(i).Parent
	if by != None {
		n.At(by).Parent = parent
	}
	if parent == None {
		return by
	}
	if p := n.At(parent); p.Left == i {
		p.Left = by
	} else {
		p.Right = by
	}
	return root
}

// Walk verifies the links of the tree whose top is root and calls visit for each
// node, before those below it; it ends at the first that visit refuses. A tree
// of more than limit nodes, or a circle, is an error. It returns the number of
// nodes. O(nodes).
func (n *Nodes) Walk(root uint32, limit int, visit func(i uint32, at *Node) error) (count int, err error) {
	if err := n.leadsTo(root, None); err != nil {
		return 0, err
	}
	for i := root; i != None; i = n.after(i) {
		if count == limit {
			return 0, fmt.Errorf("tree: more nodes than the %d live timers", limit)
		}
		count++
		at := n.At(i)
		if err := n.leadsTo(at.Left, i); err != nil {
			return 0, err
		}
		if err := n.leadsTo(at.Right, i); err != nil {
			return 0, err
		}
		if err := visit(i, at); err != nil {
			return 0, err
		}
	}
	return count, nil
}

// leadsTo verifies that node i, if it is one, exists and has this parent. A node
// has one parent, so the walk reaches no node from two sides.
func (n *Nodes) leadsTo(i, parent uint32) error {
	switch {
	case i == None:
		return nil
	case int(i) >= n.nodes.Len():
		return fmt.Errorf("tree: link to node %d, which does not exist", i)
	case n.At(i).Parent != parent:
		return fmt.Errorf("tree: node %d does not lead back to %d", i, parent)
	}
	return nil
}

// after returns the node that Walk visits after i: the first one below it,
// or else the next to the right of the way up.
func (n *Nodes) after(i uint32) uint32 {
	if at := n.At(i); at.Left != None {
		return at.Left
	} else if at.Right != None {
		return at.Right
	}
	for parent := n.At(i).Parent; parent != None; parent = n.At(i).Parent {
		if p := n.At(parent); p.Left == i && p.Right != None {
			return p.Right
		}
		i = parent
	}
	return None
}

// Bytes returns what nodes with room for this capacity hold while the numbers up to n
// are in use.
func Bytes(n, capacity int) int64 { return store.ArrayBytes[Node](capacity+1, n+1) }
