package store

import (
	"fmt"
	"unsafe"
)

// Check verifies that every record is either free, in use or retired, and that the segments'
// counts say so. inUse judges a record that was taken at least once. O(records).
func (s *Slab[R]) Check(inUse func(i uint32, r *R) (bool, error)) error {
	s.save()
	all := 0
	for n := range s.segs {
		live, err := s.checkSegment(uint32(n), inUse)
		if err != nil {
			return fmt.Errorf("segment %d: %w", n, err)
		}
		all += live
	}
	if all != int(s.inUse) {
		return fmt.Errorf("%d records are in use, the count says %d", all, s.inUse)
	}
	return nil
}

func (s *Slab[R]) checkSegment(n uint32, inUse func(i uint32, r *R) (bool, error)) (live int, err error) {
	g, first := &s.segs[n], n<<s.shift()
	if int(g.used) > s.segLen() || int(first+g.used) > s.Len() {
		return 0, fmt.Errorf("%d records used of %d", g.used, s.segLen())
	}
	free, err := s.freeOf(n)
	if err != nil {
		return 0, err
	}
	for i := max(first, 1); i < first+g.used; i++ {
		r := s.At(i)
		taken, err := inUse(i, r)
		if i == s.nextFree {
			if taken {
				return 0, fmt.Errorf("record %d is in use, but to be taken next", i)
			}
			taken = true
		}
		switch gen := (*Header)(unsafe.Pointer(r)).Gen; {
		case err != nil:
			return 0, err
		case taken && free[i]:
			return 0, fmt.Errorf("record %d is in use, but in the free list", i)
		case !taken && !free[i] && gen < spent:
			return 0, fmt.Errorf("record %d is lost: neither in use nor in the free list", i)
		case taken:
			live++
		}
	}
	if first == 0 && g.used > 0 && g.live == uint32(live)+1 { // record 0 is no timer's
		live++
	}
	if int(g.live) != live {
		return 0, fmt.Errorf("live count %d, found %d", g.live, live)
	}
	return live, nil
}

// freeOf returns the free records of segment n.
func (s *Slab[R]) freeOf(n uint32) (map[uint32]bool, error) {
	free := map[uint32]bool{}
	for i := s.segs[n].free; i != 0; i = (*Header)(unsafe.Pointer(s.At(i))).Next {
		switch {
		case i>>s.shift() != n || i&uint32(s.segLen()-1) >= s.segs[n].used:
			return nil, fmt.Errorf("free list holds record %d, which was never taken", i)
		case free[i]:
			return nil, fmt.Errorf("free list is a circle")
		}
		free[i] = true
	}
	return free, nil
}
