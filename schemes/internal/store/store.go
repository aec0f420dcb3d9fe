// Package store holds what the timer modules of all schemes have in common: the
// records, the rings that they are linked in, the clock, the list of due timers, the
// counts. So comparing schemes never compares allocators. A scheme adds how timers wait
// until they are due, which is the only difference between schemes.
//
// Records live in segments of 32,768 and name each other by index. Growing adds
// a segment and copies nothing (only the first segment, while it is smaller
// than that, grows by doubling), so no Start waits for all timers to move. A
// segment holds no pointers: the garbage collector has nothing to scan but one
// slice header per segment. A segment that empties after a peak is given back.
//
// Indexes reach beyond 2^31, so the store is for 64-bit processors.
//
// A record's generation is odd while a timer lives in it and even otherwise. A
// handle is generation and index, so it goes stale the moment its timer ends.
// Generations only rise, also across a segment's giving back, and a record
// whose generations are used up is retired: no handle ever names a second timer.
package store

import (
	"fmt"
	"math"
	"slices"

	"timerlab/schemes"
)

const (
	segBits = 15
	segLen  = 1 << segBits // records in a segment: 1 MiB
	segMask = segLen - 1

	firstLen = 64                        // records that the smallest store has room for
	maxLen   = min(1<<32-1, math.MaxInt) // records that an index can name, except none
	none     = ^uint32(0)                // no record, no segment
	lastGen  = ^uint32(0)                // the odd generation after which a record is retired
	spent    = lastGen - 1               // a segment with such a generation is not given back
)

// Record is one timer, 32 bytes.
type Record struct {
	ID  schemes.ID
	Key uint64 // for the scheme: ticks left, rounds left or deadline; 0 once the timer is due

	next, prev uint32 // ring neighbours while live or a head; next is the free list's link otherwise
	gen        uint32
	Place      uint32 // where the record's entry is, in a scheme that keeps entries in another array
}

// segment is the state of segLen records, or fewer in the first.
type segment struct {
	free   uint32 // first record of the free list, by its place in the segment, or none
	used   uint32 // records handed out at least once since the segment was made
	live   uint32 // records that hold a timer or a head
	minGen uint32 // generation that a record without history starts from
	maxGen uint32 // highest generation of a freed record
	place  uint32 // in Store.open, while the segment is there
}

// Store is what the timer modules of all schemes have in common. Make one with New.
type Store struct {
	Clock
	Bitmap              // of the heads whose rings hold a record; see ring.go
	records  [][]Record // by segment; nil: given back
	segs     []segment
	open     []uint32 // the segments with room, the next to take from last
	returned []uint32 // segments given back
	spare    uint32   // the one empty segment kept against thrashing, or none
	keep     int      // segments made by New: never given back
	heads    uint32   // the first records, which are heads of rings
	live     int      // timers
	limit    int      // records that may be made
	rings    []uint32 // the segments of AddHeads, which hold nothing but heads
}

// New returns a store whose clock is at cfg.Now, with the due list, as many empty rings
// as heads (heads 1 to heads), and room for cfg.Capacity timers.
func New(name string, cfg schemes.Config, heads int) (Store, error) {
	heads++
	capacity := cfg.Capacity
	if most := maxLen - heads; capacity < 0 || capacity > most {
		return Store{}, fmt.Errorf("%s: capacity %d (allowed 0 to %d): %w", name, capacity, most, schemes.ErrConfig)
	}
	s := Store{Clock: Clock{Now: cfg.Now, Name: name}, spare: none, heads: uint32(heads), limit: maxLen}
	s.addSegment(min(max(heads+capacity, firstLen), segLen))
	for made := segLen; made < heads+capacity; made += segLen {
		s.addSegment(min(s.limit-made, segLen))
	}
	s.keep = len(s.segs)
	s.openInOrder()
	s.Extend(heads)
	for i := range s.heads {
		_, r := s.Make(0, 0)
		*r = Record{next: i, prev: i}
	}
	s.live = 0
	return s, nil
}

