package chunk

import "timerlab/schemes"

// Arrive empties a slot whose entries have all come up on this tick and returns how
// many timers are due. Last is the last slot of the wheel. O(entries).
func (m *Module) Arrive(slot, last uint32) (due int) {
	end := m.take(slot)
	fetched := burst // entries whose records have been
	if m.Now > m.fetched && m.records.Len() > cached {
		fetched = m.fetchAhead(end, slot, last)
	}
	for end != 0 {
		var entries []Entry
		entries, end = m.takeChunk(end)
		if fetched -= len(entries); fetched < 0 {
			m.fetch(entries)
		}
		m.Tally.Visits += uint64(len(entries))
		due += m.arrive(entries)
	}
	return due
}

// takeChunk copies the entries of a chunk that is in no slot any more and gives it
// back: its entries will need chunks where they go.
func (m *Module) takeChunk(end uint32) (entries []Entry, before uint32) {
	if end <= m.small {
		head := (end - 1) &^ (smallLen - 1)
		small := m.chunks.At(head / chunkLen)[head%chunkLen:][:smallLen]
		*(*[smallLen]Entry)(m.taken[:]) = [smallLen]Entry(small)
		if m.sweep.end-head-1 < smallLen {
			m.sweep.end = 0
		}
		return m.taken[1 : end-head], 0
	}
	entries, head, before := m.chunk(end)
	entries = m.taken[:copy(m.taken[:], entries)]
	m.drop(head, before)
	return entries, before
}

// arrive handles entries that have come up on this tick and are in no slot any
// more, and returns how many timers are due: those move to the ring of due timers.
func (m *Module) arrive(entries []Entry) (due int) {
	now, records := uint32(m.Now), m.records.View()
	head := records.At(0)
	last := head.low
	end := records.At(last)
	for _, e := range entries {
		i := e.Record()
		r := records.At(i)
		usual := r.low == now && e.Low() == now && r.Gen&stateMask == stateExact
		if !usual && !m.pass(e, r) {
			continue
		}
		r.Gen |= stateDue
		r.low, end.Next = last, i
		last, end = i, r
		due++
	}
	end.Next, head.low = 0, last
	m.due += due
	m.entries -= len(entries)
	m.Tally.Links += uint64(len(entries))
	return due
}

// pass handles an unusual entry that has come up: a reused one, one of a timer that was
// far away when it was entered, or a stale one. It reports whether its timer is due; a
// timer that is due later gets another entry.
func (m *Module) pass(e Entry, r *record) bool {
	if r.low != e.Low() || r.Gen&liveBit == 0 || r.Gen&stateMask == stateDue {
		m.forget(e)
		return false
	}
	deadline := m.deadline(r)
	if deadline > m.Now {
		m.Tally.Links -= 2 // it has neither left nor entered
		m.enter(e.Record(), r, r.Gen&^stateMask, deadline)
	}
	return deadline == m.Now
}

// Migrate moves the entries of a slot that comes up on this tick to their next slots, or
// to the due ones, and returns how many timers are due. A far slot lasts more than 2^32
// ticks, so that the low word of a tick is ambiguous. O(1) an entry where the placement has a
// table.
func (m *Module) Migrate(slot uint32, far bool) (due int) {
	visits := 0
	for end := m.take(slot); end != 0; {
		var entries []Entry
		entries, end = m.takeChunk(end)
		visits += len(entries)
		if far {
			due += m.arrive(entries)
		} else {
			due += m.migrate(entries)
		}
	}
	m.Tally.Visits += uint64(visits)
	m.Tally.Migrations += uint64(visits - due)
	return due
}

// migrate is Migrate for one chunk.
func (m *Module) migrate(entries []Entry) (due int) {
	now := m.Now
	for at, e := range entries {
		deadline := now + schemes.Tick(e.Low()-uint32(now))
		if deadline == now {
			due += m.arrive(entries[at : at+1])
			continue
		}
		slot := uint32(0)
		if m.placement.Other == nil {
			slot = m.placement.Slot(deadline, now)
		} else {
			slot = m.placement.Other(deadline)
		}
		pos := m.slots[slot]
		if m.full(pos) {
			pos = m.room(slot, pos)
		}
		m.slots[slot] = pos + 1
		*m.at(pos) = e
	}
	return due
}

// Visit compares the entries of a slot with the clock and returns how many timers
// are due; those that have not come up stay. O(entries).
func (m *Module) Visit(slot uint32) (due int) {
	now := uint32(m.Now)
	for end := m.endOf(slot); end != 0; {
		entries, head, before := m.chunk(end)
		m.Tally.Visits += uint64(len(entries))
		up := m.taken[:0]
		for _, e := range entries {
			if e.Low() == now {
				up = append(up, e)
			}
		}
		switch {
		case len(up) == len(entries) && m.slots[slot] == end:
			m.fetch(up)
			m.cut(slot, head, before)
		case len(up) > 0: // from the last to the first: what remove puts in a place has been looked at
			for pos := end - 1; pos > head; pos-- {
				if m.at(pos).Low() == now {
					m.remove(slot, pos)
				}
			}
		}
		due += m.arrive(up)
		end = before
	}
	return due
}

const (
	// burst is how many records are fetched at once: enough that many share the wait for the
	// first, and few enough, 32 KiB, that all are still in the cache when they are used.
	burst = 512

	// cached is how many records stay in the cache anyway.
	cached = 1 << 14
)

// fetchAhead fetches the records of a slot, up to a position, and of those after it that come up
// next, together a burst, and returns how many of the first.
func (m *Module) fetchAhead(end, slot, last uint32) (first int) {
	n, at := 0, slot
	for {
		for end != 0 && n < burst {
			entries, _, before := m.chunk(end)
			m.fetch(entries)
			n += len(entries)
			end = before
		}
		if at == slot {
			first = n
		}
		if n >= burst {
			return first
		}
		next := m.NextOccupied(at+1, last+1) // last+1 if there is none
		m.fetched = m.Now + schemes.Tick(next-1-slot)
		if next > last {
			return first
		}
		at, end = next, m.endOf(next)
	}
}

// fetch reads the records of some entries, which brings them all into the cache at
// once: none of the reads waits for another.
func (m *Module) fetch(entries []Entry) {
	sum, records := uint32(0), m.records.View()
	for _, e := range entries {
		r := records.At(e.Record())
		sum += r.Gen + r.id[1] // a record may lie in two lines of the cache
	}
	m.sum = sum
}
