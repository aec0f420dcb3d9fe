package store

import (
	"math"
	"runtime"

	"timerlab/schemes"
)

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
