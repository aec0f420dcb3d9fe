package store

import "timerlab/schemes"

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
