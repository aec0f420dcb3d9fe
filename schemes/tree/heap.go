package tree

// entry is a timer's place in the heap.
type entry struct {
	expiry uint64
	record uint32
}

func parent(at int) int { return (at - 1) / 2 }

// push adds e at the bottom and moves it up. O(log n).
func (t *tree) push(e entry) {
	t.heap.Push(e)
	t.put(t.up(t.heap.Len()-1, e), e)
}

// remove takes the entry at place at out: the last entry fills the gap and moves
// to where it belongs. O(log n).
func (t *tree) remove(at int) {
	last := t.heap.Pop()
	if at == t.heap.Len() {
		return
	}
	place := t.up(at, last)
	if place == at {
		place = t.down(at, last)
	}
	t.put(place, last)
}

// up returns the place for e at or above place at, moving down the entries on the
// way that expire after it.
func (t *tree) up(at int, e entry) int {
	compares := uint64(0)
	for at > 0 {
		above := *t.heap.At(parent(at))
		if compares++; above.expiry <= e.expiry {
			break
		}
		t.put(at, above)
		at = parent(at)
	}
	t.Tally.Compares += compares
	return at
}

// down returns the place for e at or below place at, moving up the entries on the
// way that expire before it.
func (t *tree) down(at int, e entry) int {
	n, compares := t.heap.Len(), uint64(0)
	for {
		child := 2*at + 1
		if child >= n {
			break
		}
		first := *t.heap.At(child)
		if child+1 < n {
			compares++
			if right := *t.heap.At(child + 1); right.expiry < first.expiry {
				child, first = child+1, right
			}
		}
		if compares++; first.expiry >= e.expiry {
			break
		}
		t.put(at, first)
		at = child
	}
	t.Tally.Compares += compares
	return at
}

// put writes e at place at and tells its record.
func (t *tree) put(at int, e entry) {
	*t.heap.At(at) = e
	t.At(e.record).Place = uint32(at)
}
