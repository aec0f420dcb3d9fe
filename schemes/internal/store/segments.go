package store

import (
	"unsafe"

	"timerlab/schemes/internal/array"
)

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
