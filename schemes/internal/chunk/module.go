// Package chunk holds what the chunked forms of schemes 6 and 7 have in common:
// slots that are arrays instead of rings.
//
//	slot ──► position behind its last entry
//	             │
//	  chunk  [link|e|e|e|…|e|.|.]        32 entries, 256 bytes
//	            └► [link|e|e|e|…|e|e|e]      full
//	                  └► [-|e|e|e|e|e|e|e]       the slot's own: 8 entries, 64 bytes
//
//	  entry  half of a deadline | index ──► record [id|generation, state|half of a deadline]
//
// Where timers outgrow the cache, what costs is waiting for memory. A ring is a
// chain: the place of the next timer is in the present one, so every timer that
// migrates or expires is a wait of its own. Here a slot's entries are read one
// after the other from an array, and tell where each goes without the record: a
// migration touches no record at all, and those of an expiring slot are fetched
// all at once, because none of them waits for another.
//
// Stop leaves the entry where it is. If the record's next timer expires later than
// that, the entry stands for it too: when it comes up, it goes on to where the
// timer is due. Otherwise the timer gets an entry of its own. Restart does the
// same. So a record's last entry is the one that stands for it, and never comes up
// too late. Entries that stand for none are discarded when they come up, or by a
// sweep, a few with every stop and expiry, so that they are never more than the
// timers that wait and a chunk.
//
// An entry has the lower half of a tick. A wheel's slot says which tick is meant
// as long as the slots of a level last no more than 2^32 ticks; on higher levels
// the record is read.
//
// Nor does a record have more: its timer expires when its entry comes up. For one that
// took over an entry, or is further away than half of a tick can tell, it has the rest.
package chunk

import (
	"fmt"
	"runtime"

	"timerlab/schemes"
	"timerlab/schemes/internal/bitmap"
	"timerlab/schemes/internal/module"
)

// Module is the common part of a chunked scheme. Make one with New. A scheme adds
// which slot a timer waits in.
type Module struct {
	module.Clock
	Upcoming schemes.Tick // what enters an entry lowers it to the tick at which that comes up

	records records
	arena   arena
	slots   []uint32 // the position behind each slot's last entry; that of its small chunk if it is empty
	bitmap.Bitmap
	waiting   int // timers outstanding that are not due
	idle      int // entries in slots that stand for none
	placement Placement
	longest   schemes.Tick // interval
	due       queue
	taken     [chunkLen]Entry // out of their slot
	sweep     sweep
	fetched   schemes.Tick // the last tick of which the records were fetched
}

// New returns a module of so many slots, whose clock stands at cfg.Now, with
// records for cfg.Capacity timers. Places tell where a timer waits, and longest is
// the range.
func New(name string, cfg schemes.Config, slots int, places Placement, longest schemes.Tick) (Module, error) {
	if cfg.Capacity < 0 || cfg.Capacity > maxRecords {
		return Module{}, fmt.Errorf("%s: capacity %d, allowed 0 to %d: %w", name, cfg.Capacity, maxRecords, schemes.ErrConfig)
	}
	if slots > MaxSlots {
		return Module{}, fmt.Errorf("%s: %d slots, allowed 1 to %d: %w", name, slots, MaxSlots, schemes.ErrConfig)
	}
	m := Module{
		Clock:     module.Clock{Now: cfg.Now, Name: name},
		records:   newRecords(cfg.Capacity),
		arena:     newArena(cfg.Capacity, slots),
		slots:     make([]uint32, slots),
		placement: places,
		longest:   longest,
	}
	m.Extend(slots)
	for slot := range m.slots {
		m.slots[slot] = uint32(slot) * smallLen
	}
	return m, nil
}

// Len returns the timers outstanding, due ones included. O(1).
func (m *Module) Len() int { return m.waiting + m.due.timers }

// ID returns that of the timer that h names. O(1).
func (m *Module) ID(h schemes.Handle) (schemes.ID, bool) {
	if r := m.records.find(h); r != nil {
		return r.getID(), true
	}
	return 0, false
}

// Due returns the timers in the due list.
func (m *Module) Due() int { return m.due.timers }

// Held returns the timers outstanding and the entries of stopped ones. O(1).
func (m *Module) Held() int { return m.waiting + m.idle + m.due.timers }

// OffHeap returns the bytes for timers and slots that are not in Go's heap. O(1).
func (m *Module) OffHeap() int { return m.records.offHeap() + m.arena.offHeap() }

