package tree

import (
	_ "embed"
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/bintree"
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
var Unbalanced = describe("tree-bst", "Tree: unbalanced binary search tree", newBST, bintree.Bytes).ForStudy()

// Leftist describes scheme 3 as a leftist heap.
var Leftist = describe("tree-leftist", "Tree: leftist heap", newLeftist, bintree.Bytes).ForStudy()

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

// makeQueue makes an empty tree with room for some timers.
type makeQueue func(m *store.Store, capacity int) queue

// tree is the module of scheme 3. Invariant: a waiting timer's Key is its
// deadline, later than Now, and its entry is in queue; first is a copy of
// the queue's first, for PerTick to compare the clock with.
type tree struct {
	store.Store
	first entry
	queue queue
}

// newTree returns an empty tree. It uses cfg.Now and cfg.Capacity.
func newTree(name string, cfg schemes.Config, form makeQueue) (schemes.Scheme, error) {
	m, err := store.New(name, cfg, 0)
	if err != nil {
		return nil, err
	}
	t := &tree{Store: m}
	t.queue = form(&t.Store, cfg.Capacity)
	return t, nil
}

// Start adds the timer to the tree.
func (t *tree) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	deadline := uint64(t.Now + interval)
	i, r, err := t.Make(interval, math.MaxUint64, id, deadline)
	if err != nil {
		return 0, err
	}
	t.push(entry{deadline, i})
	return r.Handle(i), nil
}

// push adds a timer to the tree.
func (t *tree) push(e entry) {
	t.queue.push(e)
	if e.deadline-1 < t.first.deadline-1 { // true also if there is no first, whose 0 wraps
		t.first = e
	}
	t.Tally.Links++
}

// Stop takes the timer out of the tree, or off the due list.
func (t *tree) Stop(h schemes.Handle) bool {
	i, r := uint32(h), t.Find(h)
	if r == nil || r.Key == 0 {
		return t.Store.Stop(h)
	}
	t.queue.remove(i)
	if i == t.first.record {
		t.first = t.queue.first()
	}
	t.Tally.Links++
	t.Free(i, r)
	return true
}

// PerTick compares the clock with the earliest deadline. O(1), and a pop for each timer
// due.
func (t *tree) PerTick() int {
	if t.Ended() {
		return 0
	}
	t.Now++
	moved, visits := 0, uint64(0)
	for t.first.deadline != 0 {
		visits++
		if t.first.deadline > uint64(t.Now) {
			break
		}
		i := t.first.record
		t.first = t.queue.pop()
		t.AddDue(i, t.At(i))
		moved++
	}
	t.Tally.Visits += visits
	return moved
}

// Restart gives the timer another deadline, and with it another place in the tree, or
// adds it to the tree if it was due.
func (t *tree) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, r, err := t.Renewable(h, interval, math.MaxUint64)
	if err != nil {
		return 0, err
	}
	deadline, waits := uint64(t.Now+interval), r.Key != 0
	if !waits {
		t.Unlink(r)
	}
	j, r := t.Reuse(i, r, deadline) // may retire i, which stays in the tree until it is removed
	switch {
	case !waits:
		t.push(entry{deadline, j})
		return r.Handle(j), nil
	case i == j:
		t.queue.move(entry{deadline, i})
	default:
		t.queue.remove(i)
		t.queue.push(entry{deadline, j})
	}
	t.first = t.queue.first()
	t.Tally.Links += 2
	return r.Handle(j), nil
}

// Next reads the earliest deadline. O(1).
func (t *tree) Next() (wait schemes.Tick, ok bool) {
	switch {
	case t.AnyDue():
		return 0, true
	case t.first.deadline == 0:
		return 0, false
	}
	return t.Wait(t.first.deadline), true
}

// Advance goes to the earliest deadline. O(1), and a pop for each timer due.
func (t *tree) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = t.Limit(max, t.AnyDue()); passed == 0 {
		return 0, 0
	}
	if t.first.deadline != 0 {
		passed = min(passed, t.Wait(t.first.deadline))
	}
	t.Now += passed - 1
	return passed, t.PerTick()
}

// Check verifies the tree. O(n).
func (t *tree) Check() error {
	return t.CheckStore(func() (int, error) {
		n, err := t.queue.check(t.Len(), t.checkTimer)
		if first := t.queue.first(); err == nil && t.first != first {
			err = fmt.Errorf("first: record %d, deadline %d, but the tree's is record %d, deadline %d",
				t.first.record, t.first.deadline, first.record, first.deadline)
		}
		return n, err
	})
}

func (t *tree) checkTimer(e entry) error {
	r, ok := t.Live(e.record)
	switch {
	case !ok:
		return fmt.Errorf("the entry of record %d, which holds no timer", e.record)
	case r.Key != e.deadline:
		return fmt.Errorf("timer %d expires at %d, its entry says %d", r.ID, r.Key, e.deadline)
	case e.deadline <= uint64(t.Now):
		return fmt.Errorf("timer %d, due at %d, still waits at %d", r.ID, e.deadline, t.Now)
	}
	return nil
}
