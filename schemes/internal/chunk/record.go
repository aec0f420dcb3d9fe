package chunk

import (
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// record is one timer, 20 bytes: with a 64-bit ID in one word it would be 24. Gen is the
// generation and, in its lowest bits, the state.
//
// A record has only the low 32 bits of the tick at which its entry comes up, which mostly is
// the deadline. Where an entry is reused, or the deadline lies more than 2^32 ticks ahead,
// Next has the rest. Record 0 is no timer, but the head of the ring of due ones, which are
// linked by Next and, backwards, by low.
type record struct {
	store.Header
	low uint32 // of the tick at which the timer's entry comes up
	id  [2]uint32
}

func (r *record) setID(id schemes.ID) { r.id = [2]uint32{uint32(id), uint32(id >> 32)} }
func (r *record) getID() schemes.ID   { return schemes.ID(r.id[1])<<32 | schemes.ID(r.id[0]) }

// States of a record. Those of an outstanding timer have the bit liveBit.
const (
	stateFree   = 0 // no entry belongs to it
	stateVacant = 1 // free, but it still has an entry, which the next timer may reuse
	stateExact  = 4 // waits, and is due when its entry comes up
	stateLater  = 5 // waits, and is due when its entry comes up or later; Next: the deadline's low word
	stateFar    = 6 // waits for a deadline that was 2^32 ticks ahead or more; Next: its high word
	stateDue    = 7
	liveBit     = 4
	stateMask   = 7
)

const (
	nextGen    = stateMask + 1      // what a new generation adds
	lastGen    = ^uint32(stateMask) // after which a record is retired
	maxRecords = 1<<28 - 1<<16      // at worst as many entries, and as many stale ones, find room
	near       = math.MaxUint32     // ticks ahead that a low word can name
)

// handle returns a timer's handle: the index of its record, and above it the generation.
func handle(i, gen uint32) schemes.Handle { return schemes.Handle(gen)<<29 | schemes.Handle(i) }

// find returns the record of the timer that h names, or nil if h is stale. O(1).
func (m *Module) find(h schemes.Handle) *record {
	if i := uint32(h); uint(i) < uint(m.records.Len()) {
		r := m.records.At(i)
		if state := uint64(r.Gen) - uint64(h>>29)&^stateMask; state >= stateExact && state <= stateDue {
			return r
		}
	}
	return nil
}

// named returns the record that an entry names, which may hold another timer by now.
func (m *Module) named(e Entry) *record { return m.records.At(e.Record()) }

// tickOf returns the first tick from now on with this low word.
func (m *Module) tickOf(low uint32) schemes.Tick {
	return m.Now + schemes.Tick(low-uint32(m.Now))
}

// deadline returns the deadline of a record's timer, which waits.
func (m *Module) deadline(r *record) schemes.Tick {
	switch r.Gen & stateMask {
	case stateLater:
		return m.tickOf(r.Next)
	case stateFar:
		return schemes.Tick(r.Next)<<32 | schemes.Tick(r.low)
	}
	return m.tickOf(r.low)
}

// AnyDue reports whether a timer is due and not yet handed out. O(1).
func (m *Module) AnyDue() bool { return m.due > 0 }

// leaveDue takes record r out of the ring of due timers.
func (m *Module) leaveDue(r *record) {
	m.due--
	m.records.At(r.low).Next = r.Next
	m.records.At(r.Next).low = r.low
}

// Expire hands out the due timers. Each is forgotten before its action runs, and the ring is
// read again after it, so an action may start and stop any timer, or panic. O(due timers).
func (m *Module) Expire(action func(schemes.ID)) {
	for i := m.records.At(0).Next; i != 0; i = m.records.At(0).Next {
		r := m.records.At(i)
		m.leaveDue(r)
		id := r.getID()
		r.Gen &^= stateMask
		m.records.Put(i, r)
		action(id)
	}
}
