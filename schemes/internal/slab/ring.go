package slab

// A ring is a doubly linked circle of records through a head, which is a record
// that no timer lives in. With a head no link is ever missing: entering and
// leaving are the same few writes at the ends, in the middle and in a ring of
// one, and leaving does not need to know which ring it is.

// Next returns the record behind i; on a head, the ring's first. O(1).
func (s *Slab) Next(i uint32) uint32 { return s.At(i).next }

// Prev returns the record before i; on a head, the ring's last. O(1).
func (s *Slab) Prev(i uint32) uint32 { return s.At(i).prev }

// Next returns the record behind r.
func (r *Record) Next() uint32 { return r.next }

// Insert puts record i before record at; before a head is at the ring's end.
// O(1).
func (s *Slab) Insert(at, i uint32) {
	behind, r := s.At(at), s.At(i)
	before := behind.prev
	r.next, r.prev = at, before
	s.At(before).next = i
	behind.prev = i
}

// Remove takes record i out of its ring. O(1).
func (s *Slab) Remove(i uint32) {
	r := s.At(i)
	next, prev := r.next, r.prev
	s.At(prev).next = next
	s.At(next).prev = prev
}

// Splice moves all records of the ring at head from, in their order, to the end
// of the ring at head to. O(1).
func (s *Slab) Splice(from, to uint32) {
	f := s.At(from)
	first, last := f.next, f.prev
	if first == from {
		return
	}
	t := s.At(to)
	end := t.prev
	s.At(end).next, s.At(first).prev = first, end
	s.At(last).next, t.prev = to, last
	f.next, f.prev = from, from
}

// Detach empties the ring at head and returns its first record; the records
// still lead from one to the next and end at head. It serves a walk that puts
// each of them elsewhere. O(1).
func (s *Slab) Detach(head uint32) uint32 {
	h := s.At(head)
	first := h.next
	h.next, h.prev = head, head
	return first
}
