package store

import (
	"fmt"
	"slices"
)

// Walk verifies the ring at head and calls visit for each of its records; it
// ends at the first that visit refuses. It reads at most Len()+1 records, also
// of a ring whose links are broken. O(length).
func (s *Store) Walk(head uint32, visit func(i uint32, r *Record) error) error {
	prev := head
	for left := s.live; ; left-- {
		i := s.At(prev).next
		r, err := s.member(i)
		if err != nil {
			return err
		}
		if r.prev != prev {
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
	return s.checkLists()
}

// checkLists verifies the lists of segments.
func (s *Store) checkLists() error {
	return CheckLists(len(s.segs), s.open, s.returned, s.spare, func(n uint32) (gone, room, empty bool) {
		gone = s.records[n] == nil
		return gone, !gone && !s.full(n), !gone && s.segs[n].live == 0
	})
}

// CheckLists verifies the lists of a store of segments, this one's or another's: a segment
// is open if and only if it has room and memory, those given back have no memory, and the
// spare one is empty.
func CheckLists(
	segments int, open, returned []uint32, spare uint32, state func(n uint32) (gone, room, empty bool),
) error {
	times := func(list []uint32, n uint32) (count int) {
		for _, other := range list {
			if other == n {
				count++
			}
		}
		return count
	}
	one := map[bool]int{true: 1}
	for n := range uint32(segments) {
		gone, room, empty := state(n)
		switch back, opened := times(returned, n), times(open, n); {
		case back != one[gone]:
			return fmt.Errorf("segment %d is %d times among those given back (should be %d)", n, back, one[gone])
		case opened != one[room]:
			return fmt.Errorf("segment %d is %d times among the open ones (should be %d)", n, opened, one[room])
		case spare == n && !empty:
			return fmt.Errorf("segment %d is the spare one but not empty", n)
		}
	}
	return nil
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
	for at := seg.free; at != none; at = records[at].next {
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
