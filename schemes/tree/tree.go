package tree

import (
	_ "embed"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

//go:embed variants.md
var variants string

// Info describes scheme 3 as a binary heap.
var Info = describe("tree", "Tree: binary heap", heapOf(1), heapBytes(1))

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
	t.queue = form(&t.Store, cfg)
	return t, nil
}

// Start adds the timer to the tree.
func (t *tree) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if err := t.Accepts(interval); err != nil {
		return 0, err
	}
	deadline := uint64(t.Now + interval)
	i, r := t.Make(id, deadline)
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

// up returns the place for e at or above place at, moving down the later entries on the
// way. It compares with one timer a level.
func (h *heap) up(at int, e entry) int {
	compares := uint64(0)
	for at > h.root {
		parent := h.parent(at)
		above := *h.entries.At(parent)
		if compares++; above.deadline <= e.deadline {
			break
		}
		h.put(at, above)
		at = parent
	}
	h.Tally.Compares += compares
	return at
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

// down returns the place for e at or below place at, moving up the earlier entries on the
// way. It compares arity timers a level: those below a place with each other, and the
// earliest of them with e.
func (h *heap) down(at int, e entry) int {
	if h.shift == 1 {
		return h.downBinary(at, e)
	}
	n, compares := h.entries.Len(), uint64(0)
	for {
		child := h.child(at)
		if child >= n {
			break
		}
		end := min(child+h.root+1, n)
		compares += uint64(end - child)
		place, first := h.least(child, end)
		if first.deadline >= e.deadline {
			break
		}
		h.put(at, *first)
		at = place
	}
	h.Tally.Compares += compares
	return at
}

// Expire is the store's: it hands out the due list. O(1) a timer.