// addSegment appends a segment with room for n records and opens it.
func (s *Store) addSegment(n int) {
	s.records = append(s.records, make([]Record, n))
	s.segs = append(s.segs, segment{free: none})
	s.push(uint32(len(s.segs) - 1))
}

// push opens segment n: records are taken from it next.
func (s *Store) push(n uint32) {
	s.segs[n].place = uint32(len(s.open))
	s.open = append(s.open, n)
}

// close removes segment n from the open ones; the last of them fills its place.
func (s *Store) close(n uint32) {
	last, at := s.open[len(s.open)-1], s.segs[n].place
	s.open[at], s.segs[last].place = last, at
	s.open = s.open[:len(s.open)-1]
}

// openInOrder reverses the open segments, so that records are taken from the first one
// next.
func (s *Store) openInOrder() {
	slices.Reverse(s.open)
	for at, n := range s.open {
		s.segs[n].place = uint32(at)
	}
}

// At returns record i, valid until the next Alloc. O(1).
func (s *Store) At(i uint32) *Record { return &s.records[i>>segBits][i&segMask] }

// Len returns the live timers. O(1).
func (s *Store) Len() int { return s.live }

// Alloc makes a record live and returns its index; false if the store is full. O(1),
// except when a segment must be added.
func (s *Store) Alloc(id schemes.ID, key uint64) (uint32, bool) {
	i, r := s.Make(id, key)
	return i, r != nil
}

// Make is Alloc that returns the record too, or nil if the store is full. It takes a
// record from the segment that was opened last: the one freed most recently, which
// is still in the cache, or the first unused one.
func (s *Store) Make(id schemes.ID, key uint64) (uint32, *Record) {
	if len(s.open) == 0 && !s.grow() {
		return 0, nil
	}
	n := s.open[len(s.open)-1]
	seg, records := &s.segs[n], s.records[n]
	at := seg.free
	if at >= uint32(len(records)) { // none
		at = seg.used
		seg.used++
		records[at].gen, records[at].next = seg.minGen, none
	}
	r := &records[at]
	seg.free = r.next
	if seg.live == 0 && s.spare == n {
		s.spare = none
	}
	seg.live++
	s.live++
	if seg.free == none && int(seg.used) == len(records) { // full
		s.open = s.open[:len(s.open)-1]
	}
	r.gen++
	r.ID, r.Key = id, key
	return n<<segBits + at, r
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
	if k := len(s.returned) - 1; k >= 0 {
		n := s.returned[k]
		s.returned = s.returned[:k]
		s.records[n] = make([]Record, min(s.limit-int(n)*segLen, segLen))
		s.push(n)
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
	s.push(0)
	return true
}

// SetLimit lowers the number of records that may be made, heads included, for tests.
func (s *Store) SetLimit(n int) { s.limit = n }

// Free ends the timer of record i, which has left its ring. O(1).
func (s *Store) Free(i uint32) { s.Release(i, s.At(i)) }

// Release is Free of record i, which is r.
func (s *Store) Release(i uint32, r *Record) {
	n := i >> segBits
	seg := &s.segs[n]
	r.gen++
	s.live--
	seg.live--
	if r.gen == 0 { // its generations are used up: the record is retired
		seg.maxGen = lastGen
		return
	}
	seg.maxGen = max(seg.maxGen, r.gen)
	if seg.free == none && s.full(n) {
		s.push(n)
	}
	r.next = seg.free
	seg.free = i & segMask
	if seg.live == 0 {
		s.emptied(n)
	}
}

// emptied gives segment n back if another empty one remains. One is kept, so that
// alternating starts and stops do not allocate and drop a segment each.
func (s *Store) emptied(n uint32) {
	if int(n) < s.keep || s.segs[n].maxGen >= spent {
		return
	}
	if s.spare == none {
		s.spare = n
		return
	}
	s.records[n] = nil
	s.close(n)
	s.returned = append(s.returned, n)
	s.segs[n] = segment{free: none, minGen: s.segs[n].maxGen, maxGen: s.segs[n].maxGen}
}
