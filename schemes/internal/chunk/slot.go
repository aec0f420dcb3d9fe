package chunk

import (
	"iter"
	"runtime"
	"slices"
	"unsafe"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// Entry represents a timer in a slot: the low word of the tick at which it comes up,
// above the index of its record.
type Entry uint64

// LowTick returns the low word of the tick at which the entry comes up.
func (e Entry) LowTick() uint32 { return uint32(e >> 32) }

// Record returns the index of the timer's record.
func (e Entry) Record() uint32 { return uint32(e) }

// A position is an entry's place in the store of chunks. Every slot s has a small chunk of
// 8 entries, one cache line, at the positions from 8 s. After all small chunks come
// chunks of 32 entries, 256 bytes, which slots take and return. The first entry of a chunk
// is its header: the slot, and the position after the chunk before it in the slot. A small chunk is
// always the first of its slot, and its header counts the others. Position 0 means none.
const (
	chunkLen = 32
	smallLen = 8

	// MaxSlots is how many slots a scheme can have: half of all positions, less slot 0, which
	// scheme 7 does not use.
	MaxSlots = 1<<28 - 1

	// maxBlocks are all blocks of positions but the last, whose end would be position 0. Half
	// are small chunks, and the other half suffices for maxRecords entries, of which 8 take a
	// chunk at worst.
	maxBlocks = 1<<27 - 1
)

// block is a chunk, or four small ones.
type block [chunkLen]Entry

func smallBlocks(slots int) int { return (slots*smallLen + chunkLen - 1) / chunkLen }

// chunksFor returns the chunks that this many timers need at most.
func chunksFor(timers, slots int) int { return timers/(chunkLen-1) + min(slots, timers/smallLen) }

// at returns the entry at a position. It may move when a chunk is taken.
func (m *Module) at(pos uint32) *Entry { return &m.chunks.At(pos / chunkLen)[pos%chunkLen] }

// header returns the header of the chunk in which a position is: the slot, and the position after the
// chunk before it.
func (m *Module) header(pos uint32) *store.Header {
	return (*store.Header)(unsafe.Pointer(m.chunks.At(pos / chunkLen)))
}

// SlotAt returns the slot of the entry at a position. O(1).
func (m *Module) SlotAt(pos uint32) uint32 {
	if pos < m.small {
		return pos / smallLen
	}
	return m.header(pos).Gen
}

// full reports whether a position, after a slot's last entry, is after a chunk.
func (m *Module) full(pos uint32) bool {
	length := uint32(chunkLen)
	if pos < m.small {
		length = smallLen
	}
	return pos&(length-1) == 0
}

// chunkOf returns the header's position of the chunk in which the entry at pos is,
// and the position after the chunk before it in the slot, 0 if there is none. Only
// a small chunk has none.
func (m *Module) chunkOf(pos uint32) (head, before uint32) {
	if pos < m.small {
		return pos &^ (smallLen - 1), 0
	}
	return pos &^ (chunkLen - 1), m.header(pos).Link
}

// enter puts an entry for record i into the slot of its timer's deadline, and returns the handle. The
// record's state is 0 before. O(1) with a table. It is the search and an append, written out.
func (m *Module) enter(i uint32, r *record, deadline schemes.Tick) schemes.Handle {
	r.low, r.Link = uint32(deadline), uint32(deadline)
	gen, state := r.Gen, uint32(stateInReach)
	if deadline-m.Now > lowRange {
		state, r.Link = stateBeyond, uint32(deadline>>32)
	}
	r.Gen = gen | state
	m.Upcoming = min(m.Upcoming, deadline)
	slot := uint32(0)
	if m.table != nil {
		slot = m.table.Slot(deadline, m.Now)
	} else if m.Near != nil {
		slot = m.Near.Slot(deadline, m.Now)
	} else {
		slot = m.search(deadline)
	}
	pos := m.ends[slot]
	if m.full(pos) {
		pos = m.room(slot, pos)
	}
	m.Mark(slot)
	m.ends[slot] = pos + 1
	r.pos = pos
	*m.at(pos) = Entry(deadline)<<32 | Entry(i)
	runtime.KeepAlive(m)
	return handle(i, gen)
}

// remove takes the entry of record r out of its slot: the slot's last entry fills the gap. O(1).
func (m *Module) remove(r *record) {
	wakesAt := m.wakesAt(r)
	if m.table != nil {
		m.removeFrom(m.table.Slot(wakesAt, m.Now), r)
	} else {
		m.removeFrom(m.slotOf(wakesAt, r.pos), r)
	}
}

// slotOf returns the slot of the entry at a position, which comes up on this tick.
func (m *Module) slotOf(wakesAt schemes.Tick, pos uint32) (slot uint32) {
	if m.Holds != nil {
		return m.SlotAt(pos)
	}
	return m.search(wakesAt)
}

func (m *Module) removeFrom(slot uint32, r *record) {
	last := m.ends[slot] - 1
	e := *m.at(last)
	*m.at(r.pos) = e
	m.records.At(e.Record()).pos = r.pos
	if last&(smallLen-1) == 1 { // perhaps the first of its chunk
		if head, before := m.chunkOf(last); last == head+1 {
			m.cut(slot, head, before)
			return
		}
	}
	m.ends[slot] = last
}

// room returns the position for a slot's next entry, where its chunk is full. The limit of
// records keeps the chunks within theirs.
func (m *Module) room(slot, pos uint32) uint32 {
	if !m.chunks.HasRoom() {
		panic("chunk: more chunks than all timers need")
	}
	k, _ := m.chunks.Take()
	head := k * chunkLen
	*m.header(head) = store.Header{Gen: slot, Link: pos}
	*m.further(slot)++
	return head + 1
}

// further returns the number of a slot's chunks after the small one, which is where that has its header.
func (m *Module) further(slot uint32) *Entry { return m.at(slot * smallLen) }

// Entries returns the number of entries in a slot. O(1).
func (m *Module) Entries(slot uint32) int {
	last := m.ends[slot] - 1
	if last < m.small {
		return int(last & (smallLen - 1))
	}
	return smallLen - 1 + (int(*m.further(slot))-1)*(chunkLen-1) + int(last&(chunkLen-1))
}

// emptyEnd returns the position at which an empty slot ends: after the header of its small chunk.
func emptyEnd(slot uint32) uint32 { return slot*smallLen + 1 }

// endOf returns the position after a slot's last entry, or 0 if the slot is empty.
func (m *Module) endOf(slot uint32) uint32 {
	if pos := m.ends[slot]; pos != emptyEnd(slot) {
		return pos
	}
	return 0
}

// take empties a slot and returns the position after its last entry. It is for scheme 7: the small
// chunk may be used again at once, although it has not been read, since no entry that is put back
// meanwhile falls into this slot, whose next revolution is out of range.
func (m *Module) take(slot uint32) (end uint32) {
	end = m.endOf(slot)
	*m.further(slot) = 0
	m.setEnd(slot, 0)
	return end
}

// setEnd sets the position after the slot's last entry; 0 empties the slot.
func (m *Module) setEnd(slot, end uint32) {
	if end == 0 {
		end = emptyEnd(slot)
		m.Clear(slot)
	}
	m.ends[slot] = end
}

// chunk returns the entries of the chunk of a slot that ends at a position, and what
// drop and cut need. They are valid until an entry is entered, or removed from the slot.
func (m *Module) chunk(end uint32) (entries []Entry, head, before uint32) {
	head, before = m.chunkOf(end - 1)
	return m.chunks.At(head / chunkLen)[head%chunkLen+1:][:end-head-1], head, before
}

// drop gives the chunk at head back, unless it is a slot's small one.
func (m *Module) drop(head uint32) {
	if head >= m.small {
		m.chunks.Put(head/chunkLen, m.chunks.At(head/chunkLen))
	}
}

// cut removes the last chunk of a slot, whose entries have been handled. head and before
// are what chunk returned.
func (m *Module) cut(slot, head, before uint32) {
	m.setEnd(slot, before)
	if head >= m.small {
		*m.further(slot)--
	}
	m.drop(head)
}

// entriesOf yields the entries of a slot, the last one first.
func (m *Module) entriesOf(slot uint32) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for end := m.endOf(slot); end != 0; {
			entries, _, before := m.chunk(end)
			for _, e := range slices.Backward(entries) {
				if !yield(e) {
					return
				}
			}
			end = before
		}
	}
}

