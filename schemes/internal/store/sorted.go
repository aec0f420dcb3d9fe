package store

// PlaceFromHead returns the record, or the head, before which a timer with this
// key belongs in the ring at head, sorted by key with equal keys in the order of
// their starts. It searches from the smallest key: O(timers passed).
func (m *Store) PlaceFromHead(head uint32, key uint64) uint32 {
	compares := uint64(0)
	at := m.After(head)
	for at != head {
		r := m.At(at)
		compares++
		if r.Key > key {
			break
		}
		at = r.Next()
	}
	m.Tally.Compares += compares
	return at
}

// PlaceFromRear is PlaceFromHead searching from the largest key.
func (m *Store) PlaceFromRear(head uint32, key uint64) uint32 {
	compares := uint64(0)
	at := head
	for {
		before := m.Before(at)
		if before == head {
			break
		}
		compares++
		if m.At(before).Key <= key {
			break
		}
		at = before
	}
	m.Tally.Compares += compares
	return at
}

// MoveExpired moves the timers at the front of the sorted ring at head whose key, a
// deadline, has been reached to the due list, and returns their number. It looks at one
// more timer, if there is one. O(1 + timers moved).
func (m *Store) MoveExpired(head uint32) int {
	i := m.After(head)
	if i != head && m.At(i).Key > uint64(m.Now) { // as on most ticks
		m.Tally.Visits++
		return 0
	}
	for i != head && m.At(i).Key <= uint64(m.Now) {
		i = m.After(i)
	}
	if i != head {
		m.Tally.Visits++
	}
	return m.MoveDue(head, i)
}
