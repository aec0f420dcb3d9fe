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
	Place uint32 // where the record's entry is, in a scheme that keeps entries elsewhere
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

// Store is the common part of a scheme. Make one with New.
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

// Renewable returns the record of the timer that h names, which is record uint32(h), if it can
// be restarted for this interval. It changes nothing, but may make room. O(1).
func (s *Store) Renewable(h schemes.Handle, interval schemes.Tick) (*Record, error) {
	r := s.Find(h)
	if r == nil {
		return nil, s.BadHandle()
	}
	if s.Refuses(interval, s.Range) || r.Gen == lastGen { // another record will be needed
		if err := s.Accepts(interval); err != nil {
			return nil, err
		}
	}
	return s.At(uint32(h)), nil
}

// Move restarts the timer that h names, waiting or due: it becomes another one with the same
// ID and the scheme's key, which waits at the end of the ring at head. O(1).
func (s *Store) Move(h schemes.Handle, head uint32, interval schemes.Tick, key uint64) (schemes.Handle, error) {
	i, r, err := s.Renew(h, interval, key)
	if err != nil {
		return 0, err
	}
	return s.Enter(head, head, i, r), nil
}

// Renew is Move up to where the timer waits: the scheme links its record, which is in no ring.
func (s *Store) Renew(h schemes.Handle, interval schemes.Tick, key uint64) (uint32, *Record, error) {
	r, err := s.Renewable(h, interval)
	if err != nil {
		return 0, nil, err
	}
	if r.Key != 0 {
		s.Tally.Links++
	}
	s.Unlink(r)
	i, r := s.Reuse(uint32(h), r, key)
	return i, r, nil
}

// Reuse ends the timer of record i, which is r, was Renewable and has left its ring, and
// starts another in it with the same ID: old handles go stale and no list is touched. A
// record whose generations are used up is retired and another taken. O(1).
func (s *Store) Reuse(i uint32, r *Record, key uint64) (uint32, *Record) {
	if r.Gen == lastGen {
		j, other := s.Make(r.ID, key) // before r is freed: there is room for one now
		s.Free(i, r)
		return j, other
	}
	r.Gen += 2
	r.Key = key
	return i, r
}

// Occupied reports whether the ring at head holds a timer. It clears the head's bit if
// not. O(1).
func (s *Store) Occupied(head uint32) bool {
	return s.Bitmap.Occupied(head) && !s.empty(head)
}

// empty clears the bit of the ring at head if it is empty, and reports that.
func (s *Store) empty(head uint32) bool {
	if s.At(head).Next != head {
		return false
	}
	s.Clear(head)
	return true
}

// NextOccupied returns the first head from `from` to end-1 whose ring holds a timer, or end
// if there is none. O(1 + (end-from)/4096), and O(1) for each ring that has become empty
// since a search.
func (s *Store) NextOccupied(from, end uint32) uint32 {
	head := s.Bitmap.NextOccupied(from, end)
	for head < end && s.empty(head) {
		head = s.Bitmap.NextOccupied(head+1, end)
	}
	return head
}

// NextCircular is Bitmap.NextCircular for rings.
func (s *Store) NextCircular(first, n, position, from, most uint32) (ahead uint32, ok bool) {
	ahead, ok = s.Bitmap.NextCircular(first, n, position, from, most)
	for ok && s.empty(first+(position+ahead)%n) {
		ahead, ok = s.Bitmap.NextCircular(first, n, position, ahead+1, most)
	}
	return ahead, ok
}

// First returns the first Key of the ring at head, which is not empty. O(1).
func (s *Store) First(head uint32) uint64 { return s.At(s.At(head).Next).Key }

// Least returns the lowest Key of the ring at head, or the highest number if it
// is empty. O(length).
func (s *Store) Least(head uint32) (least uint64) {
	least = ^uint64(0)
	for i := s.At(head).Next; i != head; i = s.At(i).Next {
		least = min(least, s.At(i).Key)
	}
	runtime.KeepAlive(s)
	return least
}

// Lower takes by off the Key of every record of the ring at head, which are all
// higher. O(length).
func (s *Store) Lower(head uint32, by uint64) {
	visits := uint64(0)
	for i := s.At(head).Next; i != head; visits++ {
		r := s.At(i)
		r.Key -= by
		i = r.Next
	}
	s.Tally.Visits += visits
}

// AnyDue reports whether a timer is due and not yet handed out. O(1).
func (s *Store) AnyDue() bool { return s.At(Due).Next != Due }

// AddDue puts record i, which is r and has left its ring, at the end of the due list.
// O(1).
func (s *Store) AddDue(i uint32, r *Record) {
	r.Key = 0
	s.Insert(Due, i, r)
	s.Tally.Links++
}

// MakeDue moves record i, which is r, from its ring to the due list. O(1).
func (s *Store) MakeDue(i uint32, r *Record) {
	s.Unlink(r)
	s.AddDue(i, r)
}

// MoveDue moves all timers of the ring at head to the due list, and returns their number.
// O(timers moved).
//
// Like every walk along a ring it begins at one end. From both ends it would wait for two records at
// a time, and take 2 ns less a timer at n = 10k. But scheme 6 cannot count down so at that price, and
// which of schemes 6 and 7 is cheaper would depend on a trick of one of them.
func (s *Store) MoveDue(head uint32) (moved int) {
	h := s.At(head)
	first, last := h.Next, h.Prev
	if first == head {
		return 0
	}
	for i := first; i != head; moved++ {
		r := s.At(i)
		r.Key = 0
		i = r.Next
	}
	h.Next, h.Prev = head, head
	s.Clear(head)
	d := s.At(Due)
	s.At(d.Prev).Next, s.At(first).Prev = first, d.Prev
	s.At(last).Next, d.Prev = Due, last
	s.Tally.Visits += uint64(moved)
	s.Tally.Links += uint64(moved)
	return moved
}

// Detach empties the ring at head and returns its first record; the records still lead from one
// to the next and end at head. It serves a walk that puts each of them elsewhere. O(1).
func (s *Store) Detach(head uint32) (first uint32) {
	h := s.At(head)
	first = h.Next
	h.Next, h.Prev = head, head
	s.Clear(head)
	return first
}
