// Package chunk holds what the chunked forms of schemes 6 and 7 have in common:
// slots that are arrays instead of rings.
//
//	slot ──► position after its last entry
//	             │
//	  chunk  [link|e|e|e|…|e|.|.]        32 entries, 256 bytes
//	            └► [link|e|e|e|…|e|e|e]      full
//	                  └► [-|e|e|e|e|e|e|e]       the slot's own: 8 entries, 64 bytes
//
//	  entry  low word of a tick | index ──► record [id|generation, state|low word of a tick]
//
// When timers outgrow the cache, the cost is waiting for memory. A ring is a chain:
// each timer holds the place of the next, so every timer that migrates or expires is a
// wait of its own. Here a slot's entries are read one after the other from an array,
// and an entry says where it goes without its record: a migration touches no record at
// all, and the records of a slot that is due are fetched at once, because none of the
// reads waits for another.
//
// Stop leaves the entry in its slot. If the record's next timer has a later deadline,
// it reuses the entry: when that comes up, it moves on to the slot of the deadline.
// Otherwise the timer gets an entry of its own, and the old one is stale. Restart does
// the same. So a record's newest entry belongs to its timer, and never comes up
// too late. Stale entries are discarded when they come up, or by a sweep of a few
// entries at every stop and expiry, so that there are never more of them than waiting
// timers and a chunk.
//
// An entry has only the low 32 bits of a tick. Its slot determines the others as long
// as the slots of a level last no more than 2^32 ticks; on higher levels the record is
// read. A record has only these bits too, and the remainder where it needs more: see
// record.
package chunk

import (
	"runtime"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// Module is the common part of a chunked scheme. Make one with New. A scheme adds
// which slot a timer waits in.
type Module struct {
	store.Clock
	Upcoming schemes.Tick // a lower bound on the next tick at which an entry comes up

	records records
	arena   arena
	slots   []uint32 // the position after each slot's last entry; that of its small chunk if it is empty
	store.Bitmap
	waiting   int // timers outstanding that are not due
	stale     int // entries in slots that belong to no timer
	placement store.Placement
	longest   schemes.Tick // interval
	due       queue
	taken     [chunkLen]Entry // out of their slot
	sweep     sweep
	fetched   schemes.Tick // the last tick of which the records were fetched
}

// New returns a module with this many slots, whose clock is at cfg.Now, with records
// for cfg.Capacity timers. placement maps a deadline to its slot, and longest is the
// range.
func New(name string, cfg schemes.Config, slots int, placement store.Placement, longest schemes.Tick) (Module, error) {
	if cfg.Capacity < 0 || cfg.Capacity > maxRecords {
		return Module{}, store.BadCapacity(name, cfg.Capacity, maxRecords)
	}
	if slots > MaxSlots {
		return Module{}, store.BadSlots(name, slots, MaxSlots)
	}
	m := Module{
		Clock:     store.Clock{Now: cfg.Now, Name: name},
		records:   newRecords(cfg.Capacity),
		arena:     newArena(cfg.Capacity, slots),
		slots:     make([]uint32, slots),
		placement: placement,
		longest:   longest,
	}
	m.Extend(slots)
	for slot := range m.slots {
		m.slots[slot] = uint32(slot) * smallLen
	}
	return m, nil
}

// Len returns the number of outstanding timers, due ones included. O(1).
func (m *Module) Len() int { return m.waiting + m.due.timers }

// ID returns the ID of the timer that h names. O(1).
func (m *Module) ID(h schemes.Handle) (schemes.ID, bool) {
	if r := m.records.find(h); r != nil {
		return r.getID(), true
	}
	return 0, false
}

// Due returns the number of timers in the due list.
func (m *Module) Due() int { return m.due.timers }

// Held returns the number of outstanding timers and stale entries. O(1).
func (m *Module) Held() int { return m.waiting + m.stale + m.due.timers }

// OffHeap returns the bytes for timers and slots that are not in Go's heap. O(1).
func (m *Module) OffHeap() int { return m.records.offHeap() + m.arena.offHeap() }

// Start makes a timer in the record freed last, which is still in the cache, and an
// entry for it unless the record's old entry can be reused. O(1) where the placement has a
// table, except when memory must be allocated.
func (m *Module) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if m.Refuses(interval, m.longest) {
		return 0, m.BadInterval(interval, m.longest)
	}
	s := &m.records
	i := s.hot
	if i == none {
		if len(s.Open) == 0 && !s.grow() {
			return 0, m.Full(m.Len())
		}
		i = s.takeNext()
	}
	s.hot = none
	r := &s.mem.all[i]
	old := r.genState
	gen := old&^stateMask + nextGen
	if gen == 0 { // generations are used up: the record is retired
		return m.Start(interval, id)
	}
	m.waiting++
	r.setID(id)
	if old&stateVacant != 0 && m.serves(r, interval) {
		m.stale--
		m.retain(r, gen, interval)
	} else {
		m.enter(i, r, gen, m.Now+interval)
	}
	return handle(i, gen), nil
}

