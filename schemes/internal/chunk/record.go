package chunk

import "timerlab/schemes"

// record is one timer, 24 bytes. While it is free, expiry is the flag stands, or 0.
type record struct {
	id     schemes.ID
	expiry schemes.Tick
	gen    uint32 // odd while a timer lives in it
	entry  uint32 // the lower half of the tick at which the entry that stands for it comes up
}

const (
	recordBits = 16
	recordLen  = 1 << recordBits // records in a segment: 1.5 MiB
	recordMask = recordLen - 1

	firstRecords = 64            // in the smallest store
	lastGen      = ^uint32(0)    // the odd generation after which a record is retired
	spent        = lastGen - 1   // a segment with such a generation is not given back
	stands       = 1 << 63       // flag in a free record's expiry: an entry still stands for it
	maxRecords   = 1<<28 - 1<<16 // so many entries, and as many of stopped timers, fit into an arena at worst
)

// records is the store of them.
type records struct{ pool[record] }

// newRecords returns a store with room for so many timers.
func newRecords(timers int) records {
	s := records{newPool[record](recordLen, 1, maxRecords)}
	s.reserve(timers, firstRecords)
	return s
}

// find returns the live record that h names; nil: there is none, or no more. O(1).
func (s *records) find(h schemes.Handle) *record {
	i, gen := uint32(h), uint32(h>>32)
	n, at := int(i>>recordBits), int(i&recordMask)
	if gen&1 == 0 || n >= len(s.segs) || at >= len(s.segs[n].mem) {
		return nil
	}
	if r := &s.segs[n].mem[at]; r.gen == gen {
		return r
	}
	return nil
}

// of returns the record that an entry names; nil: its memory was given back.
func (s *records) of(e Entry) *record {
	i := uint32(e)
	mem := s.segs[i>>recordBits].mem
	if at := int(i & recordMask); at < len(mem) {
		return &mem[at]
	}
	return nil
}

// alloc takes the record freed last, which is still in the cache, or the first
// never used, and gives it its next, odd generation. false: the store is full.
// O(1), but for the moments when a segment must be made.
func (s *records) alloc() (i uint32, r *record, ok bool) {
	if len(s.open) == 0 && !s.make(firstRecords) {
		return 0, nil, false
	}
	n := s.open[len(s.open)-1]
	g := &s.segs[n]
	at := g.used
	if g.top > 0 {
		g.top--
		at = uint32(g.free[g.top])
		r = &g.mem[at]
	} else {
		g.used++
		r = &g.mem[at]
		*r = record{gen: g.floor}
	}
	r.gen++
	g.live++
	if g.top == 0 && g.full() || n == s.spare {
		s.took(n)
	}
	return n<<recordBits | at, r, true
}

// free ends the timer of record i; flag is stands or 0. O(1), but where a segment's
// memory is given back.
func (s *records) free(i uint32, r *record, flag schemes.Tick) {
	r.gen++
	r.expiry = flag
	n := i >> recordBits
	if r.gen == 0 { // its generations are used up: the record is retired
		s.segs[n].live--
		return
	}
	if s.put(n, i&recordMask) && !s.spares(n) {
		s.drop(n)
	}
}

// drop gives the memory of segment n back, unless it has a record with no generation
// left for a later one. O(records in the segment).
func (s *records) drop(n uint32) {
	g := &s.segs[n]
	top := g.floor
	for i := range g.mem[:g.used] {
		gen := g.mem[i].gen
		if gen == 0 || gen >= spent {
			return
		}
		top = max(top, gen)
	}
	s.give(n, top)
}
