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
	t.up(t.heap.Len()-1, e)
}

// remove takes the entry at place at out: the last entry fills the gap and moves
// to where it belongs. O(log n).
func (t *tree) remove(at int) {
	last := t.heap.Pop()
	if at == t.heap.Len() {
		return
	}
	if at > 0 && t.later(parent(at), last) {
		t.up(at, last)
	} else {
		t.down(at, last)
	}
}

// later reports whether the entry at place at expires after e.
func (t *tree) later(at int, e entry) bool {
	t.Tally.Compares++
	return t.heap.At(at).expiry > e.expiry
}

// up puts e at place at, or further up, past entries that expire after it.
func (t *tree) up(at int, e entry) {
	for at > 0 && t.later(parent(at), e) {
		t.put(at, *t.heap.At(parent(at)))
		at = parent(at)
	}
	t.put(at, e)
}

// down puts e at place at, or further down, past entries that expire before it.
func (t *tree) down(at int, e entry) {
	n := t.heap.Len()
	for {
		child := 2*at + 1
		if child >= n {
			break
		}
		if child+1 < n && t.later(child, *t.heap.At(child + 1)) {
			child++
		}
		t.Tally.Compares++
		if t.heap.At(child).expiry >= e.expiry {
			break
		}
		t.put(at, *t.heap.At(child))
		at = child
	}
	t.put(at, e)
}

// put writes e at place at and tells its record.
func (t *tree) put(at int, e entry) {
	*t.heap.At(at) = e
	t.At(e.record).Place = uint32(at)
}
