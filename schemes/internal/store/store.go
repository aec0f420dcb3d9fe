// Package store holds what the timer modules of all schemes have in common: the
// records, the rings that they are linked in, the clock, the list of due timers, the
// counts. So comparing schemes never compares allocators. A scheme adds how timers wait
// until they are due, which is the only difference between schemes.
//
// A handle is a record's index and generation. The record holds the same while the timer lives in it, so
// one comparison finds a handle stale: when its timer ends, and when the next one is in the record.
package store

import (
	"math"
	"runtime"

	"timerlab/schemes"
	"timerlab/schemes/internal/array"
)

// Record is one timer, 32 bytes, or the head of a ring. While a timer lives in it, Link is the record's
// own index.
type Record struct {
	Header
	Next, Prev uint32 // its neighbours in a ring; a scheme that keeps entries elsewhere has other uses
	Key        uint64 // for the scheme: ticks left, rounds left or deadline; 0 once the timer is due
	ID         schemes.ID
}

// NoTimer is the Link of a record in use in which no timer lives: a head, or one that its scheme keeps for
// a while. So no handle names it.
const NoTimer = math.MaxUint32

// Handle names the timer that lives in record r. Of a record without a timer, it is no record's handle.
func (r *Record) Handle() schemes.Handle {
	return schemes.Handle(r.Gen)<<32 | schemes.Handle(r.Link)
}

const (
	// Due is the head of the ring of due timers. A scheme's own heads follow it. A
	// timer in it has Key 0.
	Due uint32 = 0

	maxRecords = min(1<<32-1, math.MaxInt)
)

// Store is the common part of a scheme. Make one with New.
type Store struct {
	Clock
	array.Bitmap              // of the heads whose rings may hold a record
	Range        schemes.Tick // the longest interval
	view                      // of the records
	records      Slab[Record]
	heads        int      // the first records, which are heads
	Arrays       []memory // what the scheme keeps in further arrays
}

// Len returns the number of outstanding timers. O(1).
func (s *Store) Len() int { return s.records.InUse() - s.heads }

// A timer starts in three steps: Accepts, Make and Insert. They are small enough for the compiler to
// write them out in a scheme's Start, which then calls nothing.

// Accepts reports whether a timer of this interval can be started at once: see StartSlow. Where no record
// is free, it looks at the head of the due list, whose generations are used up. O(1).
func (s *Store) Accepts(interval schemes.Tick) bool {
	return interval <= s.Range && s.Now+interval > s.Now && s.At(s.records.free).Gen < spent
}

// StartSlow is the Start of a timer that Accepts does not accept. It returns the error, or makes room for
// more records and calls the scheme's Start again, which now finds one.
func (s *Store) StartSlow(scheme schemes.Scheme, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if s.Refuses(interval, s.Range) {
		return 0, s.BadInterval(interval, s.Range)
	}
	if !s.records.HasRoom() {
		return 0, s.Full(s.Len())
	}
	s.view = viewOf(&s.records.Array)
	return scheme.Start(interval, id)
}

// Make makes a timer, with the scheme's key, and returns its record, which the scheme links where it
// waits. Accepts has reported that there is room. Make counts two links: that the timer enters, and that
// it will leave; see Counts. O(1).
func (s *Store) Make(id schemes.ID, key uint64) (i uint32, r *Record) {
	i = s.records.free
	r = s.At(i)
	s.records.free = r.Link // this and the next line are Take, written out
	s.records.inUse++
	h := schemes.Handle(r.Gen+1)<<32 | schemes.Handle(i)
	r.Link, r.Gen = uint32(h), uint32(h>>32) // one store: a Stop that soon follows reads both in one load
	r.ID, r.Key = id, key
	s.Tally.Links += 2
	return i, r
}

// Counts returns the operations counted so far. The timers that wait have not left yet. O(due timers).
func (s *Store) Counts() schemes.Counts {
	counts := s.Tally
	counts.Links -= uint64(s.Len())
	for i := s.At(Due).Next; i != Due; i = s.At(i).Next {
		counts.Links++
	}
	runtime.KeepAlive(s)
	return counts
}

// Insert puts record i, which is r, before record at; before a head is at the ring's end. O(1).
func (s *Store) Insert(at, i uint32, r *Record) {
	if s.Link(at, i, r) == at { // a head alone
		s.Mark(at) // until here s, and with it the memory of the records, is in use
	}
}

