// Package chunk holds what the chunked forms of schemes 6 and 7 have in common:
// slots that are arrays instead of rings.
//
//	slot ──► position behind its last entry
//	             │
//	  chunk  [link|e|e|e|…|e|.|.]        32 entries, 256 bytes
//	            └► [link|e|e|e|…|e|e|e]      full
//	                  └► [-|e|e|e|e|e|e|e]       the slot's own: 8 entries, 64 bytes
//
//	  entry  half of an expiry | index ──► record [id|expiry|generation|entry]
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
package chunk

import (
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/bitmap"
)

// Module is the common part of a chunked scheme. Make one with New. A scheme adds
// which slot a timer waits in.
type Module struct {
	Now      schemes.Tick
	Upcoming schemes.Tick // what enters an entry lowers it to the tick at which that comes up
	Tally    schemes.Counts

	records records
	arena   arena
	slots   []uint32 // the position behind each slot's last entry; that of its small chunk if it is empty
	bitmap.Bitmap
	entries int // in slots
	live    int // timers outstanding
	places  Places
	longest schemes.Tick // interval
	due     queue
	sweep   sweep
	fetched schemes.Tick // the last tick of which the records were fetched
	sum     uint32       // of what was fetched, so that it is
	name    string
}

// New returns a module of so many slots, whose clock stands at cfg.Now, with
// records for cfg.Capacity timers. Places tell where a timer waits, and longest is
// the range.
func New(name string, cfg schemes.Config, slots int, places Places, longest schemes.Tick) (Module, error) {
	if cfg.Capacity < 0 || cfg.Capacity > maxRecords {
		return Module{}, fmt.Errorf("%s: capacity %d, allowed 0 to %d: %w", name, cfg.Capacity, maxRecords, schemes.ErrConfig)
	}
	if slots > MaxSlots {
		return Module{}, fmt.Errorf("%s: %d slots, allowed 1 to %d: %w", name, slots, MaxSlots, schemes.ErrConfig)
	}
	m := Module{
		Now:     cfg.Now,
		records: newRecords(cfg.Capacity),
		arena:   newArena(cfg.Capacity, slots),
		slots:   make([]uint32, slots),
		places:  places,
		longest: longest,
		name:    name,
	}
	m.Extend(slots)
	for slot := range m.slots {
		m.slots[slot] = uint32(slot) * smallLen
	}
	return m, nil
}

// Len returns the timers outstanding, due ones included. O(1).
func (m *Module) Len() int { return m.live }

// waiting returns the timers outstanding that are not due.
func (m *Module) waiting() int { return m.live - m.due.timers }

// Due returns the timers in the due list.
func (m *Module) Due() int { return m.due.timers }

// Held returns the timers outstanding and the entries of stopped ones. O(1).
func (m *Module) Held() int { return m.entries + m.due.timers }

// Counts returns the operations counted so far.
func (m *Module) Counts() schemes.Counts { return m.Tally }

// Ended reports whether the clock has reached its last tick, where PerTick does
// nothing.
func (m *Module) Ended() bool { return m.Now == math.MaxUint64 }

// Start makes a timer, and an entry for it unless one of an earlier timer will do.
// O(1) where Places serve, but for the moments when memory must be made. The usual
// case is written out, as in Stop.
func (m *Module) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	expiry := m.Now + interval
	if interval-1 >= m.longest || expiry < m.Now { // also 0
		return 0, m.badInterval(interval)
	}
	s := &m.records
	last := len(s.open) - 1
	if last < 0 || s.segs[s.open[last]].top == 0 || s.open[last] == s.spare {
		return m.startRare(expiry, id)
	}
	n := s.open[last]
	g := &s.segs[n]
	g.top--
	g.live++
	if g.full() {
		s.open = s.open[:last]
	}
	m.live++
	at := g.free[g.top]
	r, i := &g.mem[at], n<<recordBits|uint32(at)
	gen, stood := r.gen+1, r.expiry == stands
	r.gen, r.id, r.expiry = gen, id, expiry
	if stood && m.comesUp(r.entry) <= expiry {
		m.Tally.Links += 2 // the old timer has left now, and the new one entered
		return handle(i, gen), nil
	}
	m.enter(i, r)
	return handle(i, gen), nil
}

