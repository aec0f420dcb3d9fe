package chunk

import (
	"math"

	"timerlab/schemes"
)

// record is one timer, 20 bytes: without the halves of words its ID would make it 24.
//
// It does not say when its timer expires, but when the entry that stands for it comes
// up, which mostly is the same. Where it is not, rest says how the two differ.
type record struct {
	id            [2]uint32
	genState      uint32 // generation, and the state in the lowest bits
	deadlineLow   uint32 // of the tick at which the entry that stands for it comes up, the lower
	deadlineExtra uint32 // what half does not tell of when the timer expires, in some states
}

func (r *record) setID(id schemes.ID) { r.id = [2]uint32{uint32(id), uint32(id >> 32)} }
func (r *record) getID() schemes.ID   { return schemes.ID(r.id[1])<<32 | schemes.ID(r.id[0]) }

// States of a record. Those of a timer outstanding have the bit liveBit.
const (
	stateFree   = 0 // no entry stands for it
	stateVacant = 1 // free, but an entry still stands for it, for the next timer to use
	stateExact  = 4 // waits, and expires when its entry comes up
	stateLater  = 5 // waits, and expires when its entry comes up or later; rest: the lower half of when
	stateFar    = 6 // waits, for more than 2^32 ticks from when it was entered; rest: the upper half of when
	stateDue    = 7
	liveBit     = 4
	stateMask   = 7 // mask
)

const (
	recordBits = 16
	recordLen  = 1 << recordBits // records in a segment: 1.25 MiB
	recordMask = recordLen - 1

	firstRecords = 64                 // in the smallest store
	nextGen      = stateMask + 1      // what a new generation adds
	lastGen      = ^uint32(stateMask) // after which a record is retired
	maxRecords   = 1<<28 - 1<<16      // so many entries, and as many of stopped timers, fit into an arena at worst
	near         = math.MaxUint32     // ticks ahead that half of a tick can tell
)

// records is the store of them.
type records struct {
	pool[record]
	hot uint32 // the record whose timer ended last, for the next Start to take; or none
	sum uint32 // of what was read to be in the cache, so that it is read
}

// newRecords returns a store with room for so many timers.
func newRecords(timers int) records {
	s := records{pool: newPool[record](recordLen, 1, maxRecords, 0), hot: none}
	s.reserve(timers, firstRecords)
	return s
}

// A handle has the index of a record, and above it what the record would be in the
// state exact.
func handle(i, gen uint32) schemes.Handle {
	return schemes.Handle(gen|stateExact)<<32 | schemes.Handle(i)
}

// find returns the record of the timer that h names; nil: there is none, or no
// more. O(1).
func (s *records) find(h schemes.Handle) *record {
	i, what := uint32(h), uint32(h>>32)
	if what&stateMask != stateExact || int(i) >= len(s.mem.all) {
		return nil
	}
	if r := &s.mem.all[i]; r.genState^what <= stateDue-stateExact {
		return r
	}
	return nil
}

// named returns the record that an entry names, which may be for another timer by now. It
// may move when a record is taken.
func (s *records) named(e Entry) *record { return &s.mem.all[uint32(e)] }

// takeNext takes the record freed last, which may still be in the cache, and reads the
// one before it, which the next Start takes: whether an entry stands for that is not to
// be guessed, and so nothing goes on until it is known.
func (s *records) takeNext() uint32 {
	n, at := s.take()
	n <<= recordBits
	if top := s.segs[n>>recordBits].top; top > 0 {
		s.sum = s.mem.all[n|uint32(s.free.all[n+top-1])].genState
	}
	return n | at
}

// grow makes room for more records. Those in memory made anew go on with the
// generations from which it was given back.
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

// end makes a record free, or vacant, after its timer. O(1), but where a segment's
// memory is given back.
func (s *records) end(i uint32, r *record, state uint32) {
	r.genState = r.genState&^stateMask | state
	s.put(i)
}

// put returns a record.
func (s *records) put(i uint32) {
	if n := i >> recordBits; s.pool.put(n, i&recordMask) && !s.spares(n) {
		s.drop(n)
	}
}

// handOut ends the timer of a record, which the next Start takes. O(1), but where a
// segment's memory is given back.
func (s *records) handOut(i uint32, r *record) {
	s.cool()
	r.genState &^= stateMask
	s.hot = i
}

// cool puts the hot record among the others.
func (s *records) cool() {
	if i := s.hot; i != none {
		s.hot = none
		s.put(i)
	}
}

// drop gives the memory of segment n back, unless it has a record with hardly a
// generation left: all records of it will go on from there. O(records in the segment).
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
