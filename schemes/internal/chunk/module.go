// Package chunk holds what the chunked forms of schemes 6 and 7 have in common:
// slots that are arrays instead of rings.
//
//	slot ──► position after its last entry
//	             │
//	  chunk  [link|e|e|e|…|e|.|.]        32 entries, 256 bytes
//	            └► [link|e|e|e|…|e|e|e]      full
//	                  └► [-|e|e|e|e|e|e|e]       the slot's own: 8 entries, 64 bytes
//
//	  entry  low word of a tick | index ──► record [generation, position, ticks, id]
//
// When timers outgrow the cache, the cost is waiting for memory. A ring is a chain:
// each timer holds the place of the next, so every timer that migrates or expires is a
// wait of its own. Here a slot's entries are read one after the other from an array,
// and an entry says where it goes without its record: a migration writes the record's new
// position, which nothing waits for, and the records of a slot that is due are fetched at
// once, because none of the reads waits for another.
//
// Restart to a later tick only writes the record: the entry comes up early, and goes on to the
// slot of the deadline then. A Start that follows a Stop does the same with the entry of the
// stopped timer, which stays in its slot for it. Such entries are few: beyond an eighth of the
// timers, Stop takes the entry out. The slot's last one fills the gap, and its record gets the new
// position.
//
// An entry has only the low 32 bits of a tick. Its slot determines the others as long
// as the slots of a level last no more than 2^32 ticks; on higher levels the record is
// read. A record has only these bits too, and the remainder where it needs more: see
// record.
package chunk

import (
	"math"
	"math/bits"
	"runtime"
	"unsafe"

	"timerlab/schemes"
	"timerlab/schemes/internal/array"
	"timerlab/schemes/internal/store"
)

// Module is the common part of a chunked scheme. Make one with New. A scheme adds
// which slot a timer waits in.
type Module struct {
	store.Clock
	Upcoming schemes.Tick // for scheme 7: no entry comes up before this tick

	// Holds reports whether an entry that comes up on this tick may be in a slot. nil: only in the slot that a
	// new entry would get.
	Holds func(slot uint32, wakesAt schemes.Tick) bool

	// Near maps a tick to its slot, as search does, for a scheme that migrates ahead of time; nil: search does.
	Near *Near

	due     int      // timers that are due and not yet handed out
	stopped []uint32 // records whose timers were stopped, the next to be taken last: most have an entry
	records store.Slab[record]
	chunks  store.Slab[block]
	ends    []uint32 // the position after each slot's last entry; emptyEnd if it has none
	small   uint32   // the position after all small chunks
	longest schemes.Tick
	usual   schemes.Tick // the longest interval in range that a low word can name
	array.Bitmap
	table  *Table                           // of slots by tick, or nil
	search func(schemes.Tick) (slot uint32) // the slot of a tick
	sum    uint32                           // of what was fetched, so that the compiler keeps the reads
	taken  [chunkLen]Entry
	Drawn  func() []store.Slots // the wheels, for View and String
}

// New returns a module with this many slots, 1 to MaxSlots, from slot first on, whose clock is at cfg.Now, with
// records for cfg.Capacity timers. search returns the slot of a tick, table too if it is not nil, and
// longest is the range.
func New(name string, cfg schemes.Config, first, slots int, table *Table, search func(schemes.Tick) (slot uint32),
	longest schemes.Tick) (Module, error) {
	switch {
	case slots < 1 || slots > MaxSlots:
		return Module{}, store.BadSlots(name, slots, MaxSlots)
	case cfg.Capacity < 0 || cfg.Capacity > maxRecords:
		return Module{}, store.BadCapacity(name, cfg.Capacity, maxRecords)
	}
	slots += first
	small := smallBlocks(slots)
	m := Module{
		Clock:   store.Clock{Now: cfg.Now, Name: name},
		records: store.NewSlab[record](0, 1+cfg.Capacity, 1+maxRecords, cfg.Heap),
		chunks:  store.NewSlab[block](small, chunksFor(cfg.Capacity, slots), maxBlocks, cfg.Heap),
		ends:    make([]uint32, slots),
		small:   uint32(small * chunkLen),
		table:   table,
		search:  search,
		longest: longest,
		usual:   min(longest, lowRange),
	}
	m.Extend(slots)
	for slot := range m.ends {
		m.ends[slot] = emptyEnd(uint32(slot))
	}
	return m, nil
}

// Len returns the number of outstanding timers, due ones included. O(1).
func (m *Module) Len() int { return m.records.InUse() - len(m.stopped) }

// ID returns the ID of the timer that h names. O(1).
func (m *Module) ID(h schemes.Handle) (id schemes.ID, ok bool) {
	if r := m.find(h); r != nil {
		id, ok = r.id, true
	}
	runtime.KeepAlive(m)
	return id, ok
}

