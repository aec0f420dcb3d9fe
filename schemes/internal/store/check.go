package store

import "fmt"

// CheckStore verifies a store: the records, the due list, and that every live timer
// is either due or found by waiting, which walks the scheme's own structure and
// returns how many timers wait in it.
func (s *Store) CheckStore(waiting func() (int, error)) error {
	n, due, err := 0, 0, s.checkRecords()
	if err == nil {
		err = s.walk(Due, func(i uint32, r *Record) error {
			due++
			switch {
			case r.Key != 0:
				return fmt.Errorf("record %d in the due list is marked as waiting", i)
			case r.Link == NoTimer: // its record would be stopped from its next start on
				return fmt.Errorf("timer %d is due but marked as stopped", r.ID)
			}
			return nil
		})
	}
	if err == nil {
		n, err = waiting()
	}
	if err == nil && n+due != s.Len() {
		err = fmt.Errorf("%d timers wait and %d are due, Len says %d", n, due, s.Len())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return nil
}

// CheckRing verifies the ring at head, whose timers all wait, and its bit, without which ticks and
// searches pass over it, and calls accept for each timer; it returns their number.
func (s *Store) CheckRing(head uint32, accept func(i uint32, r *Record) error) (int, error) {
	n, err := s.CheckList(head, accept)
	if err == nil && n > 0 && !s.Bitmap.Occupied(head) {
		err = fmt.Errorf("the bit of ring %d says occupied: false, but it holds a timer", head)
	}
	return n, err
}

// CheckList is CheckRing of a ring that needs no bit.
func (s *Store) CheckList(head uint32, accept func(i uint32, r *Record) error) (int, error) {
	n := 0
	err := s.walk(head, func(i uint32, r *Record) error {
		n++
		if r.Key == 0 {
			return fmt.Errorf("record %d waits in ring %d but is marked as due", i, head)
		}
		return accept(i, r)
	})
	return n, err
}

// walk verifies the ring at head and calls visit for each of its records; it
// ends at the first that visit refuses. It reads at most Len()+1 records, also
// of a ring whose links are broken. O(length).
func (s *Store) walk(head uint32, visit func(i uint32, r *Record) error) error {
	prev := head
	for left := s.Len(); ; left-- {
		i := s.At(prev).Next
		r, err := s.member(i)
		if err != nil {
			return err
		}
		if r.Prev != prev {
			return fmt.Errorf("ring %d: record %d does not lead back to %d", head, i, prev)
		}
		if i == head {
			return nil
		}
		if left == 0 {
			return fmt.Errorf("ring %d: longer than the %d live timers", head, s.Len())
		}
		if r.Link != i && r.Link != NoTimer {
			return fmt.Errorf("ring %d: record %d holds no timer", head, i)
		}
		if err := visit(i, r); err != nil {
			return err
		}
		prev = i
	}
}

func (s *Store) member(i uint32) (*Record, error) {
	if uint(i) < uint(s.records.Len()) {
		return s.At(i), nil
	}
	return nil, fmt.Errorf("link to record %d, which does not exist", i)
}

// Live returns record i if it exists and holds a timer. O(1).
func (s *Store) Live(i uint32) (*Record, bool) {
	r, err := s.member(i)
	return r, err == nil && r.Link == i
}

// checkRecords verifies that every record is either free, live, retired or a head. O(records).
func (s *Store) checkRecords() error {
	return s.records.Check(func(i uint32, r *Record) (inUse bool, err error) {
		if int(i) < s.heads && r.Link != NoTimer {
			return true, fmt.Errorf("head %d has a handle, as a timer", i)
		}
		return r.Link == i || r.Link == NoTimer, nil
	})
}
