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

// Slab is an array of records R, each of which begins with a Header, and the list of the free
// ones. A record is named by its index, from 1.
//
// The list is taken from last in, first out: what was freed last may still be in the cache. Memory
// is kept until the slab is released, and so are the generations.
type Slab[R any] struct {
	array.Array[R]
	free  uint32 // the first free record, or 0
	inUse uint32 // records that are taken
	made  uint32 // records that are or were in the list or in use: the others are zero
	limit int    // records that may be made
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
	s.inUse, s.made = uint32(fixed), uint32(fixed)
	return s
}

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

// Put ends the use of record i, which is r. It is free then. O(1).
func (s *Slab[R]) Put(i uint32, r *R) {
	header(r).Link = s.free
	s.free = i
	s.inUse--
}

// header returns the beginning of a record.
func header[R any](r *R) *Header { return (*Header)(unsafe.Pointer(r)) }

// InUse returns the number of records that are taken. O(1).
func (s *Slab[R]) InUse() int { return int(s.inUse) }

// more makes records that were never taken, about 2 KiB of them, or returns false if there is no room.
func (s *Slab[R]) more() bool {
	from, segment := int(s.made), 1<<array.SegmentBits[R]()
	if from >= s.limit {
		return false
	}
	if from >= s.Len() {
		s.Grow(min(array.Grown[R](s.Len(), from+1), s.limit))
	}
	end := min(s.Len(), from+segment>>10)
	for i := end - 1; i >= max(from, 1); i-- { // 0 names no record
		header(s.At(uint32(i))).Link = s.free
		s.free = uint32(i)
	}
	s.made = uint32(end)
	return s.free != 0
}

// Check verifies that every record is either free, in use or retired, and that the counts say so.
// inUse judges a record that was made. O(records).
func (s *Slab[R]) Check(inUse func(i uint32, r *R) (bool, error)) error {
	if int(s.made) > s.Len() {
		return fmt.Errorf("%d records used of %d", s.made, s.Len())
	}
	free := make([]bool, s.made)
	for i := s.free; i != 0; i = header(s.At(i)).Link {
		switch {
		case i >= s.made:
			return fmt.Errorf("free list holds record %d, which was never taken", i)
		case free[i]:
			return fmt.Errorf("free list is a circle")
		}
		free[i] = true
	}
	all := uint32(0)
	for i := range s.made {
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
	if all != s.inUse {
		return fmt.Errorf("%d records are in use, the count says %d", all, s.inUse)
	}
	return nil
}