// serves reports whether the entry of a record, which is not far, can be reused for a
// timer of this interval: it comes up no later, and a low word can name the deadline.
func (m *Module) serves(r *record, interval schemes.Tick) bool {
	return interval <= near && r.deadlineLow-uint32(m.Now) <= uint32(interval)
}

// retain reuses the entry of the record's last timer for the next one. That counts as
// one timer leaving the slot and one entering it.
func (m *Module) retain(r *record, gen uint32, interval schemes.Tick) {
	m.Tally.Links += 2
	r.genState = gen | stateLater
	r.deadlineExtra = uint32(m.Now) + uint32(interval)
	runtime.KeepAlive(m)
}

// tickOf returns the first tick from now on with this low word.
func (m *Module) tickOf(low uint32) schemes.Tick {
	return m.Now + schemes.Tick(low-uint32(m.Now))
}

// deadline returns the deadline of a record's timer, which waits.
func (m *Module) deadline(r *record) schemes.Tick {
	switch r.genState & stateMask {
	case stateLater:
		return m.tickOf(r.deadlineExtra)
	case stateFar:
		return schemes.Tick(r.deadlineExtra)<<32 | schemes.Tick(r.deadlineLow)
	}
	return m.tickOf(r.deadlineLow)
}

// Stop forgets the timer that h names, and leaves its entry. O(1), and a few
// entries of a sweep.
//
// Its cost is waiting for the record. The fewer instructions it has, the more
// consecutive stops wait at the same time, so the usual case is written out.
func (m *Module) Stop(h schemes.Handle) bool {
	i, genState := uint32(h), uint32(h>>32)
	if genState&stateMask != stateExact || int(i) >= len(m.records.mem.all) {
		return false
	}
	r, g := &m.records.mem.all[i], &m.records.segs[i>>recordBits]
	state := r.genState ^ genState
	switch {
	case state > stateLater-stateExact:
		return state <= stateDue-stateExact && m.stopRare(i, r)
	case m.records.hot == none:
		r.genState = genState - stateExact + stateVacant
		m.records.hot = i
	case g.top == 0 || g.top+2 >= g.length: // the hot record may be another of the segment
		return m.stopRare(i, r)
	default:
		r.genState = genState - stateExact + stateVacant
		m.records.free.all[i&^recordMask+g.top] = uint16(i)
		g.top++
	}
	m.waiting--
	m.stale++
	if m.untidy() {
		m.cleanSome(1)
	}
	return true
}

// stopRare is Stop of a timer that is due or far away, or whose segment was full or
// becomes empty.
func (m *Module) stopRare(i uint32, r *record) bool {
	m.records.cool() // which may have kept a segment from being empty
	switch r.genState & stateMask {
	case stateDue:
		m.records.end(i, r, stateFree)
		m.leftDue()
	case stateFar:
		m.left(i, r, stateFree)
	default:
		m.left(i, r, stateVacant)
	}
	m.Clean(1)
	return true
}

// left ends a timer that has not expired, but leaves its entry.
func (m *Module) left(i uint32, r *record, state uint32) {
	m.waiting--
	m.stale++
	m.records.end(i, r, state)
}
