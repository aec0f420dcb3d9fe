package ordered

// Rear describes scheme 2, searched from the rear.
var Rear = describe("ordered-rear", "Ordered list, searched from the rear", true)

// searchFromRear is search from the other end: O(1) if every deadline is later than all that are
// there, as it is when all intervals are equal.
func (l *list) searchFromRear(deadline uint64) uint32 {
	compares := uint64(0)
	at := waiting
	for before := l.At(at).Prev; before != waiting; before = l.At(at).Prev {
		compares++
		if l.At(before).Key <= deadline {
			break
		}
		at = before
	}
	l.Tally.Compares += compares
	return at
}