// startRare is Start with a record that was never used, or of the spare segment.
func (m *Module) startRare(expiry schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	i, r, ok := m.records.alloc()
	if !ok {
		return 0, fmt.Errorf("%s: %d timers outstanding, no room for more: %w", m.name, m.live, schemes.ErrFull)
	}
	m.live++
	stood := r.expiry&stands != 0
	r.id, r.expiry = id, expiry
	if !stood || !m.keep(r) {
		m.enter(i, r)
	}
	return handle(i, r.gen), nil
}

// Restart is a write if the timer now expires later, else an entry more. O(1)
// where Places serve.
func (m *Module) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	r := m.records.find(h)
	switch {
	case r == nil:
		return 0, fmt.Errorf("%s: handle %#x: %w", m.name, uint64(h), schemes.ErrHandle)
	case interval == 0 || interval > m.longest || interval > math.MaxUint64-m.Now:
		return 0, m.badInterval(interval)
	case r.gen == lastGen:
		return m.anew(h, r, interval)
	}
	stood := r.expiry > m.Now && r.expiry-m.Now <= math.MaxUint32
	again := r.expiry == m.Now+interval // then the entry will do, however far away it is
	wasDue := r.expiry <= m.Now
	r.gen += 2
	r.expiry = m.Now + interval
	if wasDue {
		m.leftDue()
	}
	switch {
	case again:
		m.Tally.Links += 2
	case !stood || !m.keep(r):
		m.enter(uint32(h), r)
		m.Clean(1)
	}
	return handle(uint32(h), r.gen), nil
}

// anew is Restart for a record that ends with its timer.
func (m *Module) anew(h schemes.Handle, r *record, interval schemes.Tick) (schemes.Handle, error) {
	next, err := m.Start(interval, r.id)
	if err == nil {
		m.Stop(h)
	}
	return next, err
}

// keep lets the entry that stood for the record's last timer stand for the new
// one, if it comes up no later. It does so within 2^32 ticks, so half of the tick
// is enough to tell. The old timer has then left, and the new one entered.
func (m *Module) keep(r *record) bool {
	if r.expiry < m.comesUp(r.entry) {
		return false
	}
	m.Tally.Links += 2
	return true
}

// comesUp returns the first tick from now on with this lower half.
func (m *Module) comesUp(half uint32) schemes.Tick {
	return m.Now + schemes.Tick(half-uint32(m.Now))
}

// Stop forgets the timer that h names, and leaves its entry. O(1), and a few
// entries of a sweep.
//
// What it waits for is the record. The fewer instructions there are, the more stops
// that follow each other wait at the same time, so the usual case is written out.
func (m *Module) Stop(h schemes.Handle) bool {
	i, gen := uint32(h), uint32(h>>32)
	n, at := int(i>>recordBits), i&recordMask
	if gen&1 == 0 || n >= len(m.records.segs) {
		return false
	}
	g := &m.records.segs[n]
	if int(at) >= len(g.mem) || g.mem[at].gen != gen {
		return false
	}
	r := &g.mem[at]
	if r.expiry-m.Now-1 >= math.MaxUint32 || g.live == 1 || gen == lastGen || g.full() {
		return m.stopRare(i, r)
	}
	r.gen, r.expiry = gen+1, stands
	g.free[g.top] = uint16(at)
	g.top++
	g.live--
	m.live--
	if m.untidy() {
		m.cleanSome(1)
	}
	return true
}

// stopRare is Stop of a timer that is due, or so far away that half of a tick would
// not tell when its entry comes up, or whose segment becomes empty or was full.
func (m *Module) stopRare(i uint32, r *record) bool {
	flag, wasDue := schemes.Tick(0), r.expiry <= m.Now
	if !wasDue && r.expiry-m.Now <= math.MaxUint32 {
		flag = stands
	}
	m.live--
	m.records.free(i, r, flag)
	if wasDue {
		m.leftDue()
	}
	m.Clean(1)
	return true
}

func (m *Module) badInterval(interval schemes.Tick) error {
	if m.Ended() {
		return fmt.Errorf("%s: interval %d, allowed none: the clock stands at its last tick: %w", m.name, interval, schemes.ErrInterval)
	}
	return fmt.Errorf("%s: interval %d, allowed 1 to %d: %w", m.name, interval, min(m.longest, math.MaxUint64-m.Now), schemes.ErrInterval)
}

func handle(i, gen uint32) schemes.Handle {
	return schemes.Handle(gen)<<32 | schemes.Handle(i)
}
