// Package store holds what the timer modules of all schemes have in common: the
// records, the rings that they are linked in, the clock, the list of due timers, the
// counts. So comparing schemes never compares allocators. A scheme adds how timers wait
// until they are due, which is the only difference between schemes.
//
// A record's generation is odd while a timer lives in it and even otherwise. A
// handle is generation and index, so it goes stale the moment its timer ends.
package store

import (
	"math"
	"runtime"

	"timerlab/schemes"
	"timerlab/schemes/internal/array"
)

// Record is one timer, 32 bytes, or the head of a ring. Its Gen and Next are the slab's; while
// it is in use, Next and Prev are its neighbours in a ring.
type Record struct {
	Header
	Prev  uint32
	Place uint32 // where the record's entry is, in a scheme that keeps entries otherSegments
	Key   uint64 // for the scheme: ticks left, rounds left or deadline; 0 once the timer is due
	ID    schemes.ID
}

// handle names the live record r, which is record i.
func (r *Record) handle(i uint32) schemes.Handle {
	return schemes.Handle(r.Gen)<<32 | schemes.Handle(i)
}

const (
	// Due is the head of the ring of due timers. A scheme's own heads follow it. A
	// timer in it has Key 0.
	Due uint32 = 0

	lastGen    = spent - 1 // the odd generation after which a record is retired
	maxRecords = min(1<<32-1, math.MaxInt)
)

// Store is the common part of a scheme. Make one with New, in new.go.
type Store struct {
	Clock
	array.Bitmap              // of the heads whose rings may hold a record
	Range        schemes.Tick // the longest interval
	records      Slab[Record]
	heads        int      // the first records, which are heads
	Arrays       []memory // what the scheme keeps in further arrays
}

// At returns record i, valid until the next Make or Renew. O(1).
func (s *Store) At(i uint32) *Record { return s.records.At(i) }

// Len returns the number of outstanding timers. O(1).
func (s *Store) Len() int { return s.records.InUse() - s.heads }

// Begin makes a timer, with the scheme's key, that waits at the end of the ring at head. O(1),
// except when memory must be allocated.
//
// It is Accepts, Make and Enter, written out: most of the cost of a start is here.
func (s *Store) Begin(head uint32, interval schemes.Tick, id schemes.ID, key uint64) (schemes.Handle, error) {
	if s.Refuses(interval, s.Range) || s.records.nextFree|s.records.free == 0 {
		return s.begin(head, interval, id, key)
	}
	i, r := s.records.Take()
	r.Gen++
	r.ID, r.Key = id, key
	s.Tally.Links++
	s.Mark(head)
	records := s.records.View()
	h := records.At(head)
	last := h.Prev
	r.Next, r.Prev = head, last
	records.At(last).Next = i
	h.Prev = i
	handle := r.handle(i)
	runtime.KeepAlive(s)
	return handle, nil
}

// Find returns the live record that h names, which is record uint32(h), or nil if h is
// stale. O(1).
func (s *Store) Find(h schemes.Handle) *Record {
	i, gen := uint32(h), uint32(h>>32)
	if uint(i) < uint(s.records.Len()) && gen&1 == 1 {
		if r := s.At(i); r.Gen == gen {
			return r
		}
	}
	return nil
}

// Stop unlinks and forgets the timer that h names, waiting or due. O(1).
func (s *Store) Stop(h schemes.Handle) bool {
	r := s.Find(h)
	if r == nil {
		return false
	}
	if r.Key != 0 { // leaving the due list is not counted
		s.Tally.Links++
	}
	s.Unlink(r)
	r.Gen++ // this and the next line are Free, written out
	s.records.Put(uint32(h), r)
	return true
}

// Free ends the timer of record i, which is r and has left its ring. O(1).
func (s *Store) Free(i uint32, r *Record) {
	r.Gen++
	s.records.Put(i, r)
}

// Expire hands out the due timers. Each is forgotten before its action runs and
// the list is read again after it, so an action may start and stop any timer, or
// panic. O(due timers).
func (s *Store) Expire(action func(schemes.ID)) {
	for i := s.At(Due).Next; i != Due; i = s.At(Due).Next {
		r := s.At(i)
		id := r.ID
		s.Unlink(r)
		s.Free(i, r)
		action(id)
	}
}

