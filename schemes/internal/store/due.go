package store

// AnyDue reports whether a timer is due and not yet handed out. O(1).
func (s *Store) AnyDue() bool { return s.At(Due).Next != Due }

// AddDue puts record i, which is r and has left its ring, at the end of the due list.
// O(1).
func (s *Store) AddDue(i uint32, r *Record) {
	r.Key = 0
	s.Insert(Due, i, r)
	s.Tally.Links++
}

// MakeDue moves record i, which is r, from its ring to the due list. O(1).
func (s *Store) MakeDue(i uint32, r *Record) {
	s.Unlink(r)
	s.AddDue(i, r)
}

// MoveDue moves all timers of the ring at head to the due list, and returns their number.
// O(timers moved).
//
// Like every walk along a ring it begins at one end. From both ends it would wait for two records at
// a time, and take 2 ns less a timer at n = 10k. But scheme 6 cannot count down so at that price, and
// which of schemes 6 and 7 is cheaper would depend on a trick of one of them.
func (s *Store) MoveDue(head uint32) (moved int) {
	h := s.At(head)
	first, last := h.Next, h.Prev
	if first == head {
		return 0
	}
	for i := first; i != head; moved++ {
		r := s.At(i)
		r.Key = 0
		i = r.Next
	}
	h.Next, h.Prev = head, head
	s.Clear(head)
	d := s.At(Due)
	s.At(d.Prev).Next, s.At(first).Prev = first, d.Prev
	s.At(last).Next, d.Prev = Due, last
	s.Tally.Visits += uint64(moved)
	s.Tally.Links += uint64(moved)
	return moved
}

// Detach empties the ring at head and returns its first record; the records still lead from one
// to the next and end at head. It serves a walk that puts each of them otherSegments. O(1).
func (s *Store) Detach(head uint32) (first uint32) {
	h := s.At(head)
	first = h.Next
	h.Next, h.Prev = head, head
	s.Clear(head)
	return first
}