// WakesAt returns the first tick on which an entry of an occupied slot comes up, whose ticks
// are from `first` on, at most 2^32. O(entries in the slot).
func (m *Module) WakesAt(slot uint32, first schemes.Tick) schemes.Tick {
	soonest := uint32(lowRange)
	for e := range m.entriesOf(slot) {
		soonest = min(soonest, e.LowTick()-uint32(first))
	}
	return first + schemes.Tick(soonest)
}

// SoonestEntry returns in how many ticks the first entry must come up, or 0 if there is none.
// O(entries + M/64).
func (m *Module) SoonestEntry() (wait schemes.Tick) {
	last := uint32(len(m.ends))
	for slot := m.NextOccupied(0, last); slot < last; slot = m.NextOccupied(slot+1, last) {
		for e := range m.entriesOf(slot) {
			if away := m.wakesAt(m.records.At(e.Record())) - m.Now; wait == 0 || away < wait {
				wait = away
			}
		}
	}
	return wait
}

// View yields the timers wheel by wheel and slot by slot. O(n + M).
func (m *Module) View(yield func(schemes.Place) bool) {
	position := 0
	for i := m.records.At(0).Link; i != 0; i = m.records.At(i).Link {
		if !yield(schemes.Place{ID: m.records.At(i).id, Due: true, Position: position, Parent: -1}) {
			return
		}
		position++
	}
	for _, w := range m.Drawn() {
		for slot := range w.N {
			position := 0
			entries := slices.Collect(m.entriesOf(w.First + uint32(slot)))
			for _, e := range slices.Backward(entries) { // in the order in which they came
				r := m.records.At(e.Record())
				if r.Gen&liveBit == 0 {
					continue
				}
				d := m.deadline(r)
				p := schemes.Place{ID: r.id, Deadline: d, Key: uint64(d), Level: w.Level, Slot: slot,
					Position: position, Parent: -1}
				if position++; !yield(p) {
					return
				}
			}
		}
	}
}

// String draws the wheels, the highest first.
func (m *Module) String() string {
	return store.Draw(m.Now, m.Len(), "id(deadline)", m.Drawn(), m.View)
}

// Next looks at all timers. O(n + M).
func (m *Module) Next() (wait schemes.Tick, ok bool) { return m.Earliest(m.View) }
