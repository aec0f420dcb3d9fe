package store

import "timerlab/schemes"

// A ring is a doubly linked circle of records through a head, which is a record
// without a timer. With a head no link is ever missing: entering and leaving are the
// same few writes at the ends, in the middle and in a ring of one, and leaving does not
// depend on which ring it is.
//
// Entering and leaving maintain the bits of the heads whose rings hold a record, with
// one test of values at hand: a record that leaves a ring empty has the same record, the
// head, on both sides. Splice and Detach maintain the bit of the ring that they take
// from. They do not maintain the bit of the ring that they move to, the due list: it is
// never searched.

// Enter is Insert of a timer that begins to wait. It returns the timer's handle, which is
// written out so that Enter is inlined.
func (s *Store) Enter(at, i uint32, r *Record) schemes.Handle {
	s.Tally.Links++
	s.Insert(at, i, r)
	return schemes.Handle(r.gen)<<32 | schemes.Handle(i)
}

// Insert puts record i, which is r, before record at; before a head is at the ring's
// end. O(1).
func (s *Store) Insert(at, i uint32, r *Record) {
	records := s.records
	after := &records[at>>segBits][at&segMask]
	before := after.Prev
	r.Next, r.Prev = at, before
	records[before>>segBits][before&segMask].Next = i
	after.Prev = i
	if before == at { // a head, and alone
		s.Mark(at)
	}
}

// Unlink takes record r out of its ring. O(1).
func (s *Store) Unlink(r *Record) {
	records, next, prev := s.records, r.Next, r.Prev
	records[prev>>segBits][prev&segMask].Next = next
	records[next>>segBits][next&segMask].Prev = prev
	if next == prev { // the head: r was alone
		s.Clear(next)
	}
}

// leave takes the timer of record r out of its ring. Leaving the due list is not counted.
func (s *Store) leave(r *Record) {
	if r.Key != 0 {
		s.Tally.Links++
	}
	s.Unlink(r)
}

// Splice moves the records after `from`, a head or a record of its ring, up to but
// without record end, in their order to the end of the ring at head to. With end = from
// that is all of them. O(1).
func (s *Store) Splice(from, end, to uint32) {
	f, e := s.At(from), s.At(end)
	first, last := f.Next, e.Prev
	if first == end {
		return
	}
	f.Next, e.Prev = end, from
	if from == end {
		s.Clear(from)
	}
	t := s.At(to)
	s.At(t.Prev).Next, s.At(first).Prev = first, t.Prev
	s.At(last).Next, t.Prev = to, last
}

// Detach empties the ring at head and returns its first and last record; the records
// still lead from one to the next and end at head, in both directions. It serves a walk
// from both ends that puts each of them elsewhere. O(1).
func (s *Store) Detach(head uint32) (first, last uint32) {
	h := s.At(head)
	first, last = h.Next, h.Prev
	h.Next, h.Prev = head, head
	s.Clear(head)
	return first, last
}

// First returns the first Key of the ring at head, which is not empty. O(1).
func (s *Store) First(head uint32) uint64 { return s.At(s.At(head).Next).Key }

// Least returns the lowest Key of the ring at head, or the highest number if it
// is empty. O(length).
func (s *Store) Least(head uint32) (least uint64) {
	least = ^uint64(0)
	for i := s.At(head).Next; i != head; i = s.At(i).Next {
		least = min(least, s.At(i).Key)
	}
	return least
}

// Lower takes by off the Key of every record of the ring at head, which are all
// higher. O(length).
func (s *Store) Lower(head uint32, by uint64) {
	visits := uint64(0)
	for i := s.At(head).Next; i != head; visits++ {
		r := s.At(i)
		r.Key -= by
		i = r.Next
	}
	s.Tally.Visits += visits
}

// PlaceFromHead returns the record, or the head, before which a timer with this
// key belongs in the ring at head, sorted by key with equal keys in the order of
// their starts. It searches from the smallest key: O(timers passed).
func (s *Store) PlaceFromHead(head uint32, key uint64) uint32 {
	compares := uint64(0)
	at := s.At(head).Next
	for at != head {
		r := s.At(at)
		compares++
		if r.Key > key {
			break
		}
		at = r.Next
	}
	s.Tally.Compares += compares
	return at
}
