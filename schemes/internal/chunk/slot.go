package chunk

import (
	"iter"
	"runtime"
	"slices"

	"timerlab/schemes"
)

// enter puts an entry for record i into the slot of its deadline, and gives the record
// its generation. O(1) where the placement has a table.
func (m *Module) enter(i uint32, r *record, gen uint32, deadline schemes.Tick) {
	r.genState, r.deadlineLow = gen|stateExact, uint32(deadline)
	if deadline-m.Now > near {
		r.genState = gen | stateFar
		r.deadlineExtra = uint32(deadline >> 32)
	}
	m.Tally.Links++
	m.Upcoming = min(m.Upcoming, deadline)
	slot := uint32(0)
	if m.placement.Other == nil {
		slot = m.placement.Slot(deadline, m.Now)
	} else {
		slot = m.placement.Other(deadline)
	}
	m.push(slot, Entry(deadline)<<32|Entry(i))
}

// push appends an entry to a slot. O(1).
func (m *Module) push(slot uint32, e Entry) {
	end := &m.slots[slot]
	pos := *end
	if pos%smallLen == 0 {
		pos = m.room(slot, pos)
	}
	*end = pos + 1
	*m.arena.at(pos) = e
	runtime.KeepAlive(m)
}

// room returns the position for a slot's next entry, where that may be past its
// chunk.
func (m *Module) room(slot, pos uint32) uint32 {
	switch {
	case pos == slot*smallLen:
		m.Mark(slot)
		return pos + 1
	case pos%chunkLen != 0 && !m.arena.isSmall(pos-1):
		return pos
	}
	head := m.arena.alloc()
	*m.arena.at(head) = Entry(pos)
	return head + 1
}

// slotOf returns the slot of a tick.
func (m *Module) slotOf(t schemes.Tick) uint32 {
	if m.placement.Other != nil {
		return m.placement.Other(t)
	}
	return m.placement.Slot(t, m.Now)
}

// end returns the position after a slot's last entry, or 0 if the slot is empty.
func (m *Module) end(slot uint32) uint32 {
	if pos := m.slots[slot]; pos != slot*smallLen {
		return pos
	}
	return 0
}

// take empties a slot and returns the position after its last entry. The small chunk
// may be used again at once, although it has not been read: no entry that is put back
// meanwhile falls into this slot, whose next revolution is out of range.
func (m *Module) take(slot uint32) (end uint32) {
	end = m.end(slot)
	m.setEnd(slot, 0)
	return end
}

// setEnd sets the position after the slot's last entry; 0 empties the slot.
func (m *Module) setEnd(slot, end uint32) {
	if end == 0 {
		end = slot * smallLen
		m.Clear(slot)
	}
	m.slots[slot] = end
}

// chunk returns the entries of the chunk of a slot that ends at a position, and what
// drop and cut need. They are valid until then, or until an entry is entered.
func (m *Module) chunk(end uint32) (entries []Entry, head, before uint32) {
	head, before = m.arena.chunkOf(end - 1)
	return m.arena.mem.all[head+1 : end], head, before
}

// drop gives a chunk back, unless it is a slot's small one. head and before are what
// chunk returned. The sweep continues with the chunk before it.
func (m *Module) drop(head, before uint32) {
	length := uint32(smallLen)
	if before != 0 {
		m.arena.release(head)
		length = chunkLen
	}
	if m.sweep.end-head-1 < length {
		m.sweep.end = before
	}
}

// cut removes the last chunk of a slot, whose entries have been handled. head and before
// are what chunk returned.
func (m *Module) cut(slot, head, before uint32) {
	m.setEnd(slot, before)
	m.drop(head, before)
}

// remove takes the entry at a position out of a slot: the slot's last entry fills the
// gap.
func (m *Module) remove(slot, pos uint32) {
	last := m.slots[slot] - 1
	*m.arena.at(pos) = *m.arena.at(last)
	if head, before := m.arena.chunkOf(last); last == head+1 {
		m.cut(slot, head, before)
		return
	}
	m.slots[slot] = last
}

// entries yields the entries of a slot, the last one first.
func (m *Module) entries(slot uint32) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for end := m.end(slot); end != 0; {
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

// First returns the earliest deadline of a slot's timers; false if all its entries are
// stale. O(entries in the slot).
func (m *Module) First(slot uint32) (first schemes.Tick, ok bool) {
	for e := range m.entries(slot) {
		if !m.standsFor(e) {
			continue
		}
		if deadline := m.deadline(m.records.named(e)); !ok || deadline < first {
			first, ok = deadline, true
		}
	}
	return first, ok
}

// SoonestEntry discards the stale entries and returns in how many ticks the first of the
// others must come up, or 0 if there is none. O(entries + M/4096).
func (m *Module) SoonestEntry() (wait schemes.Tick) {
	last := uint32(len(m.slots))
	for slot := m.NextOccupied(0, last); slot < last; slot = m.NextOccupied(slot+1, last) {
		for end := m.end(slot); end != 0; {
			_, end = m.tidy(slot, end)
		}
		for e := range m.entries(slot) {
			if away := m.mustComeUp(slot, e); wait == 0 || away < wait {
				wait = away
			}
		}
	}
	return wait
}

// mustComeUp returns in how many ticks a timer's entry must come up. That is at the
// deadline if its slot and low word are the entry's: it need not come up multiples of 2^32
// ticks before. Else it is the next tick with the entry's low word, which is no later.
func (m *Module) mustComeUp(slot uint32, e Entry) schemes.Tick {
	deadline := m.deadline(m.records.named(e))
	if e.Low() == uint32(deadline) && m.slotOf(deadline) == slot {
		return deadline - m.Now
	}
	return schemes.Tick(e.Low()-uint32(m.Now)-1) + 1
}
