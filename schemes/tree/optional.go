package tree

import (
	_ "embed"
	"fmt"
	"math"
	"strings"

	"timerlab/schemes"
	"timerlab/schemes/internal/array"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

//go:embed variants.md
var variants string

// Info describes scheme 3 as a binary heap.
var Info = describe("tree", "Tree: binary heap", heapOf(1), heapBytes(1), false)

// Quaternary describes scheme 3 as a heap with four timers below each.
var Quaternary = describe("tree-4ary", "Tree: 4-ary heap", heapOf(2), heapBytes(2), false)

// Unbalanced describes scheme 3 as a binary search tree that nothing balances.
var Unbalanced = describe("tree-bst", "Tree: unbalanced binary search tree", newBST,
	func(n, capacity int) int64 { return array.Bytes[node](capacity+1, n+1) }, true)

// describe returns scheme 3 with trees that form makes, which hold some bytes for n
// entries besides the records.
func describe(name, title string, form makeQueue, bytes func(n, capacity int) int64, study bool) schemes.Info {
	return schemes.Info{
		Number: 3,
		Name:   name,
		Title:  title,
		Doc:    store.DocText(doc) + "\n" + variants,
		Kind:   schemes.Tree,
		Study:  study,
		New: func(cfg schemes.Config) (schemes.Scheme, error) { // it uses cfg.Now and cfg.Capacity
			s, err := store.New(name, cfg, 0)
			if err != nil {
				return nil, err
			}
			t := &tree{Store: s}
			t.queue = form(&t.Store, cfg)
			return t, nil
		},
		Range: func(schemes.Config) schemes.Tick { return math.MaxUint64 },
		Bytes: func(n int, cfg schemes.Config) int64 {
			if cfg.Capacity < 0 {
				return 0
			}
			return store.Bytes(n, cfg, 0) + bytes(n, cfg.Capacity)
		},
	}
}

// entry is a waiting timer, or no timer.
type entry struct {
	deadline uint64
	record   uint32
}

// noTimer is the deadline of no timer: a timer's is at least 1.
const noTimer = 0

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

	// first returns the earliest timer, or the zero entry, no timer, if the tree is empty. It
	// changes only by a push of an earlier timer, or when it is taken out. O(1).
	first() entry

	// check verifies the tree and calls accept for each timer. It returns their
	// number. O(n), iterative.
	check(accept func(e entry) error) (int, error)

	// top returns the record on top, store.Due if the tree is empty.
	top() uint32

	// below appends the records directly below a record, from the left, with
	// store.Due for a missing left one.
	below(records []uint32, record uint32) []uint32
}

// makeQueue makes an empty tree with room for cfg.Capacity timers.
type makeQueue func(m *store.Store, cfg schemes.Config) queue

// Restart gives the timer another deadline, and with it another place in the tree, or
// adds it to the tree if it was due.
func (t *tree) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !t.Names(h) || !t.Renews(h, interval) {
		return t.RestartSlow(t, h, interval)
	}
	e, r := entry{uint64(t.Now + interval), uint32(h)}, t.At(uint32(h))
	if r.Key == 0 {
		h = t.Renew(h, r, e.deadline)
		t.push(e)
		return h, nil
	}
	r.Gen, r.Key = r.Gen+1, e.deadline
	t.queue.move(e)
	t.first = t.queue.first()
	t.Tally.Links += 2
	return r.Handle(), nil
}

// Next reads the earliest deadline. O(1).
func (t *tree) Next() (wait schemes.Tick, ok bool) {
	if t.AnyDue() || t.first.deadline == noTimer {
		return 0, t.AnyDue()
	}
	return schemes.Tick(t.first.deadline) - t.Now, true
}

// Advance goes to the earliest deadline. O(1), and a pop for each timer due.
func (t *tree) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = t.Limit(max, t.AnyDue()); passed == 0 {
		return 0, 0
	}
	if t.first.deadline != noTimer {
		passed = min(passed, schemes.Tick(t.first.deadline)-t.Now)
	}
	t.Now += passed - 1
	return passed, t.PerTick()
}

// NextEvent is Next. O(1).
func (t *tree) NextEvent() (wait schemes.Tick, ok bool) { return t.Next() }

// Check verifies the tree. O(n).
func (t *tree) Check() error {
	return t.CheckStore(func() (int, error) {
		n, err := t.queue.check(func(e entry) error {
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
		})
		if err != nil {
			return n, err
		}
		if first := t.queue.first(); t.first != first {
			err = fmt.Errorf("first: record %d, deadline %d, but the tree's is record %d, deadline %d",
				t.first.record, t.first.deadline, first.record, first.deadline)
		}
		return n, err
	})
}

const (
	drawnLevels = 5  // levels of the tree that String shows at most
	drawnWidth  = 16 // timers of a level that it shows at most, with the gaps
)

// View yields the timers level by level, from the top, without stopped ones: what is below these is shown below
// the timer above them. O(n).
func (t *tree) View(yield func(schemes.Place) bool) {
	for p := range t.Places(nil, nil) {
		if !yield(p) {
			return
		}
	}
	type node struct {
		record       uint32
		parent, slot int
	}
	level := []node{{t.queue.top(), -1, 0}}
	for position := 0; len(level) > 0; {
		var next []node
		for _, n := range level {
			if n.record == store.Due { // a gap
				continue
			}
			parent := n.parent
			if r := t.At(n.record); r.Link != store.NoTimer {
				p := schemes.Place{ID: r.ID, Deadline: schemes.Tick(r.Key), Key: r.Key,
					Slot: n.slot, Position: position, Parent: parent}
				if !yield(p) {
					return
				}
				parent = position
				position++
			}
			for slot, record := range t.queue.below(nil, n.record) {
				next = append(next, node{record, parent, slot})
			}
		}
		level = next
	}
}

// String draws the tree.
func (t *tree) String() string { return t.draw(t.Len(), "id(deadline)") }

// draw draws the tree, a level a line. Where a timer of a binary tree lacks the one on its left, the
// next line shows "-".
func (t *tree) draw(outstanding int, legend string) string {
	text := fmt.Sprintf("now %d, %d outstanding, %s\n", t.Now, outstanding, legend)
	more, level := t.Len(), []uint32{t.queue.top()}
	for depth := 0; t.queue.top() != store.Due && len(level) > 0 && depth < drawnLevels; depth++ {
		var timers []string
		var below []uint32
		for _, record := range level {
			shown := len(timers) < drawnWidth
			switch {
			case record != store.Due:
				below = t.queue.below(below, record)
				if r := t.At(record); shown {
					mark := ""
					if r.Link == store.NoTimer {
						mark = " x"
					}
					timers = append(timers, fmt.Sprintf("%d(%d%s)", r.ID, r.Key, mark))
					more--
				}
			case shown:
				timers = append(timers, "-")
			}
		}
		text += fmt.Sprintf("level %d: %s\n", depth, strings.Join(timers, " "))
		level = below
	}
	var due string
	for p := range t.Places(nil, nil) {
		due += fmt.Sprintf(" %d", p.ID)
		more--
	}
	if more > 0 {
		text += fmt.Sprintf("… and %d more\n", more)
	}
	if due != "" {
		text += "due:" + due + "\n"
	}
	return text
}
