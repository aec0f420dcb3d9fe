// Package chunk holds what the chunked forms of schemes 6 and 7 have in common:
// slots that are arrays instead of rings.
//
//	slot ──► position after its last entry
//	             │
//	  chunk  [link|e|e|e|…|e|.|.]        32 entries, 256 bytes
//	            └► [link|e|e|e|…|e|e|e]      full
//	                  └► [-|e|e|e|e|e|e|e]       the slot's own: 8 entries, 64 bytes
//
//	  entry  low word of a tick | index ──► record [generation, state|-|low word of a tick|id]
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

	entries int // in slots: those of waiting timers, and stale ones
	due     int // timers that are due and not yet handed out
	records store.Slab[record]
	chunks  store.Slab[block]
	slots   []uint32 // the position after each slot's last entry; that of its small chunk if it is empty
	small   uint32   // the position after all small chunks
	longest schemes.Tick
	usual   schemes.Tick // intervals that a low word can name, and in range
	store.Bitmap
	placement store.Placement
	sweep     sweep
	fetched   schemes.Tick // the last tick of which the records were fetched
	sum       uint32       // of what was fetched, so that the compiler keeps the reads
	taken     [chunkLen]Entry
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
	small := smallBlocks(slots)
	m := Module{
		Clock:     store.Clock{Now: cfg.Now, Name: name},
		records:   store.NewSlab[record](1+cfg.Capacity, 1+maxRecords, cfg.Heap),
		chunks:    store.NewSlab[block](small+chunksFor(cfg.Capacity, slots), maxBlocks, cfg.Heap),
		slots:     make([]uint32, slots),
		small:     uint32(small * chunkLen),
		placement: placement,
		longest:   longest,
		usual:     min(longest, near),
	}
	m.chunks.Run(small)
	m.Extend(slots)
	for slot := range m.slots {
		m.slots[slot] = uint32(slot) * smallLen
	}
	return m, nil
}

// Len returns the number of outstanding timers, due ones included. O(1).
func (m *Module) Len() int { return m.waiting() + m.due }

// waiting returns the number of outstanding timers that are not due.
func (m *Module) waiting() int { return m.records.InUse() - m.due }

// ID returns the ID of the timer that h names. O(1).
func (m *Module) ID(h schemes.Handle) (id schemes.ID, ok bool) {
	if r := m.find(h); r != nil {
		id, ok = r.getID(), true
	}
	runtime.KeepAlive(m)
	return id, ok
}

// Held returns the number of outstanding timers and stale entries. O(1).
func (m *Module) Held() int { return m.entries + m.due }

// OffHeap returns the bytes for timers and slots that are not in Go's heap. O(1).
func (m *Module) OffHeap() int { return m.records.OffHeap() + m.chunks.OffHeap() }

// Release gives all memory outside Go's heap back.
func (m *Module) Release() {
	m.records.Release()
	m.chunks.Release()
}

// Start makes a timer in the record freed last, which is still in the cache. It reuses the
// record's old entry if that comes up no later, else it enters one. O(1) where the placement
// has a table, except when memory must be allocated.
func (m *Module) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if interval-1 >= m.usual || m.Now+interval < m.Now || !m.records.HasRoom() {
		return m.startRare(interval, id)
	}
	i, r := m.records.Take()
	r.setID(id)
	old := r.Gen
	gen := old&^stateMask + nextGen
	switch {
	case old&stateVacant == 0:
		m.enter(i, r, gen, m.Now+interval)
	case r.low-uint32(m.Now) <= uint32(interval):
		m.retain(r, gen, interval)
	default:
		m.enter(i, r, gen, m.Now+interval)
		m.Clean(1)
	}
	return handle(i, gen), nil
}

// retain reuses the entry of the record's last timer for the next one. That counts as
// one timer leaving the slot and one entering it.
func (m *Module) retain(r *record, gen uint32, interval schemes.Tick) {
	m.Tally.Links += 2
	r.Gen = gen | stateLater
	r.Next = uint32(m.Now) + uint32(interval)
	runtime.KeepAlive(m)
}

// startRare is Start of a timer that is far away, or not allowed.
func (m *Module) startRare(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	switch {
	case m.Refuses(interval, m.longest):
		return 0, m.BadInterval(interval, m.longest)
	case !m.records.HasRoom():
		return 0, m.Full(m.Len())
	}
	i, r := m.records.Take()
	r.setID(id)
	gen := r.Gen&^stateMask + nextGen
	m.enter(i, r, gen, m.Now+interval)
	m.Clean(1)
	return handle(i, gen), nil
}

// Stop forgets the timer that h names, and leaves its entry. O(1), and a few entries of a
// sweep, unless the next operation is the Start that may reuse the entry.
//
// Its cost is waiting for the record. The fewer instructions it has, the more
// consecutive stops wait at the same time, so the usual case is written out.
func (m *Module) Stop(h schemes.Handle) bool {
	i := uint32(h)
	if uint(i) >= uint(m.records.Len()) {
		return false
	}
	r, gen := m.records.At(i), uint64(h>>29)&^stateMask
	if state := uint64(r.Gen) - gen - stateExact; state > stateLater-stateExact || m.records.Hot() != 0 {
		return state <= stateDue-stateExact && m.stopRare(i, r)
	}
	r.Gen = uint32(gen) | stateVacant
	m.records.Put(i, r)
	return true
}

// stopRare is Stop of a timer that is due or far away, or while another record is taken next.
func (m *Module) stopRare(i uint32, r *record) bool {
	state := uint32(stateFree)
	switch r.Gen & stateMask {
	case stateDue:
		m.leaveDue(r)
	case stateExact, stateLater:
		state = stateVacant
	}
	r.Gen = r.Gen&^stateMask | state
	m.records.Put(i, r)
	m.Clean(1)
	return true
}

// Restart writes the record if the new deadline is later, else it adds an entry. O(1)
// where the placement has a table.
func (m *Module) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, gen := uint32(h), uint64(h>>29)&^stateMask
	if uint(i) < uint(m.records.Len()) && interval-1 < m.usual && m.Now+interval >= m.Now {
		r := m.records.At(i)
		waits := uint64(r.Gen)-gen-stateExact <= stateLater-stateExact && r.Gen < lastGen
		if waits && r.low-uint32(m.Now) <= uint32(interval) {
			m.retain(r, uint32(gen)+nextGen, interval)
			return h + nextGen<<29, nil
		}
	}
	return m.restartRare(h, interval)
}

func (m *Module) restartRare(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, r := uint32(h), m.find(h)
	switch {
	case r == nil:
		return 0, m.BadHandle()
	case m.Refuses(interval, m.longest):
		return 0, m.BadInterval(interval, m.longest)
	case r.Gen >= lastGen:
		return m.restartRetired(h, r, interval)
	}
	gen, state := r.Gen&^stateMask+nextGen, r.Gen&stateMask
	if state == stateFar && m.deadline(r) == m.Now+interval { // another entry would be a duplicate
		r.Gen = gen | stateFar
		m.Tally.Links += 2
		return handle(i, gen), nil
	}
	if state == stateDue {
		m.leaveDue(r)
	}
	m.enter(i, r, gen, m.Now+interval)
	if state != stateDue {
		m.Clean(1)
	}
	return handle(i, gen), nil
}

// restartRetired handles Restart of a record whose generations are used up.
func (m *Module) restartRetired(h schemes.Handle, r *record, interval schemes.Tick) (schemes.Handle, error) {
	next, err := m.Start(interval, r.getID())
	if err == nil {
		m.Stop(h)
	}
	return next, err
}
