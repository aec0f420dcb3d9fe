package chunk

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
