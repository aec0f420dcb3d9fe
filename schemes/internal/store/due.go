package store

import "timerlab/schemes"

// Due is the head of the ring of due timers, in every store; a scheme's own
// heads follow. A timer in it has Key 0.
const Due uint32 = 0

// AnyDue reports whether a timer is due and not yet handed out. O(1).
func (s *Store) AnyDue() bool { return s.At(Due).Next != Due }

// AddDue puts record i, which is r and has left its ring, at the end of the due list.
// O(1).
func (s *Store) AddDue(i uint32, r *Record) {
	r.Key = 0
	s.Insert(Due, i, r)
	s.Tally.Links++
}

// MoveDue moves the timers of the ring at head, up to but without record end, to
// the due list, and returns their number. With end = head that is all of them.
// O(timers moved).
//
// It walks from both ends, so that two records are loaded from memory at a time: with
// 100,000 timers, a tick takes 1.5 times as long from one end.
func (s *Store) MoveDue(head, end uint32) (moved int) {
	i, k := s.At(head).Next, s.At(end).Prev
	for i != end && i != k {
		front, back := s.At(i), s.At(k)
		front.Key, back.Key = 0, 0
		moved += 2
		if i = front.Next; i == k {
			i = end
		}
		k = back.Prev
	}
	if i != end {
		s.At(i).Key = 0
		moved++
	}
	s.Splice(head, end, Due)
	s.Tally.Visits += uint64(moved)
	s.Tally.Links += uint64(moved)
	return moved
}

// Countdown takes 1 off the Key of every timer of the ring at head, moves those that reach
// 0 to the due list and returns their number. O(length of the ring).
//
// It walks from both ends, so that two records are loaded at a time. From one end, a list
// of 1,000 timers takes half as long again.
func (s *Store) Countdown(head uint32) int {
	i, k := s.At(head).Next, s.At(head).Prev
	visited, due := 0, 0
	for i != k {
		front, back := s.At(i), s.At(k)
		front.Key--
		back.Key--
		if front.Key == 0 {
			due++
		}
		if back.Key == 0 {
			due++
		}
		visited += 2
		if i = front.Next; i == k {
			return s.MoveZeros(head, visited, due)
		}
		k = back.Prev
	}
	if i != head {
		visited++
		last := s.At(i)
		if last.Key--; last.Key == 0 {
			due++
		}
	}
	return s.MoveZeros(head, visited, due)
}

// MoveZeros moves those timers of the ring at head to the due list, in their order, whose
// Key has become 0: `due` of the `visited` in the ring. It writes a link only where a
// timer leaves, and returns due. O(length up to the last).
func (s *Store) MoveZeros(head uint32, visited, due int) int {
	s.Tally.Visits += uint64(visited)
	s.Tally.Links += uint64(due)
	if due == visited {
		s.Splice(head, head, Due)
		return due
	}
	stay := head // the last record that stays
	for left := due; left > 0; {
		first := s.At(stay).Next
		i := first
		for r := s.At(i); r.Key == 0 && i != head; r = s.At(i) {
			i = r.Next
			left--
		}
		if i != first {
			s.Splice(stay, i, Due)
		}
		stay = i
	}
	return due
}

// MoveExpired moves the timers at the front of the sorted ring at head whose key, a
// deadline, has been reached to the due list, and returns their number. It looks at one
// more timer, if there is one. O(1 + timers moved).
func (s *Store) MoveExpired(head uint32) int {
	i := s.At(head).Next
	for i != head && s.At(i).Key <= uint64(s.Now) {
		i = s.At(i).Next
	}
	if i != head {
		s.Tally.Visits++
	}
	if i == s.At(head).Next { // as on most ticks
		return 0
	}
	return s.MoveDue(head, i)
}

// Expire hands out the due timers. Each is forgotten before its action runs and
// the list is read again after it, so an action may start and stop any timer, or
// panic. O(due timers).
func (s *Store) Expire(action func(schemes.ID)) {
	for i := s.At(Due).Next; i != Due; i = s.At(Due).Next {
		r := s.At(i)
		id := r.ID
		s.At(Due).Next, s.At(r.Next).Prev = r.Next, Due
		s.Free(i, r)
		action(id)
	}
}
