package chunk

import (
	"runtime"
	"slices"

	"timerlab/schemes"
)

// Arrive empties a slot whose entries have all come up on this tick and returns how
// many timers are due. O(entries).
func (m *Module) Arrive(slot uint32) (due int) {
	for end := m.take(slot); end != 0; {
		var entries []Entry
		entries, end = m.takeChunk(end)
		m.fetch(entries)
		m.Tally.Visits += uint64(len(entries))
		due += m.arrive(entries)
	}
	return due
}

// takeChunk copies the entries of a chunk that is in no slot any more and gives it
// back: its entries will need chunks where they go.
func (m *Module) takeChunk(end uint32) (entries []Entry, before uint32) {
	entries, head, before := m.chunk(end)
	entries = m.taken[:copy(m.taken[:], entries)]
	m.drop(head)
	return entries, before
}

// arrive handles entries that have come up on this tick and are in no slot any
// more, and returns how many timers are due: they move to the ring of due timers.
func (m *Module) arrive(entries []Entry) (due int) {
	now, records := uint32(m.Now), m.records.View()
	head := records.At(0)
	last := head.low
	end := records.At(last)
	for _, e := range entries {
		i := e.Record()
		r := records.At(i)
		if isDue := r.Link == now && r.Gen&stateMask == stateInReach; !isDue && !m.forward(i, r) {
			continue
		}
		r.Gen |= stateDue
		r.low, end.Link = last, i
		last, end = i, r
		due++
	}
	end.Link, head.low = 0, last
	m.due += due
	m.Tally.Links += uint64(due)
	return due
}

// forward handles the entry of a timer that was restarted or was far away, and reports whether it is
// due now. If not, it gets another entry, unless it was stopped.
func (m *Module) forward(i uint32, r *record) (due bool) {
	if r.Gen&liveBit == 0 {
		r.Gen &^= stateStopped
		m.Tally.Links++
		return false
	}
	deadline := m.deadline(r)
	if deadline == m.Now {
		return true
	}
	r.Gen &^= stateMask
	m.enter(i, r, deadline)
	return false
}

// Migrate moves the entries of a slot that comes up on this tick to their next slots, or to the due ones,
// and returns how many timers are due. A far slot lasts more than 2^32 ticks, so that the low word of a tick
// is ambiguous. O(1) an entry with a table.
func (m *Module) Migrate(slot uint32, far bool) (due int) {
	for end := m.take(slot); end != 0; {
		var entries []Entry
		entries, end = m.takeChunk(end)
		m.Tally.Visits += uint64(len(entries))
		due += m.migrate(entries, far)
	}
	return due
}

// MoveSome moves the last entries of an occupied slot to their next slots, before they come up: at most this
// many, and no more than its last chunk holds. Entries of stopped timers end. It returns how many there were. A
// far slot holds ticks more than 2^32 ahead, for which the records are read. O(1) an entry with Near.
func (m *Module) MoveSome(from uint32, far bool, most uint64) (n uint64) {
	end := m.ends[from]
	entries, head, before := m.chunk(end)
	n = min(most, uint64(len(entries)))
	copy(m.taken[:], entries[len(entries)-int(n):])
	if n == uint64(len(entries)) {
		m.cut(from, head, before)
	} else {
		m.ends[from] = end - uint32(n)
	}
	m.Tally.Visits += n
	m.migrate(m.taken[:n], far)
	return n
}

// migrate is Migrate for one chunk. A far entry's tick is in its record.
func (m *Module) migrate(entries []Entry, far bool) (due int) {
	now, records, moved := m.Now, m.records.View(), 0
	someStopped := len(m.stopped) > 0 // else no record must be read
	for at, e := range entries {
		r := records.At(e.Record())
		wakesAt := now + schemes.Tick(e.LowTick()-uint32(now))
		if far {
			wakesAt = m.wakesAt(r)
		}
		if wakesAt == now || someStopped && r.Gen&liveBit == 0 { // due, or stopped
			due += m.arrive(entries[at : at+1])
			continue
		}
		slot := uint32(0)
		switch {
		case m.table != nil:
			slot = m.table.Slot(wakesAt, now)
		case m.Near != nil:
			slot = m.Near.Slot(wakesAt, now)
		default:
			slot = m.search(wakesAt)
		}
		pos := m.ends[slot]
		if m.full(pos) {
			pos = m.room(slot, pos)
		}
		m.Mark(slot)
		m.ends[slot] = pos + 1
		*m.at(pos) = e
		r.pos = pos
		moved++
	}
	m.Tally.Migrations += uint64(moved)
	return due
}

// Visit compares the entries of a slot with the clock and returns how many timers
// are due; entries that have not come up stay. O(entries).
func (m *Module) Visit(slot uint32) (due int) {
	now := uint32(m.Now)
	for end := m.endOf(slot); end != 0; {
		entries, head, before := m.chunk(end)
		m.Tally.Visits += uint64(len(entries))
		up := m.taken[:0]
		for _, e := range entries {
			if e.LowTick() == now {
				up = append(up, e)
			}
		}
		m.fetch(up)
		if len(up) == len(entries) && m.ends[slot] == end {
			m.cut(slot, head, before)
		} else { // from the last to the first: what fills a gap has been looked at
			for _, e := range slices.Backward(up) {
				m.removeFrom(slot, m.records.At(e.Record()))
			}
		}
		due += m.arrive(up)
		end = before
	}
	return due
}

// Skim calls later for the timers that have an entry in a slot, and moves those for which it returns an interval, under
// their handles, to the slots of their new deadlines, which must be others. It does nothing if there are more than most
// entries. It returns the number of entries. O(entries).
func (m *Module) Skim(slot uint32, most int, later func(schemes.ID) (interval schemes.Tick)) (seen int) {
	if seen = m.Entries(slot); seen > most {
		return seen
	}
	for end := m.endOf(slot); end != 0; {
		entries, _, before := m.chunk(end)
		entries = m.taken[:copy(m.taken[:], entries)]
		for _, e := range slices.Backward(entries) { // what fills a gap has been looked at
			r := m.records.At(e.Record())
			if r.Gen&stateMask != stateInReach {
				continue
			}
			if interval := later(r.id); interval > 0 {
				m.Tally.Links++
				m.removeFrom(slot, r)
				r.Gen &^= stateMask
				m.enter(e.Record(), r, m.Now+interval)
			}
		}
		end = before
	}
	runtime.KeepAlive(m)
	return seen
}

// fetch reads the records of some entries, which brings them all into the cache at
// once: none of the reads waits for another.
func (m *Module) fetch(entries []Entry) {
	sum, records := uint32(0), m.records.View()
	for _, e := range entries {
		r := records.At(e.Record())
		sum += r.Gen + uint32(r.id) // a record may lie in two lines of the cache
	}
	m.sum = sum
}
