package store

import "timerlab/schemes"

// Handle names the live record i. O(1).
func (s *Store) Handle(i uint32) schemes.Handle { return s.At(i).Handle(i) }

// Handle names the live record r, which is record i.
func (r *Record) Handle(i uint32) schemes.Handle {
	return schemes.Handle(r.gen)<<32 | schemes.Handle(i)
}

// Find returns the live record that h names; false if h is stale. O(1).
func (s *Store) Find(h schemes.Handle) (uint32, bool) { return uint32(h), s.Named(h) != nil }

// Named returns the live record that h names, which is record uint32(h), or nil if h is
// stale. O(1).
func (s *Store) Named(h schemes.Handle) *Record {
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
	if r := s.Named(h); r != nil {
		return r.ID, true
	}
	return 0, false
}

// Renew ends the timer of record i, which is r and has left its ring, and starts
// another in it with the same ID: old handles go stale and no list is touched. A record
// whose generations are used up is retired and another taken: see MayRenew. It returns
// the timer's record. O(1).
func (s *Store) Renew(i uint32, r *Record, key uint64) (uint32, *Record) {
	if r.gen == lastGen {
		s.Release(i, r)
		return s.Make(r.ID, key)
	}
	r.gen += 2
	r.Key = key
	return i, r
}

// Last reports whether the generation of r is its last, so that Renew retires it.
func (r *Record) Last() bool { return r.gen == lastGen }

// MayRenew reports whether Renew of the live record i can succeed: always, unless
// another must be taken and there is no room. O(1), as Alloc.
func (s *Store) MayRenew(i uint32) bool {
	return s.At(i).gen != lastGen || len(s.open) > 0 || s.grow()
}

// WearOut gives the live record i its last generation, for tests. Handles made before
// are stale.
func (s *Store) WearOut(i uint32) { s.At(i).gen = lastGen }
