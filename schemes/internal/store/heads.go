package store

// AddHeads makes n more empty rings, which are never removed; their heads are the
// records from first on. false: there is no room for them, and nothing changed.
// They have segments of their own, no longer than needed, so rings that are added one
// by one cost no more memory than they need, except a bit for every index before them.
// A call uses up 32,768 indexes, or the next multiple that holds n. O(n).
func (s *Store) AddHeads(n int) (first uint32, ok bool) {
	next := len(s.segs) * segLen
	if n < 1 || n > s.limit-next {
		return 0, false
	}
	first = uint32(next)
	s.Extend(next + n)
	for ; n > 0; n -= segLen {
		s.addRings(min(n, segLen))
	}
	return first, true
}

// addRings appends a segment of n heads. It is full from the start and never
// empties, so it is neither opened nor given back.
func (s *Store) addRings(n int) {
	heads, at := make([]Record, n), uint32(len(s.segs))
	for i := range heads {
		self := at<<segBits + uint32(i)
		heads[i] = Record{next: self, prev: self}
	}
	s.rings = append(s.rings, at)
	s.records = append(s.records, heads)
	s.segs = append(s.segs, segment{free: none, used: uint32(n), live: uint32(n)})
}
