package store

import "unsafe"

// Header is the beginning of every record.
type Header struct {
	Gen  uint32 // the generation, which only rises; it is the owner's, the slab keeps it
	Next uint32 // the next free record; the owner's own while the record is in use
}

// Slab is an array of records R, each of which begins with a Header, and the list of
// those that are free. A record is named by its index, from 1. The record that was freed
// last is taken first: it may still be in the cache.
//
// For giving memory back, records are counted in segments of some MiB, and each segment has a
// free list of its own. The one that a record was put into last is open: the next records are
// taken from it. The memory of a segment that empties after a peak is given back, and the
// generations of its records go on where they were, so no handle ever names a second timer.
type Slab[R any] struct {
	Array[R]
	hot       uint32 // a record that was put and is taken next, or 0; the segments count it as taken
	free      uint32 // the first free record of the open segment, or 0
	inUse     uint32 // records that are taken
	elsewhere uint32 // of these, those in other segments than the open one
	open      uint32
	segs      []segment // free and live of the open one are kept above
	fill      uint32    // the segment that more looked at last
	spare     uint32    // the one empty segment that is kept, so that a start and a stop in turn do not thrash
	keep      int       // segments made at first: never given back
	limit     int       // records that may be made
}

type segment struct {
	free uint32 // the first free record, or 0
	live uint32 // records in use
	used uint32 // records taken at least once since the segment has memory
	gen  uint32 // the generation from which its records go on
}

const (
	firstLen = 64         // records in the smallest slab
	spent    = ^uint32(7) // from this generation on a record is not used again
)

// NewSlab returns a slab with room for this many records, of `limit` at most.
func NewSlab[R any](records, limit int, inHeap bool) Slab[R] {
	s := Slab[R]{Array: Array[R]{inHeap: inHeap}, limit: limit}
	s.Grow(min(max(records, firstLen), limit))
	s.segs = make([]segment, (s.Len()+s.segLen()-1)>>s.shift())
	s.keep = len(s.segs)
	return s
}

// shift returns log2 of the records in a segment. It is a constant once compiled.
func (s *Slab[R]) shift() int {
	var r R
	if unsafe.Sizeof(r) <= 32 {
		return 17
	}
	return 14
}

func (s *Slab[R]) segLen() int { return 1 << s.shift() }

// HasRoom reports whether a record can be taken, and makes room if there is none. O(1), except
// when memory must be allocated.
func (s *Slab[R]) HasRoom() bool { return s.hot|s.free != 0 || s.more() }

// Take takes a free record, of which there is one. Its Header.Next is the caller's from now on.
// O(1).
func (s *Slab[R]) Take() (i uint32, r *R) {
	if i = s.hot; i != 0 {
		s.hot = 0
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
	if s.hot == 0 && (*Header)(unsafe.Pointer(r)).Gen < spent {
		s.hot = i
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
	if s.inUse == s.elsewhere {
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
	g.free, g.live = s.free, s.inUse-s.elsewhere
}

func (s *Slab[R]) load(n uint32) {
	g := &s.segs[n]
	s.open, s.free, s.elsewhere = n, g.free, s.inUse-g.live
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
	if s.hot != 0 {
		return int(s.inUse) - 1
	}
	return int(s.inUse)
}

// more opens a segment with a free record, or returns false if there is no room. It looks at
// the one that it found last, then at the others, those in use first, and adds one if all are
// full. O(segments).
func (s *Slab[R]) more() bool {
	s.save()
	n := uint32(len(s.segs))
	for _, empty := range []bool{false, true} {
		for k := range n {
			if at := (s.fill + k) % n; (s.segs[at].live == 0) == empty && s.refill(at) {
				s.fill = at
				s.load(at)
				return true
			}
		}
	}
	if int(n)<<s.shift() >= s.limit {
		return false
	}
	s.segs = append(s.segs, segment{})
	s.fill = n
	s.refill(n)
	s.load(n)
	return true
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
		s.Grow(min(grown(s.Len(), i+1, s.segLen()), end))
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

// Run takes n records in a row that were never taken before, for good, and returns the
// first. false: there is no room for them, and nothing changed. The owner never puts them
// back. O(n).
func (s *Slab[R]) Run(n int) (first uint32, ok bool) {
	at := len(s.segs) // the first segment that was never used
	for at > 0 && s.segs[at-1] == (segment{}) {
		at--
	}
	from := at << s.shift()
	if at > 0 && s.segs[at-1].gen == 0 { // the one before has unused records at its end
		from = (at-1)<<s.shift() + int(s.segs[at-1].used)
	}
	if n < 1 || n > s.limit-from {
		return 0, false
	}
	first = uint32(from)
	s.Grow(from + n)
	s.save()
	for n > 0 {
		at := from >> s.shift()
		if at == len(s.segs) {
			s.segs = append(s.segs, segment{})
		}
		g, k := &s.segs[at], min(n, s.segLen()-from&(s.segLen()-1))
		g.used += uint32(k)
		g.live += uint32(k)
		s.inUse += uint32(k)
		from += k
		n -= k
	}
	s.load(s.open)
	return first, true
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
	if top < spent {
		s.segs[n] = segment{gen: top}
		s.free = 0
		s.Forget(from, to)
	}
}
