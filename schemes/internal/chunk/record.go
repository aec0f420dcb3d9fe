package chunk

import (
	"math"

	"timerlab/schemes"
)

// record is one timer, 20 bytes: with a 64-bit ID in one word it would be 24.
//
// A record stores only the low 32 bits of the tick at which its entry comes up, which
// mostly is the deadline. deadlineExtra holds the remainder where an entry was reused
// or the deadline lies more than 2^32 ticks ahead.
type record struct {
	id            [2]uint32
	genState      uint32 // generation, and the state in the lowest bits
	deadlineLow   uint32 // low word of the tick at which the timer's entry comes up
	deadlineExtra uint32 // in states later and far: the rest of the deadline
}

func (r *record) setID(id schemes.ID) { r.id = [2]uint32{uint32(id), uint32(id >> 32)} }
func (r *record) getID() schemes.ID   { return schemes.ID(r.id[1])<<32 | schemes.ID(r.id[0]) }

// States of a record. Those of a timer outstanding have the bit liveBit.
const (
	stateFree   = 0 // no entry belongs to it
	stateVacant = 1 // free, but it still has an entry, which the next timer may reuse
	stateExact  = 4 // waits, and is due when its entry comes up
	stateLater  = 5 // waits, and is due when its entry comes up or later; deadlineExtra: the deadline's low word
	stateFar    = 6 // waits for a deadline that was more than 2^32 ticks ahead; deadlineExtra: its high word
	stateDue    = 7
	liveBit     = 4
	stateMask   = 7
)

const (
	recordBits = 16
	recordLen  = 1 << recordBits // records in a segment: 1.25 MiB
	recordMask = recordLen - 1

	firstRecords = 64                 // in the smallest store
	nextGen      = stateMask + 1      // what a new generation adds
	lastGen      = ^uint32(stateMask) // after which a record is retired
	maxRecords   = 1<<28 - 1<<16      // at worst as many entries, and as many stale ones, fit into an arena
	near         = math.MaxUint32     // ticks ahead that a low word can name
)

// records is the store of records.
type records struct {
	pool[record]
	hot uint32 // the record whose timer ended last, which the next Start takes; or none
	sum uint32 // of what was read ahead, so that the compiler keeps the reads
}

// newRecords returns a store with room for this many timers.
func newRecords(timers int) records {
	s := records{pool: newPool[record](recordLen, 1, maxRecords, 0), hot: none}
	s.reserve(timers, firstRecords)
	return s
}

// handle returns a timer's handle: the index of its record, and above it the record's
// genState in the state exact.
func handle(i, gen uint32) schemes.Handle {
	return schemes.Handle(gen|stateExact)<<32 | schemes.Handle(i)
}

// find returns the record of the timer that h names, or nil if h is stale. O(1).
func (s *records) find(h schemes.Handle) *record {
	i, genState := uint32(h), uint32(h>>32)
	if genState&stateMask != stateExact || int(i) >= len(s.mem.all) {
		return nil
	}
	if r := &s.mem.all[i]; r.genState^genState <= stateDue-stateExact {
		return r
	}
	return nil
}

// named returns the record that an entry names, which may hold another timer by now.
// It may move when a record is taken.
func (s *records) named(e Entry) *record { return &s.mem.all[uint32(e)] }

// takeNext takes the record freed last, which may still be in the cache, and reads the
// one before it, which the next Start takes. That Start branches on whether the record
// still has an entry, which cannot be predicted and would wait for memory.
func (s *records) takeNext() uint32 {
	n, at := s.take()
	n <<= recordBits
	if top := s.segs[n>>recordBits].top; top > 0 {
		s.sum = s.mem.all[n|uint32(s.free.all[n+top-1])].genState
	}
	return n | at
}

// grow makes room for more records. Where memory had been given back, records resume
// from the generations that they had.
func (s *records) grow() bool {
	n, from, ok := s.make(firstRecords)
	if !ok {
		return false
	}
	if g := &s.segs[n]; g.minGen > 0 {
		for at := from; at < int(g.length); at++ {
			s.mem.all[int(n)*recordLen+at].genState = g.minGen
		}
	}
	return true
}

// end makes a record free or vacant when its timer has ended. O(1), except where a
// segment's memory is given back.
func (s *records) end(i uint32, r *record, state uint32) {
	r.genState = r.genState&^stateMask | state
	s.put(i)
}

// put returns a record.
func (s *records) put(i uint32) {
	if n := i >> recordBits; s.pool.put(n, i&recordMask) && !s.Spares(n) {
		s.drop(n)
	}
}

// handOut ends the timer of a record, which the next Start takes. O(1), except where
// a segment's memory is given back.
func (s *records) handOut(i uint32, r *record) {
	s.cool()
	r.genState &^= stateMask
	s.hot = i
}

// cool returns the hot record to the free ones.
func (s *records) cool() {
	if i := s.hot; i != none {
		s.hot = none
		s.put(i)
	}
}

// drop gives the memory of segment n back, unless one of its records has almost used up
// its generations: all its records will resume from the highest. O(records in the
// segment).
func (s *records) drop(n uint32) {
	top := uint32(0)
	for _, r := range s.segment(n) {
		top = max(top, r.genState&^stateMask)
	}
	if top < lastGen-nextGen {
		s.give(n, top)
	}
}

// segment returns the records of segment n.
func (s *records) segment(n uint32) []record {
	return s.mem.all[int(n)*recordLen:][:s.segs[n].length]
}
