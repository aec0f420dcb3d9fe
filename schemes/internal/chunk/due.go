package chunk

import "timerlab/schemes"

// queue is the list of due timers: their handles, in chunks that are linked from
// the first to the last.
type queue struct {
	timers      int    // due and neither handed out nor stopped
	handles     int    // in the list: those of timers that were stopped, too
	first, last uint32 // positions: of the first handle, and after the last; 0: no chunk
}

// moreDue appends a chunk to the due list and returns the position of its first
// handle.
func (m *Module) moreDue(end uint32) uint32 {
	head := m.arena.alloc()
	if end == 0 {
		m.due.first = head + 1
	} else {
		*m.arena.at(end - chunkLen) = Entry(head)
	}
	return head + 1
}

// Expire hands out the due timers. Each is forgotten before its action runs, and
// the list is read again after it, so an action may start and stop any timer, or
// panic. O(due timers).
func (m *Module) Expire(action func(schemes.ID)) {
	q := &m.due
	for q.first != q.last {
		h := schemes.Handle(*m.arena.at(q.first))
		q.handles--
		if q.first++; q.first == q.last || q.first%chunkLen == 0 {
			m.nextDue()
		}
		r := m.records.find(h) // isDue would not be inlined
		if r == nil || r.genState&stateMask != stateDue {
			continue
		}
		id := r.getID()
		m.records.handOut(uint32(h), r)
		q.timers--
		action(id)
	}
	m.records.cool()
}

// addDue appends a timer to the due list, which ends at a position, and returns its new
// end.
func (m *Module) addDue(end uint32, h schemes.Handle) uint32 {
	if end%chunkLen == 0 {
		end = m.moreDue(end)
	}
	*m.arena.at(end) = Entry(h)
	return end + 1
}

// isDue returns the record of a timer in the due list, or nil if the timer was stopped or
// restarted.
func (m *Module) isDue(h schemes.Handle) *record {
	if r := m.records.find(h); r != nil && r.genState&stateMask == stateDue {
		return r
	}
	return nil
}

// nextDue moves on to the next chunk, and gives back the one that is used up, unless
// that is the last: the next tick begins in it.
func (m *Module) nextDue() {
	q := &m.due
	head := (q.first - 1) &^ (chunkLen - 1)
	if q.first == q.last {
		q.first, q.last = head+1, head+1
		return
	}
	q.first = uint32(*m.arena.at(head)) + 1
	m.arena.release(head)
}

// leftDue keeps the list short where due timers are stopped and none is handed out: it
// is rebuilt when most of its handles are stale. O(1) on average.
func (m *Module) leftDue() {
	m.due.timers--
	if m.due.handles <= 2*m.due.timers+chunkLen {
		return
	}
	old := m.due
	m.due = queue{timers: old.timers}
	for pos := old.first; pos != old.last; {
		h := *m.arena.at(pos)
		if m.isDue(schemes.Handle(h)) != nil {
			m.due.last = m.addDue(m.due.last, schemes.Handle(h))
			m.due.handles++
		}
		if pos++; pos%chunkLen == 0 && pos != old.last {
			head := pos - chunkLen
			pos = uint32(*m.arena.at(head)) + 1
			m.arena.release(head)
		}
	}
	m.arena.release((old.last - 1) &^ (chunkLen - 1))
}

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
// ticks, so that the low word of a tick is ambiguous. O(1) an entry where Placement has a
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
			slot = placement.slot(deadline, now)
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
