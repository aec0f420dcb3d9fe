package store

import (
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
		s.switchTo(n)
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

// switchTo opens segment n.
func (s *Slab[R]) switchTo(n uint32) {
	s.save()
	s.load(n)
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