// Link is Insert without the mark. It returns the record before: at itself if that is a head alone. As
// short as this, Insert and another with one statement more are written out by the compiler.
func (s *Store) Link(at, i uint32, r *Record) (before uint32) {
	records, after := s.view, s.view.At(at)
	before = after.Prev
	r.Next, r.Prev = at, before
	records.At(before).Next, after.Prev = i, i
	return
}

// A timer restarts in four steps: Names, Renews, Renew and Insert.

// Names reports whether h names a timer, whose record is uint32(h). O(1).
func (s *Store) Names(h schemes.Handle) bool {
	return uint(uint32(h)) < uint(s.records.Len()) && s.At(uint32(h)).Handle() == h
}

// Renews reports whether the timer that h names can be restarted for this interval in the same record,
// which has a generation left: see RestartSlow. O(1).
func (s *Store) Renews(h schemes.Handle, interval schemes.Tick) bool {
	return interval <= s.Range && s.Now+interval > s.Now && h+1<<32 > h
}

// RestartSlow is Restart where Names or Renews reports false. It returns the error, or, if the record has
// been used for the last time, starts another timer and stops this one.
func (s *Store) RestartSlow(scheme schemes.Scheme, h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	r := s.Find(h)
	switch {
	case r == nil:
		return 0, s.BadHandle()
	case s.Refuses(interval, s.Range):
		return 0, s.BadInterval(interval, s.Range)
	}
	next, err := scheme.Start(interval, r.ID)
	if err == nil {
		scheme.Stop(h)
	}
	return next, err
}

// Renew ends the timer that h names, waiting or due, and starts another in its record r, with the same
// ID and the scheme's key. The record leaves its ring, and no list of free ones is touched. Renew
// returns the new handle. O(1).
func (s *Store) Renew(h schemes.Handle, r *Record, key uint64) schemes.Handle {
	records, next, prev := s.view, r.Next, r.Prev // Unlink, written out
	records.At(prev).Next = next
	records.At(next).Prev = prev
	h += 1 << 32
	r.Link, r.Gen = uint32(h), uint32(h>>32) // one store, as in Make
	r.Key = key
	s.Tally.Links += 2
	return h
}

// Find returns the live record that h names, which is record uint32(h), or nil if h is
// stale. O(1).
func (s *Store) Find(h schemes.Handle) *Record {
	if s.Names(h) {
		return s.At(uint32(h))
	}
	return nil
}

// Stop unlinks and forgets the timer that h names, waiting or due. O(1). It is Find, Unlink and Free,
// written out.
func (s *Store) Stop(h schemes.Handle) bool {
	i, records := uint32(h), s.view
	if uint(i) >= uint(s.records.Len()) {
		return false
	}
	r := records.At(i)
	if r.Handle() != h {
		return false
	}
	next, prev := r.Next, r.Prev
	records.At(prev).Next = next
	records.At(next).Prev = prev
	r.Link = s.records.free
	s.records.free = i
	s.records.inUse--
	return true
}

// Free ends the timer of record i, which is r and has left its ring. O(1).
func (s *Store) Free(i uint32, r *Record) { s.records.Put(i, r) }

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
// A record that enters an empty ring sets the bit of its head. Leaving does not clear it: a tick or a
// search that finds the ring empty does.

// Unlink takes record r out of its ring. O(1).
func (s *Store) Unlink(r *Record) {
	records, next, prev := s.view, r.Next, r.Prev
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
	s.view = viewOf(&s.records.Array)
	s.Extend(s.heads)
	for i := range uint32(s.heads) {
		*s.At(i) = Record{Header: Header{Link: NoTimer}, Next: i, Prev: i}
	}
	s.At(Due).Gen = spent // see Accepts
	return s, nil
}

// OffHeap returns the bytes that are not in Go's heap. O(1).
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
	s.view = view{}
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

// Occupied reports whether the ring at head holds a timer. It clears the head's bit if
// not. O(1).
func (s *Store) Occupied(head uint32) bool {
	return s.Bitmap.Occupied(head) && !s.empty(head)
}

// empty clears the bit of the ring at head if it is empty, and its Key, and reports that.
func (s *Store) empty(head uint32) bool {
	h := s.At(head)
	if h.Next != head {
		return false
	}
	h.Key = 0
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

// AddDue puts record i, which is r and has left its ring, at the end of the due list. O(1).
func (s *Store) AddDue(i uint32, r *Record) {
	r.Key = 0
	s.Insert(Due, i, r)
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
