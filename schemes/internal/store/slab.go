package store

import (
	"fmt"
	"unsafe"

	"timerlab/schemes/internal/array"
)

// Header is the beginning of every record.
type Header struct {
	Gen  uint32 // the generation, which only rises; it is the owner's, the slab keeps it
	Next uint32 // the next free record; the owner's own while the record is in use
}

// Slab is an array of records R, each of which begins with a Header, and the list of
// those that are free. A record is named by its index, from 1.
//
// One record that was freed, nextFree, is in no list and is taken next, since it may still be in the
// cache. The counts of the segments include it as taken; InUse does not. A record that is freed
// while there is such a one goes to a free list, which is taken from last in, first out.
//
// For giving memory back, records are counted in segments of about 2 MiB. Each segment has a
// free list of its own. The one that a record was put into last is open: the next records are
// taken from it. The memory of a segment that empties after a peak is given back, and the
// generations of its records go on where they were, so no handle ever names a second timer.
type Slab[R any] struct {
	array.Array[R]
	nextFree      uint32 // the record that is taken next, or 0
	free          uint32 // the first free record of the open segment, or 0
	inUse         uint32 // records that are taken
	otherSegments uint32 // of these, those in other segments than the open one
	open          uint32
	segs          []segment // free and live of the open one are kept above
	fill          uint32    // the segment that more looked at last
	spare         uint32    // the one empty segment that is kept, so that a start and a stop in turn do not thrash
	keep          int       // segments made at first: never given back
	limit         int       // records that may be made
}

type segment struct {
	free uint32 // the first free record, or 0
	live uint32 // records in use
	used uint32 // records taken at least once since the segment has memory
	gen  uint32 // the generation from which its records go on
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
		k := min(max(fixed-n<<s.shift(), 0), s.segLen())
		s.segs[n].used, s.segs[n].live = uint32(k), uint32(k)
	}
	s.load(0)
	return s
}

// shift returns log2 of the records in a segment.
func (s *Slab[R]) shift() int { return array.SegmentBits[R]() }

func (s *Slab[R]) segLen() int { return 1 << s.shift() }

// HasRoom reports whether a record can be taken, and makes room if there is none. O(1), except
// when memory must be allocated.
func (s *Slab[R]) HasRoom() bool { return s.nextFree|s.free != 0 || s.more() }

// Take takes a free record, of which there is one. Its Header.Next is the caller's from now on.
// O(1).
func (s *Slab[R]) Take() (i uint32, r *R) {
	if i = s.nextFree; i != 0 {
		s.nextFree = 0
		return i, s.At(i)
	}
	i = s.free
	r = s.At(i)
	s.free = (*Header)(unsafe.Pointer(r)).Next
	s.inUse++
	return i, r
}

// Put ends the use of record i, which is r. It is free then, unless its generations are used
// up. O(1), except where memory is given back.
func (s *Slab[R]) Put(i uint32, r *R) {
	if s.nextFree == 0 && (*Header)(unsafe.Pointer(r)).Gen < spent {
		s.nextFree = i
	} else {
		s.put(i, r)
	}
}

func (s *Slab[R]) put(i uint32, r *R) {
	if n := i >> s.shift(); n != s.open {
		s.save()
		s.load(n) // opens segment n
	}
	s.inUse--
	if h := (*Header)(unsafe.Pointer(r)); h.Gen < spent {
		h.Next = s.free
		s.free = i
	}
	if s.inUse == s.otherSegments {
		s.emptied()
	}
}

// save writes the state of the open segment to where that of the others is.
func (s *Slab[R]) save() {
	g := &s.segs[s.open]
	g.free, g.live = s.free, s.inUse-s.otherSegments
}

func (s *Slab[R]) load(n uint32) {
	g := &s.segs[n]
	s.open, s.free, s.otherSegments = n, g.free, s.inUse-g.live
}

// OffHeap returns the bytes of records that are not in Go's heap. O(segments).
func (s *Slab[R]) OffHeap() int {
	n := s.Len()
	for at, g := range s.segs {
		if at >= s.keep && g.used == 0 && g.live == 0 { // given back
			n -= s.segLen()
		}
	}
	return s.Array.OffHeap(n)
}

// InUse returns the number of records that are taken. O(1).
func (s *Slab[R]) InUse() int {
	if s.nextFree != 0 {
		return int(s.inUse) - 1
	}
	return int(s.inUse)
}

// more opens a segment with a free record, or returns false if there is no room. O(segments),
// about once a segment.
func (s *Slab[R]) more() bool {
	s.save()
	at := s.find()
	for ; int(at)<<s.shift() < s.limit; at++ {
		if int(at) == len(s.segs) {
			s.segs = append(s.segs, segment{})
		}
		if s.refill(at) {
			s.fill = at
			s.load(at)
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
		n := (s.open + k) % uint32(len(s.segs)) // those before have been used up, one after the other
		switch g := &s.segs[n]; {
		case g.free != 0 && g.live > 0:
			return n
		case g.free != 0:
			at = n
		}
	}
	return at
}

// refill reports whether a segment has a free record. If it has none, it gets its next one
// that was never taken.
func (s *Slab[R]) refill(at uint32) bool {
	g := &s.segs[at]
	if g.free != 0 {
		return true
	}
	i := int(at)<<s.shift() + int(g.used)
	if end := min(int(at+1)<<s.shift(), s.limit); i >= end {
		return false
	} else if i >= s.Len() {
		s.Grow(min(array.Grown(s.Len(), i+1, s.segLen()), end))
	} else if g.used == 0 {
		s.Restore(uint32(i), uint32(min(end, s.Len())))
	}
	if i == 0 { // 0 names no record
		g.used++
		return s.refill(at)
	}
	*(*Header)(unsafe.Pointer(s.At(uint32(i)))) = Header{Gen: g.gen}
	g.free = uint32(i)
	g.used++
	return true
}

// emptied gives the memory of the open segment back, which has become empty, if another empty
// one remains, and none of its records has almost used up its generations.
func (s *Slab[R]) emptied() {
	n := s.open
	s.segs[n].live = 0
	if int(n) < s.keep || s.spare == n {
		return
	}
	if int(s.spare) < s.keep || s.segs[s.spare].live > 0 {
		s.spare = n
		return
	}
	from := n << s.shift()
	to := from + s.segs[n].used
	top := uint32(0)
	for i := from; i < to; i++ {
		top = max(top, (*Header)(unsafe.Pointer(s.At(i))).Gen)
	}
	if top < spent-stateBits {
		s.segs[n] = segment{gen: (top + stateBits) &^ stateBits}
		s.free = 0
		s.Forget(from, to)
	}
}

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
