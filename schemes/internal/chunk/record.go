package chunk

import "timerlab/schemes"

// record is one timer, 24 bytes. While it is free, expiry holds the next free
// record's place and maybe the flag stands.
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
type records struct {
	mem [][]record
	pool
}

// find returns the live record that h names; nil: there is none, or no more. O(1).
func (s *records) find(h schemes.Handle) *record {
	i, gen := uint32(h), uint32(h>>32)
	n, at := int(i>>recordBits), int(i&recordMask)
	if gen&1 == 0 || n >= len(s.mem) || at >= len(s.mem[n]) {
		return nil
	}
	if r := &s.mem[n][at]; r.gen == gen {
		return r
	}
	return nil
}

// of returns the record that an entry names; nil: its memory was given back.
func (s *records) of(e Entry) *record {
	i := uint32(e)
	mem := s.mem[i>>recordBits]
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
	g, mem := &s.segs[n], s.mem[n]
	at := g.free
	if int(at) < len(mem) {
		r = &mem[at]
		g.free = uint32(r.expiry)
	} else { // none
		at = g.used
		r = &mem[at]
		*r = record{gen: g.floor}
		g.used++
	}
	r.gen++
	g.live++
	if g.free == none || n == s.spare {
		s.took(n, g)
	}
	return n<<recordBits | at, r, true
}

// free ends the timer of record i; flag is stands or 0. O(1), but where a segment's
// memory is given back.
func (s *records) free(i uint32, r *record, flag schemes.Tick) {
	n := i >> recordBits
	g := &s.segs[n]
	r.gen++
	if r.gen == 0 { // its generations are used up: the record is retired
		g.live--
		return
	}
	next := g.free
	if next == none && g.full() {
		s.push(n)
	}
	r.expiry = schemes.Tick(next) | flag
	g.free = i & recordMask
	if g.live--; g.live == 0 && s.emptied(n) {
		s.give(n)
	}
}

// give gives the memory of segment n back, unless it has a record with no generation
// left for a later one. O(records in the segment).
func (s *records) give(n uint32) {
	top := uint32(0)
	for i := range s.mem[n] {
		gen := s.mem[n][i].gen
		if gen == 0 && i < int(s.segs[n].used) || gen >= spent {
			return
		}
		top = max(top, gen)
	}
	s.mem[n] = nil
	s.gave(n, max(top, s.segs[n].floor))
}

// newRecords returns a store with room for so many timers.
func newRecords(timers int) records {
	s := records{pool: newPool(recordLen, maxRecords)}
	for least := max(timers, firstRecords); least > 0; least -= recordLen {
		s.make(least)
	}
	s.reserved()
	return s
}

// make makes room; least is the length of the first segment.
func (s *records) make(least int) bool {
	n, length, ok := s.grow(least)
	if ok {
		s.mem = provide(s.mem, n, length)
		s.grown(n, length)
	}
	return ok
}

// provide makes memory for length elements of segment n, keeping what it holds.
func provide[T any](mem [][]T, n, length int) [][]T {
	if n == len(mem) {
		mem = append(mem, nil)
	}
	next := memory[T](length)
	copy(next, mem[n])
	mem[n] = next
	return mem
}