// Held returns the number of outstanding timers and of the entries of stopped ones. O(stopped timers
// that have an entry).
func (m *Module) Held() int {
	held := m.Len()
	for _, i := range m.stopped {
		held += int(m.records.At(i).Gen & stateStopped)
	}
	runtime.KeepAlive(m)
	return held
}

// OffHeap returns the bytes for timers and slots that are not in Go's heap. O(1).
func (m *Module) OffHeap() int { return m.records.OffHeap() + m.chunks.OffHeap() }

// Memory returns the bytes that the module holds. O(1).
func (m *Module) Memory() int64 {
	return int64(unsafe.Sizeof(*m)) + array.Allocated(int64(m.records.Len())*int64(unsafe.Sizeof(record{}))) +
		array.Allocated(int64(m.chunks.Len())*int64(unsafe.Sizeof(block{}))) +
		array.Allocated(4*int64(len(m.ends))) + int64(len(m.ends))/8 + 4*int64(cap(m.stopped))
}

// Release gives all memory outside Go's heap back.
func (m *Module) Release() {
	m.records.Release()
	m.chunks.Release()
}

// Start makes a timer. It takes over the record of the timer stopped last, and its entry if that comes
// up no later. O(1) with a table, except when memory must be allocated.
func (m *Module) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	// In range, and in reach: the usual case of startOther, written out.
	if last := len(m.stopped) - 1; last >= 0 && interval-1 < m.usual && m.Now+interval >= m.Now {
		i := m.stopped[last]
		r := m.records.At(i)
		if gen := r.Gen; gen&stateStopped != 0 && r.low-uint32(m.Now) <= uint32(interval) {
			m.stopped = m.stopped[:last]
			r.id = id
			return m.keep(i, r, gen-stateStopped, interval), nil
		}
	}
	return m.startOther(interval, id)
}

// startOther is Start of a timer that gets an entry of its own, or is refused.
func (m *Module) startOther(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if m.Refuses(interval, m.longest) {
		return 0, m.BadInterval(interval, m.longest)
	}
	var i uint32
	var r *record
	if last := len(m.stopped) - 1; last >= 0 {
		i = m.stopped[last]
		m.stopped = m.stopped[:last]
		if r = m.records.At(i); r.Gen&stateStopped != 0 {
			m.Tally.Links++
			m.remove(r)
		}
	} else {
		if !m.records.HasRoom() {
			return 0, m.Full(m.Len())
		}
		i, r = m.records.Take()
	}
	r.id = id
	return m.begin(i, r, m.Now+interval), nil
}

// keep makes a timer in record i of this generation, which has an entry that comes up in reach and no
// later than the timer. That counts as one timer leaving the slot and one entering it.
func (m *Module) keep(i uint32, r *record, gen uint32, interval schemes.Tick) schemes.Handle {
	gen += nextGen
	r.Gen, r.Link = gen+stateInReach, uint32(m.Now)+uint32(interval)
	m.Tally.Links += 2
	runtime.KeepAlive(m)
	return handle(i, gen)
}

// begin makes a timer in record i, which has no entry.
func (m *Module) begin(i uint32, r *record, deadline schemes.Tick) schemes.Handle {
	r.Gen = r.Gen&^stateMask + nextGen
	m.Tally.Links++
	return m.enter(i, r, deadline)
}

const (
	mostStopped  = 1 << 16 // whose list takes 256 KiB
	stoppedShare = 8       // one of this many records that are taken may be stopped
)

// Stop forgets the timer that h names. O(1).
//
// Its cost is waiting for the record. The fewer instructions it has, the more
// consecutive stops wait at the same time, so the usual case is written out.
func (m *Module) Stop(h schemes.Handle) bool {
	i := uint32(h)
	if uint(i) >= uint(m.records.Len()) {
		return false
	}
	r, gen, stopped := m.records.At(i), uint64(h>>29)&^stateMask, len(m.stopped)
	if uint64(r.Gen) != gen+stateInReach || uint32(gen) == lastGen ||
		stopped >= mostStopped || stoppedShare*stopped >= m.records.InUse() {
		return m.stopOther(h)
	}
	r.Gen = uint32(gen) | stateStopped
	m.stopped = append(m.stopped, i)
	return true
}

// stopOther is Stop of a timer that is due or beyond 2^32 ticks, or while enough records are stopped.
func (m *Module) stopOther(h schemes.Handle) bool {
	r := m.find(h)
	if r == nil {
		return false
	}
	m.free(uint32(h), r)
	m.trim()
	runtime.KeepAlive(m)
	return true
}

