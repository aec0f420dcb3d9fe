package chunk

import "timerlab/schemes"

// Arrive empties a slot whose entries have all come up on this tick and returns how
// many timers are due. Last is the last slot of the wheel. O(entries).
func (m *Module) Arrive(slot, last uint32) (due int) {
	fetched := burst // entries whose records have been
	if m.Now > m.fetched {
		fetched = m.fetchAhead(slot, last)
	}
	for end := m.take(slot); end != 0; {
		if fetched <= 0 {
			fetched = m.fetchSlot(end)
		}
		entries, before := m.takeChunk(end)
		m.Tally.Visits += uint64(len(entries))
		fetched -= len(entries)
		due += m.arrive(entries)
		end = before
	}
	return due
}

// takeChunk copies the entries of a chunk that is in no slot any more and gives it
// back: its entries will need chunks where they go.
func (m *Module) takeChunk(end uint32) (entries []Entry, before uint32) {
	entries, head, before := m.chunk(end)
	entries = m.taken[:copy(m.taken[:], entries)]
	m.drop(head, before)
	return entries, before
}

// arrive handles entries that have come up on this tick and are in no slot any
// more, and returns how many timers are due: those move to the due list.
func (m *Module) arrive(entries []Entry) (arrived int) {
	now, end := uint32(m.Now), m.due.last
	for _, e := range entries {
		r := m.records.named(e)
		usual := r.deadlineLow == now && e.Low() == now && r.genState&stateMask == stateExact
		if !usual && !m.pass(e, r) {
			continue
		}
		r.genState |= stateDue
		if end%chunkLen == 0 {
			end = m.moreDue(end)
		}
		*m.arena.at(end) = Entry(handle(e.Record(), r.genState&^stateMask))
		end++
		arrived++
	}
	m.due.last = end
	m.due.handles += arrived
	m.due.timers += arrived
	m.waiting -= arrived
	m.Tally.Links += uint64(len(entries))
	return arrived
}

// pass handles an unusual entry that has come up: a reused one, one of a timer that was
// far away when it was entered, or a stale one. It reports whether its timer is due; a
// timer that is due later gets another entry.
func (m *Module) pass(e Entry, r *record) bool {
	if r.deadlineLow != e.Low() || r.genState&liveBit == 0 || r.genState&stateMask == stateDue {
		m.discard(e)
		m.Tally.Links-- // which arrive counts
		return false
	}
	deadline := m.deadline(r)
	if deadline > m.Now {
		m.Tally.Links -= 2 // it has neither left nor entered
		m.enter(e.Record(), r, r.genState&^stateMask, deadline)
	}
	return deadline == m.Now
}

// Migrate moves the entries of a slot that comes up on this tick to their next slots, or
// to the due list, and returns how many timers are due. A far slot lasts more than 2^32
// ticks, so that the low word of a tick is ambiguous. O(1) an entry where the placement has a
// table.
func (m *Module) Migrate(slot uint32, far bool) (due int) {
	visits := 0
	for end := m.take(slot); end != 0; {
		entries, before := m.takeChunk(end)
		visits += len(entries)
		if far {
			due += m.arrive(entries)
		} else {
			due += m.migrate(entries)
		}
		end = before
	}
	m.Tally.Visits += uint64(visits)
	m.Tally.Migrations += uint64(visits - due)
	return due
}

// migrate is Migrate for one chunk. push is written out, because it would not be inlined
// here.
func (m *Module) migrate(entries []Entry) (due int) {
	now, placement := m.Now, &m.placement
	for at, e := range entries {
		deadline := now + schemes.Tick(e.Low()-uint32(now))
		slot := uint32(0)
		switch {
		case deadline == now:
			due += m.arrive(entries[at : at+1])
			continue
		case placement.Other != nil:
			slot = placement.Other(deadline)
		default:
			slot = placement.Slot(deadline, now)
		}
		end := &m.slots[slot]
		pos := *end
		if pos%smallLen == 0 {
			pos = m.room(slot, pos)
		}
		*end = pos + 1
		*m.arena.at(pos) = e
	}
	return due
}

// Visit compares the entries of a slot with the clock and returns how many timers
// are due; those that have not come up stay. O(entries).
func (m *Module) Visit(slot uint32) (due int) {
	now := uint32(m.Now)
	for end := m.end(slot); end != 0; {
		entries, head, before := m.chunk(end)
		m.Tally.Visits += uint64(len(entries))
		up := 0
		for _, e := range entries {
			if e.Low() == now {
				up++
			}
		}
		switch {
		case up == 0:
		case up == len(entries) && m.slots[slot] == end:
			due += m.arriveAll(slot, entries, head, before)
		default:
			due += m.arriveSome(slot, len(entries), head)
		}
		end = before
	}
	return due
}

// arriveAll handles the slot's last chunk, whose entries have all come up.
func (m *Module) arriveAll(slot uint32, entries []Entry, head, before uint32) (due int) {
	m.fetch(entries)
	entries = m.taken[:copy(m.taken[:], entries)]
	m.cut(slot, head, before)
	return m.arrive(entries)
}

// arriveSome handles those of a chunk's n entries that have come up. From the last to
// the first, so that what remove puts in a place has been looked at.
func (m *Module) arriveSome(slot uint32, n int, head uint32) (due int) {
	now := uint32(m.Now)
	for pos := head + uint32(n); pos > head; pos-- {
		if e := *m.arena.at(pos); e.Low() == now {
			m.remove(slot, pos)
			due += m.arrive([]Entry{e})
		}
	}
	return due
}

// burst is how many records are fetched at once: enough that many share the wait for the
// first, and few enough, 32 KiB, that all are still in the cache when they are used.
const burst = 512

// fetchAhead fetches the records of a slot and of those after it that come up next,
// together a burst, and returns how many of the first.
func (m *Module) fetchAhead(slot, last uint32) (first int) {
	first = m.fetchSlot(m.end(slot))
	n := first
	for at := slot; n < burst; {
		m.fetched = m.Now + schemes.Tick(at-slot)
		next := m.NextOccupied(at+1, last+1)
		if next > last {
			m.fetched = m.Now + schemes.Tick(last-slot)
			break
		}
		n += m.fetchSlot(m.end(next))
		at = next
	}
	return first
}

// fetchSlot fetches the records of a slot up to a position, from the last on, and
// returns how many: a burst, unless there are fewer.
func (m *Module) fetchSlot(end uint32) (n int) {
	for end != 0 && n < burst {
		entries, _, before := m.chunk(end)
		m.fetch(entries)
		n += len(entries)
		end = before
	}
	return n
}

// fetch reads the records of some entries, which brings them all into the cache at
// once: none of the reads waits for another.
func (m *Module) fetch(entries []Entry) {
	sum := uint32(0)
	for _, e := range entries {
		r := m.records.named(e)
		sum += r.id[0] + r.deadlineExtra // a record may lie in two lines of the cache
	}
	m.records.sum = sum
}
