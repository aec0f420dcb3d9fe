package store

import "runtime"

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
