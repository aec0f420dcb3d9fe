package tree

import (
	"timerlab/schemes/internal/array"
	"timerlab/schemes/internal/store"
)

// heap is a tree of timers in an array, without gaps, level by level. The two places below place p
// are 2p and 2p+1, so going up or down is a shift. A timer's record holds its place, in Prev. dary.go has the
// arithmetic of wider heaps.
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
