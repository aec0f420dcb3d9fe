package store

import (
	"runtime"
)

// Occupied reports whether the ring at head holds a timer. It clears the head's bit if
// not. O(1).
func (s *Store) Occupied(head uint32) bool {
	return s.Bitmap.Occupied(head) && !s.empty(head)
}

// empty clears the bit of the ring at head if it is empty, and reports that.
func (s *Store) empty(head uint32) bool {
	if s.At(head).Next != head {
		return false
	}
	s.Clear(head)
	return true
}

// NextOccupied returns the first head from `from` to end-1 whose ring holds a timer, or end
// if there is none. O(1 + (end-from)/4096), and O(1) for each ring that has become empty
// since a search.
func (s *Store) NextOccupied(from, end uint32) uint32 {
	head := s.Bitmap.NextOccupied(from, end)
	for head < end && s.empty(head) {
		head = s.Bitmap.NextOccupied(head+1, end)
	}
	return head
}

// NextCircular is Bitmap.NextCircular for rings.
func (s *Store) NextCircular(first, n, position, from, most uint32) (ahead uint32, ok bool) {
	ahead, ok = s.Bitmap.NextCircular(first, n, position, from, most)
	for ok && s.empty(first+(position+ahead)%n) {
		ahead, ok = s.Bitmap.NextCircular(first, n, position, ahead+1, most)
	}
	return ahead, ok
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
	runtime.KeepAlive(s)
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