// Start makes a timer, and an entry for it unless that of an earlier timer will do.
// O(1) where Places serve, but for the moments when memory must be made.
//
// It takes the record freed last, which is still in the cache.
func (m *Module) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	deadline := m.Now + interval
	if interval-1 >= m.longest || deadline < m.Now { // also 0
		return 0, m.BadInterval(interval, m.longest)
	}
	s := &m.records
	i := s.hot
	if i == none {
		if len(s.open) == 0 && !s.grow() {
			return 0, m.Full(m.Len())
		}
		i = s.takeNext()
	}
	s.hot = none
	r := &s.mem.all[i]
	what := r.genState
	gen := what&^stateMask + nextGen
	if gen == 0 { // they are used up: the record is retired
		return m.Start(interval, id)
	}
	m.waiting++
	r.setID(id)
	if what&stateVacant != 0 && m.serves(r, interval) {
		m.idle--
		m.retain(r, gen, interval)
	} else {
		m.enter(i, r, gen, deadline)
	}
	return handle(i, gen), nil
}

// serves reports whether the entry that stands for a record, which is not far, comes up
// no later than in so many ticks, and half of a tick can tell these.
func (m *Module) serves(r *record, interval schemes.Tick) bool {
	return interval <= near && r.deadlineLow-uint32(m.Now) <= uint32(interval)
}

// retain lets the entry that stood for the record's last timer stand for the next. The
// old timer has then left, and the new one entered.
func (m *Module) retain(r *record, gen uint32, interval schemes.Tick) {
	m.Tally.Links += 2
	r.genState = gen | stateLater
	r.deadlineExtra = uint32(m.Now) + uint32(interval)
	runtime.KeepAlive(m)
}

// Restart is a write if the timer now expires later, else an entry more. O(1)
// where Places serve.
func (m *Module) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	r := m.records.find(h)
	switch {
	case r == nil:
		return 0, m.BadHandle()
	case m.Refuses(interval, m.longest):
		return 0, m.BadInterval(interval, m.longest)
	case r.genState >= lastGen:
		return m.restartRetired(h, r, interval)
	}
	i, gen := uint32(h), r.genState&^stateMask+nextGen
	switch state := r.genState & stateMask; {
	case state == stateDue:
		m.waiting++
		m.enter(i, r, gen, m.Now+interval)
		m.leftDue()
	case state == stateFar && m.deadline(r) == m.Now+interval: // an entry more would be its double
		m.Tally.Links += 2
		r.genState = gen | stateFar
		runtime.KeepAlive(m)
	case state != stateFar && m.serves(r, interval):
		m.retain(r, gen, interval)
	default:
		m.idle++
		m.enter(i, r, gen, m.Now+interval)
		m.Clean(1)
	}
	return handle(i, gen), nil
}

// restartRetired is Restart for a record that ends with its timer.
func (m *Module) restartRetired(h schemes.Handle, r *record, interval schemes.Tick) (schemes.Handle, error) {
	next, err := m.Start(interval, r.getID())
	if err == nil {
		m.Stop(h)
	}
	return next, err
}

// tickOf returns the first tick from now on with this lower half.
func (m *Module) tickOf(half uint32) schemes.Tick {
	return m.Now + schemes.Tick(half-uint32(m.Now))
}

// deadline returns when the timer of a record expires, which waits.
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
// What it waits for is the record. The fewer instructions there are, the more stops
// that follow each other wait at the same time, so the usual case is written out.
func (m *Module) Stop(h schemes.Handle) bool {
	i, what := uint32(h), uint32(h>>32)
	if what&stateMask != stateExact || int(i) >= len(m.records.mem.all) {
		return false
	}
	r, g := &m.records.mem.all[i], &m.records.segs[i>>recordBits]
	state := r.genState ^ what
	switch {
	case state > stateLater-stateExact:
		return state <= stateDue-stateExact && m.stopRare(i, r)
	case m.records.hot == none:
		r.genState = what - stateExact + stateVacant
		m.records.hot = i
	case g.top == 0 || g.top+2 >= g.length: // the hot record may be another of the segment
		return m.stopRare(i, r)
	default:
		r.genState = what - stateExact + stateVacant
		m.records.free.all[i&^recordMask+g.top] = uint16(i)
		g.top++
	}
	m.waiting--
	m.idle++
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
	m.idle++
	m.records.end(i, r, state)
}