// trim frees a stopped record if there are too many, after the end of a timer: so they become fewer
// with the timers.
func (m *Module) trim() {
	if last := len(m.stopped) - 1; last >= 0 && stoppedShare*last >= m.records.InUse() {
		i := m.stopped[last]
		m.stopped = m.stopped[:last]
		m.free(i, m.records.At(i))
	}
}

func (m *Module) free(i uint32, r *record) {
	if r.Gen&stateMask != stateFree {
		m.leave(r)
	}
	r.Gen &^= stateMask
	m.records.Put(i, r)
}

// leave takes record r out of its slot, or out of the ring of due timers. O(1).
func (m *Module) leave(r *record) {
	if r.Gen&stateMask == stateDue {
		m.leaveDue(r)
		return
	}
	m.Tally.Links++
	m.remove(r)
}

// Restart writes the record if the new deadline is later, else it moves the entry. O(1)
// with a table.
func (m *Module) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, gen := uint32(h), uint64(h>>29)&^stateMask
	// In range, and in reach: the usual case of Refuses and find, written out.
	if uint(i) < uint(m.records.Len()) && interval-1 < m.usual && m.Now+interval >= m.Now && gen < uint64(lastGen) {
		r := m.records.At(i)
		if uint64(r.Gen) == gen+stateInReach && r.low-uint32(m.Now) <= uint32(interval) {
			return m.keep(i, r, uint32(gen), interval), nil
		}
	}
	return m.Move(h, interval)
}

// Move is Restart with the entry in the slot of the new deadline at once, so that NextEvent does not name the
// old one, for services that sleep. O(1) with a table.
func (m *Module) Move(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	r := m.find(h)
	switch {
	case r == nil:
		return 0, m.BadHandle()
	case m.Refuses(interval, m.longest):
		return 0, m.BadInterval(interval, m.longest)
	case r.Gen >= lastGen: // the record is retired with this timer
		next, err := m.Start(interval, r.id)
		if err == nil {
			m.Stop(h)
		}
		return next, err
	}
	m.leave(r)
	return m.begin(uint32(h), r, m.Now+interval), nil
}

// Table maps a tick to its slot, by the number of low bits in which it and the clock differ. It needs
// wheels whose sizes are powers of two.
type Table [65]Digit

// Digit is the part of a tick that numbers the slots of one wheel, from bit Shift on:
// slot First and the Mask slots after it.
type Digit struct {
	Shift       uint8
	Mask, First uint32
}

// Slot returns the slot of a tick. O(1).
func (table *Table) Slot(t, now schemes.Tick) uint32 {
	d := &table[bits.Len64(uint64(t^now))]
	return d.First + uint32(t>>(d.Shift&63))&d.Mask
}

// Near maps a tick to its slot, by the bits of its distance less 1: on the wheel that it has for them, or
// on the wheel above that.
type Near [65]*Wheel

// Wheel is a wheel for Near.
type Wheel struct {
	Digit
	Reach schemes.Tick // the last tick for which timers may wait on it, of its next revolution
	Above *Wheel       // for later ticks
}

// Slot returns the slot of a tick after now. It does not branch. O(1).
func (near *Near) Slot(t, now schemes.Tick) uint32 {
	d := near[bits.Len64(uint64(t-now-1))]
	above := d.Above
	if t > d.Reach {
		d = above
	}
	return d.First + uint32(t>>(d.Shift&63))&d.Mask
}

// Bytes returns what a module with this many slots holds while it has n timers, which
// wait in `used` of the slots. O(log n).
func Bytes(n int, cfg schemes.Config, slots, used int) int64 {
	if cfg.Capacity < 0 || n < 0 || slots < 1 || slots > MaxSlots {
		return 0
	}
	// Chunks in use when the timers fall into slots at random: an eighth of them hold the first entries
	// of a slot, and each ends in a chunk that is half full on average.
	chunks, mean := n/(chunkLen-1)+used/2, float64(n)/float64(used)
	if mean <= 100 {
		sum, p := 0.0, math.Exp(-mean) // the Poisson distribution of a slot's entries
		for k := 1; float64(k) < mean+12*math.Sqrt(mean)+12; k++ {
			p *= mean / float64(k)
			if k >= smallLen {
				sum += p * float64((k-smallLen)/(chunkLen-1)+1)
			}
		}
		chunks = int(math.Round(sum * float64(used)))
	}
	small := smallBlocks(slots)
	return int64(unsafe.Sizeof(Module{})) + array.Allocated(4*int64(slots)) + int64(slots)/8 +
		array.Bytes[record](1+cfg.Capacity, 1+n) +
		array.Bytes[block](small+chunksFor(cfg.Capacity, slots), small+chunks)
}
