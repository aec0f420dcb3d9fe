package store

import (
	"fmt"
	"unsafe"

	"timerlab/schemes/internal/array"
)

// Header is the beginning of every record.
type Header struct {
	Link uint32 // the next free record; the owner's own while the record is in use
	Gen  uint32 // the generation, which only rises; it is the owner's, the slab keeps it
}

// Slab is an array of records R, each of which begins with a Header, and the lists of
// those that are free. A record is named by its index, from 1.
//
// A record that is freed goes to one list, which is taken from last in, first out: what was freed
// last may still be in the cache.
//
// For giving memory back, records belong to segments of about 2 MiB, each with a free list of its own.
// When fewer than half of the records are in use that were when records were last made, settle moves
// free records to the lists of their segments, a few at every Put. A segment that has all of its own
// gives its memory back, and the generations of its records go on where they were, so no handle ever
// names a second timer. Records are taken from segments' lists again when the first list is empty.
type Slab[R any] struct {
	array.Array[R]
	free  uint32 // the first free record that is in no segment's list, or 0
	inUse uint32 // records that are taken
	trim  uint32 // Put settles while fewer records than this are in use
	segs  []segment
	fill  uint32 // the segment that more looked at last
	spare uint32 // the one empty segment that is kept, so that a start and a stop in turn do not thrash
	keep  int    // segments made at first: never given back
	limit int    // records that may be made
}

type segment struct {
	free  uint32 // the first record of its free list, or 0
	count uint32 // records in that list
	used  uint32 // records made since the segment has memory
	gen   uint32 // the generation from which its records go on
}

const (
	firstLen  = 64                 // records in the smallest slab
	stateBits = 7                  // of a generation: an owner may have a state there
	spent     = ^uint32(stateBits) // from this generation on a record is not used again
)

// NewSlab returns a slab with room for this many records, of `limit` at most. The first `fixed` of
// them are in use and never put back. O(fixed).
func NewSlab[R any](fixed, records, limit int, inHeap bool) Slab[R] {
	s := Slab[R]{Array: array.New[R](inHeap), limit: limit}
	s.Grow(min(max(fixed+records, firstLen), limit))
	s.segs = make([]segment, (s.Len()+s.segLen()-1)>>s.shift())
	s.keep = len(s.segs)
	s.inUse = uint32(fixed)
	for n := range s.segs {
		s.segs[n].used = uint32(min(max(fixed-n<<s.shift(), 0), s.segLen()))
	}
	return s
}

// shift returns log2 of the records in a segment.
func (s *Slab[R]) shift() int { return array.SegmentBits[R]() }

func (s *Slab[R]) segLen() int { return 1 << s.shift() }

// HasRoom reports whether a record can be taken, and makes room if there is none. O(1), except
// when memory must be allocated.
func (s *Slab[R]) HasRoom() bool {
	for s.free != 0 || s.more() {
		h := header(s.At(s.free))
		if h.Gen < spent {
			return true
		}
		s.free = h.Link // its generations are used up: it is in no list any more
	}
	return false
}

// Take takes the first free record, after HasRoom. Its Header.Link is the caller's from now on.
// O(1).
func (s *Slab[R]) Take() (i uint32, r *R) {
	i = s.free
	r = s.At(i)
	s.free = header(r).Link
	s.inUse++
	return i, r
}

// Put ends the use of record i, which is r. It is free then. O(1), except where memory is given back.
func (s *Slab[R]) Put(i uint32, r *R) {
	header(r).Link = s.free
	s.free = i
	s.inUse--
	if s.inUse < s.trim {
		s.settle()
	}
}

// header returns the beginning of a record.
func header[R any](r *R) *Header { return (*Header)(unsafe.Pointer(r)) }

// settle moves some free records to the lists of their segments, and does so at every Put until none
// is left. O(1), except where memory is given back.
func (s *Slab[R]) settle() {
	s.trim = ^uint32(0)
	for range 4 {
		i := s.free
		if i == 0 {
			s.trim = (s.inUse + 1) / 2
			return
		}
		h, g := header(s.At(i)), &s.segs[i>>s.shift()]
		s.free = h.Link
		h.Link = g.free
		g.free = i
		if g.count++; g.count == g.used {
			s.emptied(i >> s.shift())
		}
	}
}

// OffHeap returns the bytes of records that are not in Go's heap. O(segments).
func (s *Slab[R]) OffHeap() int {
	n := s.Len()
	for at, g := range s.segs {
		if at >= s.keep && g.used == 0 { // given back
			n -= s.segLen()
		}
	}
	return s.Array.OffHeap(n)
}

// InUse returns the number of records that are taken. O(1).
func (s *Slab[R]) InUse() int { return int(s.inUse) }

