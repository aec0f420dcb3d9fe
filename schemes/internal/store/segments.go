package store

import (
	"fmt"
	"slices"
)

// Segments are the lists of a store's segments: of records here, or of a chunked
// scheme's records and chunks.
type Segments struct {
	Open     []uint32 // the segments with room, the next to take from last
	Returned []uint32 // the segments whose memory was given back
	Spare    uint32   // the one empty segment kept against thrashing, or None
	Keep     int      // segments made at first: never given back
}

// None is the Spare of a store that has none.
const None = ^uint32(0)

// Spares reports whether segment n, which is empty, is kept: as one of the first, or
// as the only empty one, so that starting and stopping in turn do not make and drop a
// segment each. O(1).
func (s *Segments) Spares(n uint32) bool {
	if int(n) < s.Keep {
		return true
	}
	if s.Spare == None {
		s.Spare = n
	}
	return s.Spare == n
}

// GiveBack moves segment n from the open ones to those given back. O(segments).
func (s *Segments) GiveBack(n uint32) {
	at := slices.Index(s.Open, n)
	s.Open = slices.Delete(s.Open, at, at+1)
	s.Returned = append(s.Returned, n)
}

// TakeBack returns the segment given back last, which needs memory again.
func (s *Segments) TakeBack() (n uint32) {
	last := len(s.Returned) - 1
	n = s.Returned[last]
	s.Returned = s.Returned[:last]
	return n
}

// CheckLists verifies the lists of this many segments: a segment is open if and only if it
// has room and memory, those given back have no memory, and the spare one is empty.
func (s *Segments) CheckLists(segments int, state func(n uint32) (gone, room, empty bool)) error {
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
		switch back, opened := times(s.Returned, n), times(s.Open, n); {
		case back != one[gone]:
			return fmt.Errorf("segment %d is %d times among those given back (should be %d)", n, back, one[gone])
		case opened != one[room]:
			return fmt.Errorf("segment %d is %d times among the open ones (should be %d)", n, opened, one[room])
		case s.Spare == n && !empty:
			return fmt.Errorf("segment %d is the spare one but not empty", n)
		}
	}
	return nil
}

const (
	segBits  = 15
	segLen   = 1 << segBits // records in a segment: 1 MiB
	segMask  = segLen - 1
	firstLen = 64 // records that the smallest store has room for
)

// segment is the state of segLen records, or fewer in the first.
type segment struct {
	free   uint32 // first record of the free list, by its place in the segment, or none
	used   uint32 // records handed out at least once since the segment was made
	live   uint32 // records that hold a timer or a head
	minGen uint32 // generation that a record without history starts from
	maxGen uint32 // highest generation of a freed record
}

// addSegment appends a segment with room for n records and opens it.
func (s *Store) addSegment(n int) {
	s.Open = append(s.Open, uint32(len(s.segs)))
	s.records = append(s.records, make([]Record, n))
	s.segs = append(s.segs, segment{free: none})
}

// full reports whether segment n has no record to hand out. It is among the
// open ones if and only if it is not full and not given back.
func (s *Store) full(n uint32) bool {
	return s.segs[n].free == none && int(s.segs[n].used) == len(s.records[n])
}

// grow opens a segment: it doubles a small first one, allocates one that was given
// back, or adds one.
func (s *Store) grow() bool {
	if len(s.records[0]) < segLen {
		return s.double()
	}
	if len(s.Returned) > 0 {
		n := s.TakeBack()
		s.records[n] = make([]Record, min(s.limit-int(n)*segLen, segLen))
		s.Open = append(s.Open, n)
		return true
	}
	room := s.limit - len(s.segs)*segLen
	if room > 0 {
		s.addSegment(min(room, segLen))
	}
	return room > 0
}

// double makes the small first segment larger, also where segments of heads follow
// it: every segment's indexes are its own from the start.
func (s *Store) double() bool {
	old := s.records[0]
	n := min(2*len(old), segLen, s.limit)
	if n == len(old) {
		return false
	}
	s.records[0] = make([]Record, n)
	copy(s.records[0], old)
	s.Open = append(s.Open, 0)
	return true
}

// emptied gives segment n back if another empty one remains.
func (s *Store) emptied(n uint32) {
	if s.segs[n].maxGen >= spent || s.Spares(n) {
		return
	}
	s.records[n] = nil
	s.GiveBack(n)
	s.segs[n] = segment{free: none, minGen: s.segs[n].maxGen, maxGen: s.segs[n].maxGen}
}

// AddHeads makes n more empty rings, which are never removed; their heads are the
// records from first on. false: there is no room for them, and nothing changed.
// They have segments of their own, no longer than needed, so rings that are added one
// by one cost no more memory than they need, except a bit for every index before them.
// A call uses up 32,768 indexes, or the next multiple that holds n. O(n).
func (s *Store) AddHeads(n int) (first uint32, ok bool) {
	next := len(s.segs) * segLen
	if n < 1 || n > s.limit-next {
		return 0, false
	}
	first = uint32(next)
	s.Extend(next + n)
	for ; n > 0; n -= segLen {
		s.addRings(min(n, segLen))
	}
	return first, true
}

// addRings appends a segment of n heads. It is full from the start and never
// empties, so it is neither opened nor given back.
func (s *Store) addRings(n int) {
	heads, at := make([]Record, n), uint32(len(s.segs))
	for i := range heads {
		self := at<<segBits + uint32(i)
		heads[i] = Record{Next: self, Prev: self}
	}
	s.rings = append(s.rings, at)
	s.records = append(s.records, heads)
	s.segs = append(s.segs, segment{free: none, used: uint32(n), live: uint32(n)})
}
