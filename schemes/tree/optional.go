package tree

import (
	_ "embed"
	"fmt"
	"math"

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

// place is where a timer is in the tree, or a gap on the left of one: record is store.Due then. A stopped timer has
// the position of the timer above it.
type place struct {
	record                 uint32
	slot, position, parent int
}

// levels yields the places of the tree level by level, from the top.
func (t *tree) levels(yield func(level []place) bool) {
	position := 0
	for level := []place{{record: t.queue.top(), parent: -1}}; len(level) > 0; {
		var below []place
		for i := range level {
			p := &level[i]
			if p.record == store.Due {
				continue
			}
			if p.position = p.parent; t.At(p.record).Link != store.NoTimer {
				p.position = position
				position++
			}
			for slot, record := range t.queue.below(nil, p.record) {
				below = append(below, place{record: record, slot: slot, parent: p.position})
			}
		}
		if !yield(level) {
			return
		}
		level = below
	}
}

// View yields the timers level by level, from the top, without stopped ones: what is below these is shown below
// the timer above them. O(n).
func (t *tree) View(yield func(schemes.Place) bool) {
	for p := range t.Places(nil, nil) {
		if !yield(p) {
			return
		}
	}
	for level := range t.levels {
		for _, p := range level {
			r := t.At(p.record)
			if r.Link != store.NoTimer && !yield(schemes.Place{ID: r.ID, Deadline: schemes.Tick(r.Key), Key: r.Key,
				Slot: p.slot, Position: p.position, Parent: p.parent}) {
				return
			}
		}
	}
}

// String draws the tree.
func (t *tree) String() string { return t.draw(t.Len(), "id(deadline)") }

// draw draws the tree, a level a line. Where a timer of a binary tree lacks the one on its left, the
// next line shows "-".
func (t *tree) draw(outstanding int, legend string) string {
	text := fmt.Sprintf("now %d, %d outstanding, %s\n", t.Now, outstanding, legend)
	more, depth := t.Len(), 0
	for level := range t.levels {
		if depth == drawnLevels || level[0] == (place{parent: -1}) {
			break
		}
		text += fmt.Sprintf("level %d:", depth)
		for _, p := range level[:min(len(level), drawnWidth)] {
			switch r := t.At(p.record); {
			case p.record == store.Due:
				text += " -"
				continue
			case r.Link == store.NoTimer:
				text += fmt.Sprintf(" %d(%d x)", r.ID, r.Key)
			default:
				text += fmt.Sprintf(" %d(%d)", r.ID, r.Key)
			}
			more--
		}
		text += "\n"
		depth++
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
