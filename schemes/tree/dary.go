package tree

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/internal/array"
	"timerlab/schemes/internal/store"
)

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