// A ring is a doubly linked circle of records through a head, which is a record
// without a timer. With a head no link is ever missing: entering and leaving are the
// same few writes at the ends, in the middle and in a ring of one, and leaving does not
// depend on which ring it is.
//
// A record that enters a ring sets the bit of its head. Leaving does not clear it: a tick or a
// search that finds the ring empty does.

// Enter puts record i, which is r and begins to wait, before record at of the ring at head.
// It returns the timer's handle. O(1).
func (s *Store) Enter(head, at, i uint32, r *Record) schemes.Handle {
	s.Tally.Links++
	s.Mark(head)
	s.Insert(at, i, r)
	return s.Handle(i, r)
}

// Handle returns the handle of the timer in record i, which is r. O(1).
func (s *Store) Handle(i uint32, r *Record) schemes.Handle {
	handle := r.handle(i)
	runtime.KeepAlive(s)
	return handle
}

// Insert puts record i, which is r, before record at; before a head is at the ring's
// end. O(1).
func (s *Store) Insert(at, i uint32, r *Record) {
	records := s.records.View()
	after := records.At(at)
	before := after.Prev
	r.Next, r.Prev = at, before
	records.At(before).Next = i
	after.Prev = i
	runtime.KeepAlive(s)
}

// Unlink takes record r out of its ring. O(1).
func (s *Store) Unlink(r *Record) {
	records, next, prev := s.records.View(), r.Next, r.Prev
	records.At(prev).Next = next
	records.At(next).Prev = prev
	runtime.KeepAlive(s)
}

// New returns a store whose clock is at cfg.Now, with the due list, as many empty rings
// as heads (heads 1 to heads), and room for cfg.Capacity timers.
func New(name string, cfg schemes.Config, heads int) (Store, error) {
	if most := maxRecords - heads - 1; cfg.Capacity < 0 || cfg.Capacity > most {
		return Store{}, BadCapacity(name, cfg.Capacity, most)
	}
	s := Store{Clock: Clock{Now: cfg.Now, Name: name}, Range: math.MaxUint64, heads: 1 + heads}
	s.records = NewSlab[Record](s.heads, cfg.Capacity, maxRecords, cfg.Heap)
	s.Extend(s.heads)
	for i := range uint32(s.heads) {
		*s.At(i) = Record{Header: Header{Next: i}, Prev: i}
	}
	return s, nil
}

// OffHeap returns the bytes that are not in Go's heap. O(n / 100,000).
func (s *Store) OffHeap() int {
	bytes := s.records.OffHeap()
	for _, other := range s.Arrays {
		bytes += other.OffHeap()
	}
	return bytes
}

// Release gives the memory outside Go's heap back. The store must not be used any more.
func (s *Store) Release() {
	s.records.Release()
	for _, other := range s.Arrays {
		other.Release()
	}
}

// memory is what a scheme keeps besides the records.
type memory interface {
	schemes.OffHeaper
	schemes.Releaser
}

// ID returns the ID of the timer that h names; false if h is stale. O(1).
func (s *Store) ID(h schemes.Handle) (id schemes.ID, ok bool) {
	if r := s.Find(h); r != nil {
		id = r.ID
		ok = true
	}
	runtime.KeepAlive(s)
	return id, ok
}

// begin is Begin where there may be no room.
func (s *Store) begin(head uint32, interval schemes.Tick, id schemes.ID, key uint64) (schemes.Handle, error) {
	if err := s.Accepts(interval); err != nil {
		return 0, err
	}
	return s.Begin(head, interval, id, key)
}

// Accepts returns an error if no timer of this interval can be started. O(1), except when
// memory must be allocated.
func (s *Store) Accepts(interval schemes.Tick) error {
	switch {
	case s.Refuses(interval, s.Range):
		return s.BadInterval(interval, s.Range)
	case !s.records.HasRoom():
		return s.Full(s.Len())
	}
	return nil
}

// Make makes a timer, with the scheme's key, and returns its record, which the scheme links
// where it waits. Accepts has said that there is room. O(1).
func (s *Store) Make(id schemes.ID, key uint64) (uint32, *Record) {
	i, r := s.records.Take()
	r.Gen++
	r.ID, r.Key = id, key
	return i, r
}
