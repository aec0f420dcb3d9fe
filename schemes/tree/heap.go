package tree

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/internal/array"
	"timerlab/schemes/internal/store"
)

// heap is a tree of timers in an array, without gaps, level by level. The two places below place p
// are 2p and 2p+1, so going up or down is a shift. A timer's record holds its place, in Prev. The end of this
// file has the arithmetic of wider heaps.
type heap struct {
	*store.Store
	entries array.Vector[entry] // none is due before the one above it
	shift   uint8               // log2 of the timers below each: 1 in a binary heap
	root    int                 // the place on top: 1 in a binary heap
	lift    int                 // see parent and child: 0 in a binary heap
}

// push adds e at the bottom and moves it up. O(log n).
func (h *heap) push(e entry) {
	h.entries.Push(e)
	h.put(h.up(h.entries.Len()-1, e), e)
}

// pop takes the top out: the last entry moves down from there to where it
// belongs. O(log n). It does not read the record of the top, which may be far.
func (h *heap) pop() entry {
	if last := h.entries.Pop(); h.entries.Len() > h.root {
		h.put(h.down(h.root, last), last)
	}
	return h.first()
}

// up sifts up: it returns the place for e at or above place at, and moves down the later entries on
// the way. It compares with one timer a level, and there are log2 n levels; with random deadlines
// it ends after two or three.
func (h *heap) up(at int, e entry) int {
	compares := uint64(0)
	for at > h.root {
		parent := h.parent(at)
		above := *h.entries.At(parent)
		if compares++; above.deadline <= e.deadline {
			break // e may stay below this one
		}
		h.put(at, above)
		at = parent
	}
	h.Tally.Compares += compares
	return at
}

// down sifts down: it returns the place for e at or below place at, and moves up the earlier of
// the two entries below on each level. It compares two timers a level.
//
// Which of the two is earlier is a branch. Half of the time it is predicted, and then the next level's
// entries are loaded before this one's are compared: without a branch, as in least, going down among
// 100,000 timers takes a fifth more time.
func (h *heap) down(at int, e entry) int {
	if h.shift > 1 {
		return h.downWide(at, e)
	}
	n, compares := h.entries.Len(), uint64(0)
	for {
		child := 2 * at
		if child >= n {
			break
		}
		first := *h.entries.At(child)
		if child+1 < n {
			compares++
			if right := *h.entries.At(child + 1); right.deadline < first.deadline {
				child, first = child+1, right
			}
		}
		if compares++; first.deadline >= e.deadline {
			break
		}
		h.put(at, first)
		at = child
	}
	h.Tally.Compares += compares
	return at
}

// remove takes a timer out: the last entry fills the gap and moves to where it
// belongs. O(log n).
func (h *heap) remove(record uint32) {
	at, last := int(h.At(record).Prev), h.entries.Pop()
	if at == h.entries.Len() {
		return
	}
	place := h.up(at, last)
	if place == at {
		place = h.down(at, last)
	}
	h.put(place, last)
}

// move lets the entry go up or down from where it is to where it now belongs.
// O(log n).
func (h *heap) move(e entry) {
	at := int(h.At(e.record).Prev)
	place := h.up(at, e)
	if place == at {
		place = h.down(at, e)
	}
	h.put(place, e)
}

func (h *heap) put(at int, e entry) {
	*h.entries.At(at) = e
	h.At(e.record).Prev = uint32(at)
}

func (h *heap) first() entry {
	if h.entries.Len() == h.root {
		return entry{}
	}
	return *h.entries.At(h.root)
}

// heapOf makes heaps of arity 1<<shift. The array begins with arity-1 unused places. So the places
// below one begin at a multiple of the arity, and two or four siblings share a cache line.
func heapOf(shift uint8) makeQueue {
	return func(m *store.Store, cfg schemes.Config) queue {
		arity := 1 << shift
		h := &heap{Store: m, shift: shift, root: arity - 1, lift: arity * (arity - 2)}
		h.entries = array.NewVector[entry](h.root+cfg.Capacity, cfg.Heap)
		m.Arrays = append(m.Arrays, &h.entries)
		for range h.root {
			h.entries.Push(entry{})
		}
		return h
	}
}

// heapBytes returns what the entries of a heap of arity 1<<shift hold.
func heapBytes(shift uint8) func(n, capacity int) int64 {
	root := 1<<shift - 1
	return func(n, capacity int) int64 { return array.Bytes[entry](root+capacity, root+n) }
}

// parent returns the place above place at, which is not the top. The binary heap does not
// read the fields, which saves 1 ns of a Start.
func (h *heap) parent(at int) int {
	if h.shift == 1 {
		return at >> 1
	}
	return (at + h.lift) >> (h.shift & 63)
}

func (h *heap) child(at int) int { return at<<(h.shift&63) - h.lift }

// downWide is down for any arity. It compares arity timers a level: the timers below a place with each
// other, and the earliest of them with e.
func (h *heap) downWide(at int, e entry) int {
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

// least returns the earliest of the entries at from to end-1, of equal ones the
// leftmost, and its place. Which one it is cannot be predicted, so all that depends on it
// is set together, which compiles to moves without a branch.
func (h *heap) least(from, end int) (place int, first *entry) {
	place, first = from, h.entries.At(from)
	deadline := first.deadline
	for at := from + 1; at < end; at++ {
		if e := h.entries.At(at); e.deadline < deadline {
			place, first, deadline = at, e, e.deadline
		}
	}
	return place, first
}

// check verifies that every timer is where its record says, and not below a later
// one.
func (h *heap) check(accept func(entry) error) (int, error) {
	for at := h.root; at < h.entries.Len(); at++ {
		e := *h.entries.At(at)
		if err := accept(e); err != nil {
			return 0, err
		}
		if place := h.At(e.record).Prev; place != uint32(at) {
			return 0, fmt.Errorf("heap: record %d says it is at %d, its entry is at %d", e.record, place, at)
		}
		if at > h.root && h.entries.At(h.parent(at)).deadline > e.deadline {
			return 0, fmt.Errorf("heap: the entry at %d, of record %d, expires before the one above it", at, e.record)
		}
	}
	return h.entries.Len() - h.root, nil
}

func (h *heap) top() uint32 { return h.first().record }

func (h *heap) below(records []uint32, record uint32) []uint32 {
	child := h.child(int(h.At(record).Prev))
	for at := child; at < min(child+h.root+1, h.entries.Len()); at++ {
		records = append(records, h.entries.At(at).record)
	}
	return records
}
