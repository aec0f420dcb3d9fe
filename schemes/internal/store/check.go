package store

import (
	"fmt"
	"slices"
)

// CheckStore verifies a store: the records, the due list, and that every live timer
// is either due or found by waiting, which walks the scheme's own structure and
// returns how many timers wait in it.
func (s *Store) CheckStore(waiting func() (int, error)) error {
	return s.InScheme(s.check(waiting))
}

func (s *Store) check(waiting func() (int, error)) error {
	if err := s.checkRecords(); err != nil {
		return err
	}
	due := 0
	err := s.Walk(Due, func(i uint32, r *Record) error {
		due++
		if r.Key != 0 {
			return fmt.Errorf("record %d in the due list is marked as waiting", i)
		}
		return nil
	})
	if err != nil {
		return err
	}
	n, err := waiting()
	if err != nil {
		return err
	}
	if n+due != s.live {
		return fmt.Errorf("%d timers wait and %d are due, Len says %d", n, due, s.live)
	}
	return nil
}

// CheckRing verifies the ring at head, whose timers all wait, and its bit, and
// calls accept for each timer; it returns their number.
func (s *Store) CheckRing(head uint32, accept func(i uint32, r *Record) error) (int, error) {
	n := 0
	err := s.Walk(head, func(i uint32, r *Record) error {
		n++
		if r.Key == 0 {
			return fmt.Errorf("record %d waits in ring %d but is marked as due", i, head)
		}
		return accept(i, r)
	})
	if err == nil {
		err = s.CheckBit(head, n > 0)
	}
	return n, err
}

// CheckBit verifies what ticks and searches believe of the ring at head.
func (s *Store) CheckBit(head uint32, occupied bool) error {
	if s.Occupied(head) != occupied {
		return fmt.Errorf("the bit of ring %d says occupied: %t, but it is %t", head, !occupied, occupied)
	}
	return nil
}

// Walk verifies the ring at head and calls visit for each of its records; it
// ends at the first that visit refuses. It reads at most Len()+1 records, also
// of a ring whose links are broken. O(length).
func (s *Store) Walk(head uint32, visit func(i uint32, r *Record) error) error {
	prev := head
	for left := s.live; ; left-- {
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
			return fmt.Errorf("ring %d: longer than the %d live timers", head, s.live)
		}
		if r.gen&1 == 0 {
			return fmt.Errorf("ring %d: record %d holds no timer", head, i)
		}
		if err := visit(i, r); err != nil {
			return err
		}
		prev = i
	}
}

// member returns record i, or an error if the store has no such record.
func (s *Store) member(i uint32) (*Record, error) {
	if n := int(i >> segBits); n < len(s.records) && int(i&segMask) < len(s.records[n]) {
		return s.At(i), nil
	}
	return nil, fmt.Errorf("link to record %d, which does not exist", i)
}

// Check verifies that every record is either free, live or retired, and that
// each segment's counts say so. O(records).
func (s *Store) checkRecords() error {
	live := 0
	for n := range s.segs {
		k, err := s.checkSegment(n)
		if err != nil {
			return fmt.Errorf("segment %d: %w", n, err)
		}
		live += k
	}
	if live != s.live {
		return fmt.Errorf("%d records are live, Len says %d", live, s.live)
	}
	if err := s.Bitmap.Check(); err != nil {
		return err
	}
	return s.CheckLists(len(s.segs), func(n uint32) (gone, room, empty bool) {
		gone = s.records[n] == nil
		return gone, !gone && !s.full(n), !gone && s.segs[n].live == 0
	})
}

func (s *Store) checkSegment(n int) (live int, err error) {
	seg, records := &s.segs[n], s.records[n]
	if int(seg.used) > len(records) {
		return 0, fmt.Errorf("%d records used of %d", seg.used, len(records))
	}
	heads, retired := s.headsOf(n), 0
	for at, r := range records[:seg.used] {
		switch {
		case at < heads:
			if r.gen != 0 {
				return 0, fmt.Errorf("head %d has generation %d, heads have none", at, r.gen)
			}
		case r.gen == 0:
			retired++
		case r.gen&1 == 1:
			live++
		}
	}
	free, err := s.freeList(n)
	if err != nil {
		return 0, err
	}
	if int(seg.live) != live+heads {
		return 0, fmt.Errorf("live count %d, found %d", seg.live, live+heads)
	}
	if free+live+heads+retired != int(seg.used) {
		return 0, fmt.Errorf("%d free, %d live and %d retired records do not make up the %d used",
			free, live+heads, retired, seg.used)
	}
	return live, nil
}

// headsOf returns how many of segment n's used records, which are the first ones,
// are heads.
func (s *Store) headsOf(n int) int {
	used := int(s.segs[n].used)
	if slices.Contains(s.rings, uint32(n)) {
		return used
	}
	return min(max(int(s.heads)-n<<segBits, 0), used)
}

func (s *Store) freeList(n int) (length int, err error) {
	seg, records := &s.segs[n], s.records[n]
	for at := seg.free; at != none; at = records[at].Next {
		if at >= seg.used || records[at].gen&1 == 1 {
			return 0, fmt.Errorf("free list holds record %d, which is not free", at)
		}
		if records[at].gen > seg.maxGen {
			return 0, fmt.Errorf("free record %d has generation %d, above the segment's highest, %d",
				at, records[at].gen, seg.maxGen)
		}
		if length++; length > int(seg.used) {
			return 0, fmt.Errorf("free list is a circle")
		}
	}
	return length, nil
}

// Live returns record i if it exists and holds a timer. O(1).
func (s *Store) Live(i uint32) (*Record, bool) {
	r, err := s.member(i)
	return r, err == nil && r.gen&1 == 1
}
