package tree

import (
	_ "embed"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

//go:embed variants.md
var variants string

// Info describes scheme 3 as a binary heap.
var Info = describe("tree", "Tree: binary heap", heapOf(1), heapBytes(1))

// Quaternary describes scheme 3 as a heap with four timers below each.
var Quaternary = describe("tree-4ary", "Tree: 4-ary heap", heapOf(2), heapBytes(2))

// Wide describes scheme 3 as a heap with 256 timers below each.
var Wide = describe("tree-256ary", "Tree: 256-ary heap", heapOf(8), heapBytes(8)).ForStudy()

// Unbalanced describes scheme 3 as a binary search tree that nothing balances.
var Unbalanced = describe("tree-bst", "Tree: unbalanced binary search tree", newBST, bstBytes).ForStudy()

// describe returns scheme 3 with trees that form makes, which hold some bytes for n
// entries besides the records.
func describe(name, title string, form makeQueue, bytes func(n, capacity int) int64) schemes.Info {
	return schemes.Info{
		Number: 3,
		Name:   name,
		Title:  title,
		Doc:    store.DocText(doc) + "\n" + variants,
		Kind:   schemes.Tree,
		New:    func(cfg schemes.Config) (schemes.Scheme, error) { return newTree(name, cfg, form) },
		Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
		Bytes: func(n int, cfg schemes.Config) int64 {
			if cfg.Capacity < 0 {
				return 0
			}
			return store.Bytes(n, cfg, 0) + bytes(n, cfg.Capacity)
		},
	}
}

// entry is a waiting timer. The zero entry means no timer, since no deadline is 0.
type entry struct {
	deadline uint64
	record   uint32
}

// queue is a tree of waiting timers. The variants differ only in it.
type queue interface {
	// push adds a timer.
	push(e entry)

	// pop takes the earliest timer out and returns the next one.
	pop() entry

	// remove takes a record's timer out.
	remove(record uint32)

	// move gives a record's timer, which is in the tree, another deadline.
	move(e entry)

	// first returns the earliest timer, or the zero entry if the tree is empty. It
	// changes only by a push of an earlier timer, or when it is taken out. O(1).
	first() entry

	// check verifies a tree of at most limit timers and calls accept for each. It
	// returns their number. O(n), iterative.
	check(limit int, accept func(e entry) error) (int, error)

	// top returns the record on top, store.Due if the tree is empty.
	top() uint32

	// below appends the records directly below a record, from the left, with
	// store.Due for a missing left one.
	below(records []uint32, record uint32) []uint32
}

// makeQueue makes an empty tree with room for cfg.Capacity timers.
type makeQueue func(m *store.Store, cfg schemes.Config) queue