// more finds free records, or makes some, where there is none in the first list, or returns false if
// there is no room. O(segments), about once a segment, and else O(1).
func (s *Slab[R]) more() bool {
	for at := s.find(); int(at)<<s.shift() < s.limit; at++ {
		if int(at) == len(s.segs) {
			s.segs = append(s.segs, segment{})
		}
		g := &s.segs[at]
		if g.free == 0 {
			s.makeRecords(at)
		}
		if g.free != 0 {
			s.fill, s.free = at, g.free
			g.free, g.count = 0, 0
			if len(s.segs) > s.keep {
				s.trim = (s.inUse + 1) / 2
			}
			return true
		}
	}
	return false
}

// find returns the segment to look at first: the one found last, while it has memory that was never
// used; else one with free records, which is in use if there is such a one; else the first.
func (s *Slab[R]) find() (at uint32) {
	if g := &s.segs[s.fill]; g.used > 0 && g.used < uint32(s.segLen()) && int(s.fill)<<s.shift()+int(g.used) < s.Len() {
		return s.fill
	}
	for k := range uint32(len(s.segs)) {
		n := (s.fill + k) % uint32(len(s.segs)) // those before have been used up, one after the other
		switch g := &s.segs[n]; {
		case g.free != 0 && g.count < g.used:
			return n
		case g.free != 0:
			at = n
		}
	}
	return at
}

// makeRecords puts the next records of a segment that were never taken into its list, about 2 KiB of
// them, if there are any.
func (s *Slab[R]) makeRecords(at uint32) {
	g := &s.segs[at]
	i, end := int(at)<<s.shift()+int(g.used), min(int(at+1)<<s.shift(), s.limit)
	if i >= end {
		return
	}
	if i >= s.Len() {
		s.Grow(min(array.Grown(s.Len(), i+1, s.segLen()), end))
	} else if g.used == 0 {
		s.Restore(uint32(i), uint32(min(end, s.Len())))
	}
	end = min(end, s.Len(), i+s.segLen()>>10)
	g.used += uint32(end - i)
	for k := end - 1; k >= max(i, 1); k-- { // 0 names no record
		*header(s.At(uint32(k))) = Header{Gen: g.gen, Link: g.free}
		g.free = uint32(k)
		g.count++
	}
}

// emptied gives the memory of segment n back, all of whose records are in its list, if another empty
// one remains, and none of its records has almost used up its generations.
func (s *Slab[R]) emptied(n uint32) {
	if int(n) < s.keep || s.spare == n {
		return
	}
	if g := &s.segs[s.spare]; int(s.spare) < s.keep || g.count < g.used {
		s.spare = n
		return
	}
	from := n << s.shift()
	to := from + s.segs[n].used
	top := uint32(0)
	for i := from; i < to; i++ {
		top = max(top, header(s.At(i)).Gen)
	}
	if top < spent-stateBits {
		s.segs[n] = segment{gen: (top + stateBits) &^ stateBits}
		s.Forget(from, to)
	}
}

// Check verifies that every record is either free, in use or retired, and that the counts say so.
// inUse judges a record that was made. O(records).
func (s *Slab[R]) Check(inUse func(i uint32, r *R) (bool, error)) error {
	free := map[uint32]bool{}
	if _, err := s.walkFree(s.free, free, func(uint32) bool { return true }); err != nil {
		return err
	}
	all := 0
	for n := range uint32(len(s.segs)) {
		g, first := &s.segs[n], n<<s.shift()
		if int(g.used) > s.segLen() || int(first+g.used) > s.Len() {
			return fmt.Errorf("segment %d: %d records used of %d", n, g.used, s.segLen())
		}
		count, err := s.walkFree(g.free, free, func(i uint32) bool { return i>>s.shift() == n })
		if err == nil && count != int(g.count) {
			err = fmt.Errorf("%d free records, the count says %d", count, g.count)
		}
		if err != nil {
			return fmt.Errorf("segment %d: %w", n, err)
		}
		for i := first; i < first+g.used; i++ {
			taken, err := inUse(i, s.At(i))
			switch {
			case err != nil:
				return err
			case taken && free[i]:
				return fmt.Errorf("record %d is in use, but in the free list", i)
			case !taken && !free[i] && i > 0 && header(s.At(i)).Gen < spent:
				return fmt.Errorf("record %d is lost: neither in use nor in the free list", i)
			case taken:
				all++
			}
		}
	}
	if all != int(s.inUse) {
		return fmt.Errorf("%d records are in use, the count says %d", all, s.inUse)
	}
	return nil
}

// walkFree adds the records of a free list, all of which must be those that the list takes, to a set,
// and returns their number.
func (s *Slab[R]) walkFree(i uint32, free map[uint32]bool, takes func(i uint32) bool) (n int, err error) {
	for ; i != 0; i = header(s.At(i)).Link {
		seg := int(i >> s.shift())
		switch {
		case seg >= len(s.segs) || i&uint32(s.segLen()-1) >= s.segs[seg].used || !takes(i):
			return 0, fmt.Errorf("free list holds record %d, which was never taken", i)
		case free[i]:
			return 0, fmt.Errorf("free list is a circle")
		}
		free[i] = true
		n++
	}
	return n, nil
}
