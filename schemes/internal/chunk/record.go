package chunk

import (
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// record is one timer, 24 bytes. Gen is the generation and, in its lowest bits, the state, which says
// what Link and low are; pos is the position of the entry, if there is one:
//
//	state    entry  Link                               low
//	in reach yes    deadline, low word                 the tick at which the entry comes up, low word
//	beyond   yes    deadline, high word                deadline, low word: the entry comes up then
//	stopped  yes    -                                  the tick at which the entry comes up, low word
//	due      no     next due timer                     due timer before it
//	free     no     next free record, in a free list   -
//
// A low word is enough up to 2^32 ticks ahead. Record 0 is no timer, but the head of the ring of due
// ones.
type record struct {
	store.Header
	low, pos uint32
	id       schemes.ID
}

// States of a record. An outstanding timer's states have the bit liveBit.
const (
	stateFree    = 0
	stateStopped = 1 // the timer was stopped, and its entry is still in a slot: see Module.stopped
	stateInReach = 4
	stateBeyond  = 5 // the deadline was 2^32 ticks ahead or more
	stateDue     = 7
	liveBit      = 4
	stateMask    = 7
)

const (
	nextGen    = stateMask + 1      // what a new generation adds
	lastGen    = ^uint32(stateMask) // after which a record is retired
	maxRecords = 1<<29 - 1<<16      // see maxBlocks
	lowRange   = math.MaxUint32     // ticks ahead that a low word can name
)

// handle returns a timer's handle: the index of its record, and above it the generation.
func handle(i, gen uint32) schemes.Handle { return schemes.Handle(gen)<<29 | schemes.Handle(i) }

// find returns the record of the timer that h names, or nil if h is stale. O(1).
func (m *Module) find(h schemes.Handle) *record {
	if i := uint32(h); uint(i) < uint(m.records.Len()) {
		r := m.records.At(i)
		if state := uint64(r.Gen) - uint64(h>>29)&^stateMask; state >= stateInReach && state <= stateDue {
			return r
		}
	}
	return nil
}

// tickOf returns the first tick from now on with this low word.
func (m *Module) tickOf(low uint32) schemes.Tick {
	return m.Now + schemes.Tick(low-uint32(m.Now))
}

// deadline returns the deadline of a record's timer, which waits.
func (m *Module) deadline(r *record) schemes.Tick {
	if r.Gen&stateMask == stateBeyond {
		return schemes.Tick(r.Link)<<32 | schemes.Tick(r.low)
	}
	return m.tickOf(r.Link)
}

// wakesAt returns the tick at which a record's entry comes up.
func (m *Module) wakesAt(r *record) schemes.Tick {
	if r.Gen&stateMask == stateBeyond {
		return m.deadline(r)
	}
	return m.tickOf(r.low)
}

// AnyDue reports whether a timer is due and not yet handed out. O(1).
func (m *Module) AnyDue() bool { return m.due > 0 }

func (m *Module) leaveDue(r *record) {
	m.due--
	m.records.At(r.low).Link = r.Link
	m.records.At(r.Link).low = r.low
}

// Expire hands out the due timers. Each is forgotten before its action runs, and the ring is
// read again after it, so an action may start and stop any timer, or panic. O(due timers).
func (m *Module) Expire(action func(schemes.ID)) {
	for i := m.records.At(0).Link; i != 0; i = m.records.At(0).Link {
		r := m.records.At(i)
		m.leaveDue(r)
		id := r.id
		r.Gen &^= stateMask
		m.records.Put(i, r)
		m.trim()
		action(id)
	}
}
