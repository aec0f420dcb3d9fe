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
	maxLen  = min(1<<32-1, math.MaxInt) // records that an index can name, except none
	none    = ^uint32(0)                // no record
	lastGen = ^uint32(0)                // the odd generation after which a record is retired
	spent   = lastGen - 1               // a segment with such a generation is not given back
)

// Record is one timer, 32 bytes.
type Record struct {
	ID  schemes.ID
	Key uint64 // for the scheme: ticks left, rounds left or deadline; 0 once the timer is due

	Next, Prev uint32 // ring neighbours while live or a head; Next is the free list's link otherwise
	gen        uint32
	Place      uint32 // where the record's entry is, in a scheme that keeps entries in another array
}

// Handle names the live record r, which is record i.
func (r *Record) Handle(i uint32) schemes.Handle {
	return schemes.Handle(r.gen)<<32 | schemes.Handle(i)
}

// Store is the common part of a scheme. Make one with New.
type Store struct {
	Clock
	Bitmap             // of the heads whose rings hold a record; see ring.go
	records [][]Record // by segment; nil: given back
	segs    []segment
	Segments
	heads uint32   // the first records, which are heads of rings
	live  int      // timers
	limit int      // records that may be made
	rings []uint32 // the segments of AddHeads, which hold nothing but heads
}

// New returns a store whose clock is at cfg.Now, with the due list, as many empty rings
// as heads (heads 1 to heads), and room for cfg.Capacity timers.
func New(name string, cfg schemes.Config, heads int) (Store, error) {
	heads++
	if most := maxLen - heads; cfg.Capacity < 0 || cfg.Capacity > most {
		return Store{}, BadCapacity(name, cfg.Capacity, most)
	}
	s := Store{Clock: Clock{Now: cfg.Now, Name: name}, heads: uint32(heads), limit: maxLen}
	s.Spare = None
	size := heads + cfg.Capacity
	s.addSegment(min(max(size, firstLen), segLen))
	for made := segLen; made < size; made += segLen {
		s.addSegment(min(s.limit-made, segLen))
	}
	s.Keep = len(s.segs)
	slices.Reverse(s.Open)
	s.Extend(heads)
	for i := range s.heads {
		_, r := s.take(0, 0)
		*r = Record{Next: i, Prev: i}
	}
	s.live = 0
	return s, nil
}

// BadCapacity returns the error of a Config.Capacity that is not in 0 to most.
func BadCapacity(name string, capacity, most int) error {
	return fmt.Errorf("%s: capacity %d (allowed 0 to %d): %w", name, capacity, most, schemes.ErrConfig)
}

// At returns record i, valid until the next Make or Renew. O(1).
func (s *Store) At(i uint32) *Record { return &s.records[i>>segBits][i&segMask] }

// Len returns the live timers. O(1).
func (s *Store) Len() int { return s.live }

// Make makes a timer of this interval, with the scheme's key, and returns its record,
// which the scheme links where it waits. Intervals up to longest are in range. O(1),
// except when a segment must be added.
func (s *Store) Make(interval, longest schemes.Tick, id schemes.ID, key uint64) (uint32, *Record, error) {
	if s.Refuses(interval, longest) {
		return 0, nil, s.BadInterval(interval, longest)
	}
	i, r := s.take(id, key)
	if r == nil {
		return 0, nil, s.Full(s.live)
	}
	return i, r, nil
}

// take makes a record live, or returns nil if the store is full. It takes it from the
// segment that was opened last: the one freed most recently, which is still in the
// cache, or the first unused one.
func (s *Store) take(id schemes.ID, key uint64) (uint32, *Record) {
	if len(s.Open) == 0 && !s.grow() {
		return 0, nil
	}
	n := s.Open[len(s.Open)-1]
	seg, records := &s.segs[n], s.records[n]
	at := seg.free
	if at >= uint32(len(records)) { // none
		at = seg.used
		seg.used++
		records[at].gen, records[at].Next = seg.minGen, none
	}
	r := &records[at]
	seg.free = r.Next
	if seg.live == 0 && s.Spare == n {
		s.Spare = None
	}
	seg.live++
	s.live++
	if seg.free == none && int(seg.used) == len(records) { // full
		s.Open = s.Open[:len(s.Open)-1]
	}
	r.gen++
	r.ID, r.Key = id, key
	return n<<segBits + at, r
}

// Find returns the live record that h names, which is record uint32(h), or nil if h is
// stale. O(1).
func (s *Store) Find(h schemes.Handle) *Record {
	n, at := uint32(h)>>segBits, int(h&segMask)
	if h>>32&1 == 0 || int(n) >= len(s.records) || at >= len(s.records[n]) {
		return nil
	}
	if r := &s.records[n][at]; uint64(r.gen) == uint64(h>>32) {
		return r
	}
	return nil
}

// ID returns the ID of the timer that h names; false if h is stale. O(1).
func (s *Store) ID(h schemes.Handle) (schemes.ID, bool) {
	if r := s.Find(h); r != nil {
		return r.ID, true
	}
	return 0, false
}

// Stop unlinks and forgets the timer that h names, waiting or due. O(1).
func (s *Store) Stop(h schemes.Handle) bool {
	r := s.Find(h)
	if r == nil {
		return false
	}
	s.leave(r)
	s.Free(uint32(h), r)
	return true
}

// Free ends the timer of record i, which is r and has left its ring. O(1).
func (s *Store) Free(i uint32, r *Record) {
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
		s.Open = append(s.Open, n)
	}
	r.Next = seg.free
	seg.free = i & segMask
	if seg.live == 0 {
		s.emptied(n)
	}
}

// Renew takes the timer that h names, waiting or due, out of its ring and makes it
// another timer with the same ID and the scheme's key for this interval. It returns the
// record, which the scheme links where it waits. The free list is not touched. O(1).
func (s *Store) Renew(h schemes.Handle, interval, longest schemes.Tick, key uint64) (uint32, *Record, error) {
	i, r, err := s.Renewable(h, interval, longest)
	if err != nil {
		return 0, nil, err
	}
	s.leave(r)
	i, r = s.Reuse(i, r, key)
	return i, r, nil
}

// Renewable returns the record of the timer that h names, if it can be restarted for
// this interval. It changes nothing. O(1).
func (s *Store) Renewable(h schemes.Handle, interval, longest schemes.Tick) (uint32, *Record, error) {
	r := s.Find(h)
	switch {
	case r == nil:
		return 0, nil, s.BadHandle()
	case s.Refuses(interval, longest):
		return 0, nil, s.BadInterval(interval, longest)
	case r.gen == lastGen: // another record is needed, and making room for it may move this one
		if len(s.Open) == 0 && !s.grow() {
			return 0, nil, s.Full(s.live)
		}
		r = s.At(uint32(h))
	}
	return uint32(h), r, nil
}

// Reuse ends the timer of record i, which is r, was Renewable and has left its ring, and
// starts another in it with the same ID: old handles go stale and no list is touched. A
// record whose generations are used up is retired and another taken. O(1).
func (s *Store) Reuse(i uint32, r *Record, key uint64) (uint32, *Record) {
	if r.gen == lastGen {
		s.Free(i, r)
		return s.take(r.ID, key)
	}
	r.gen += 2
	r.Key = key
	return i, r
}

// WearOut gives the live record i its last generation, for tests. Handles made before
// are stale.
func (s *Store) WearOut(i uint32) { s.At(i).gen = lastGen }

// SetLimit lowers the number of records that may be made, heads included, for tests.
func (s *Store) SetLimit(n int) { s.limit = n }
