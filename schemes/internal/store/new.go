package store

import (
	"math"
	"runtime"

	"timerlab/schemes"
)

// run are n records from first on.
type run struct {
	first uint32
	n     int
}

// New returns a store whose clock is at cfg.Now, with the due list, as many empty rings
// as heads (heads 1 to heads), and room for cfg.Capacity timers.
func New(name string, cfg schemes.Config, heads int) (Store, error) {
	if most := maxRecords - heads - 1; cfg.Capacity < 0 || cfg.Capacity > most {
		return Store{}, BadCapacity(name, cfg.Capacity, most)
	}
	s := Store{Clock: Clock{Now: cfg.Now, Name: name}, Range: math.MaxUint64}
	s.records = NewSlab[Record](1+heads+cfg.Capacity, maxRecords, cfg.Heap)
	s.makeHeads(1 + heads)
	return s, nil
}

// AddHeads makes n more empty rings, which are never removed; their heads are the
// records from first on. false: there is no room for them, and nothing changed. O(n).
func (s *Store) AddHeads(n int) (first uint32, ok bool) {
	if length := s.records.Len(); n > 0 && n <= s.records.limit-length {
		s.records.Grow(length + n) // the room for timers stays
	}
	return s.makeHeads(n)
}

func (s *Store) makeHeads(n int) (first uint32, ok bool) {
	if first, ok = s.records.Run(n); ok {
		s.heads = append(s.heads, run{first, n})
		s.nHeads += n
		s.Extend(int(first) + n)
		for i := first; i < first+uint32(n); i++ {
			*s.At(i) = Record{Header: Header{Next: i}, Prev: i}
		}
	}
	return first, ok
}

// OffHeap returns the bytes that are not in Go's heap. O(n / 100,000).
func (s *Store) OffHeap() int {
	bytes := s.records.OffHeap()
	for _, other := range s.Others {
		bytes += other.OffHeap()
	}
	return bytes
}

// Release gives the memory outside Go's heap back. The store must not be used any more.
func (s *Store) Release() {
	s.records.Release()
	for _, other := range s.Others {
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
