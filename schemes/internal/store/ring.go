package store

// A ring is a doubly linked circle of records through a head, which is a record
// without a timer. With a head no link is ever missing: entering and leaving are the
// same few writes at the ends, in the middle and in a ring of one, and leaving does not
// depend on which ring it is.
//
// Entering and leaving maintain the bits of the heads whose rings hold a record, with
// one test of values at hand: a record that leaves a ring empty has the same record, the
// head, on both sides. Splice, Countdown and DetachEnds maintain the bit of the ring that
// they take from. They do not maintain the bit of the ring that they move to, the due
// list: it is never searched.

// After returns the record after i; of a head, the ring's first. O(1).
func (s *Store) After(i uint32) uint32 { return s.At(i).next }

// Before returns the record before i; of a head, the ring's last. O(1).
func (s *Store) Before(i uint32) uint32 { return s.At(i).prev }

// Next returns the record after r.
func (r *Record) Next() uint32 { return r.next }

// Prev returns the record before r.
func (r *Record) Prev() uint32 { return r.prev }

// Insert puts record i before record at; before a head is at the ring's end.
// O(1).
func (s *Store) Insert(at, i uint32) {
	after, r := s.At(at), s.At(i)
	before := after.prev
	if before == at { // a head, and alone
		s.Mark(at)
	}
	r.next, r.prev = at, before
	s.At(before).next = i
	after.prev = i
}

// Append puts record i, which is r, at the end of the ring at head. It is Insert
// for where at is known to be a head. O(1).
func (s *Store) Append(head, i uint32, r *Record) {
	records := s.records
	h := &records[head>>segBits][head&segMask]
	last := h.prev
	r.next, r.prev = head, last
	records[last>>segBits][last&segMask].next = i
	h.prev = i
	s.Mark(head)
}

// Remove takes record i out of its ring. O(1).
func (s *Store) Remove(i uint32) { s.Unlink(s.At(i)) }

// Unlink takes record r out of its ring. O(1).
func (s *Store) Unlink(r *Record) {
	records, next, prev := s.records, r.next, r.prev
	records[prev>>segBits][prev&segMask].next = next
	records[next>>segBits][next&segMask].prev = prev
	if next == prev { // the head: r was alone
		s.Clear(next)
	}
}

// Splice moves the records of the ring at head from, up to but without record
// end, in their order to the end of the ring at head to. With end = from that is
// all of them. O(1).
func (s *Store) Splice(from, end, to uint32) {
	f, e := s.At(from), s.At(end)
	first, last := f.next, e.prev
	if first == end {
		return
	}
	f.next, e.prev = end, from
	if from == end {
		s.Clear(from)
	}
	t := s.At(to)
	s.At(t.prev).next, s.At(first).prev = first, t.prev
	s.At(last).next, t.prev = to, last
}

// Countdown takes 1 off the Key of every record of the ring at head from, and
// moves those that reach 0 to the end of the ring at head to. It writes a link
// only where a record leaves. O(length).
func (s *Store) countdown(from, to uint32) (visited, moved int) {
	visited, moved = s.decrement(from)
	if moved == visited {
		s.Splice(from, from, to)
	} else if moved > 0 {
		s.moveZeros(from, to, moved)
	}
	return visited, moved
}

// decrement takes 1 off the Keys of the ring at head and returns how many there
// are and how many are 0 now. It walks from both ends, as Zero does.
func (s *Store) decrement(head uint32) (n, zeros int) {
	i, k := s.At(head).next, s.At(head).prev
	if i == head {
		return 0, 0
	}
	for i != k {
		front, back := s.At(i), s.At(k)
		front.Key--
		back.Key--
		if front.Key == 0 {
			zeros++
		}
		if back.Key == 0 {
			zeros++
		}
		n += 2
		i = front.next
		if i == k {
			return n, zeros
		}
		k = back.prev
	}
	last := s.At(i)
	if last.Key--; last.Key == 0 {
		zeros++
	}
	return n + 1, zeros
}

// moveZeros moves the records of Key 0, `left` in number and not all, from one ring to
// the end of another. They are in the cache by now. O(length up to the last).
func (s *Store) moveZeros(from, to uint32, left int) {
	stay, gap := from, false // the last record that stays, and whether records after it left
	t := s.At(to)
	tail := t.prev
	i := s.At(from).next
	for left > 0 || gap {
		r := s.At(i)
		next := r.next
		if i != from && r.Key == 0 {
			s.At(tail).next, r.prev = i, tail
			tail, gap = i, true
			left--
		} else {
			if gap {
				s.At(stay).next, r.prev = i, stay
				gap = false
			}
			stay = i
		}
		i = next
	}
	s.At(tail).next, t.prev = to, tail
}

// Pop removes the first record of the ring at head and returns it; false if the ring is
// empty. It does not maintain the head's bit. O(1).
func (s *Store) Pop(head uint32) (uint32, *Record, bool) {
	h := s.At(head)
	i := h.next
	r := s.At(i)
	h.next = r.next
	s.At(r.next).prev = head
	return i, r, i != head
}

// DetachEnds empties the ring at head and returns its first and last record; the
// records still lead from one to the next and end at head, in both directions. It
// serves a walk from both ends that puts each of them elsewhere. O(1).
func (s *Store) DetachEnds(head uint32) (first, last uint32) {
	h := s.At(head)
	first, last = h.next, h.prev
	h.next, h.prev = head, head
	s.Clear(head)
	return first, last
}

// Zero sets the Keys of the records of the ring at head, up to but without record
// end, to 0 and returns their number. With end = head that is all of them. It
// walks from both ends, so that two records are loaded from memory at a time.
// O(records).
func (s *Store) Zero(head, end uint32) (n int) {
	i, k := s.At(head).next, s.At(end).prev
	if i == end {
		return 0
	}
	for i != k {
		front, back := s.At(i), s.At(k)
		front.Key, back.Key = 0, 0
		n += 2
		i = front.next
		if i == k {
			return n
		}
		k = back.prev
	}
	s.At(i).Key = 0
	return n + 1
}

// Least returns the lowest Key of the ring at head, or the highest number if it
// is empty. O(length).
func (s *Store) Least(head uint32) uint64 {
	i, k := s.At(head).next, s.At(head).prev
	if i == head {
		return ^uint64(0)
	}
	least := s.At(i).Key
	for i != k {
		front, back := s.At(i), s.At(k)
		least = min(least, front.Key, back.Key)
		i = front.next
		if i == k {
			break
		}
		k = back.prev
	}
	return min(least, s.At(i).Key)
}

// Lower takes by off the Key of every record of the ring at head, which are all
// higher, and returns their number. O(length).
func (s *Store) Lower(head uint32, by uint64) (visited int) {
	for i := s.At(head).next; i != head; visited++ {
		r := s.At(i)
		r.Key -= by
		i = r.next
	}
	return visited
}
