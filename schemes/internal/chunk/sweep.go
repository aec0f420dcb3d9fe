package chunk

// sweep is the state of the search for stale entries.
type sweep struct {
	slot   uint32
	end    uint32 // after the chunk of this slot that is next, or 0: the slot is done
	credit int    // entries that may be examined
	looked int    // entries examined, ever
}

const (
	// sweepPerStop entries are examined for each stop, and each timer that is due, while
	// stale entries are more than half as many as waiting timers. One pass over all E
	// entries takes E/8 stops, which add E/8 stale entries at most: from a half to less
	// than 0.7 of the timers that were waiting at its start, of which 0.8 remain. So there
	// are never more stale entries than timers and a chunk. An adversary could always
	// insert just behind the sweep; in that case the remaining work is done immediately.
	// The sweep does not find duplicates: entries of one record that come up on one tick,
	// left by restarts to near and back to far. A pass that they make futile is paid for
	// by later stops before the next one.
	sweepPerStop = 8
	sweepFloor   = chunkLen / 2
)

// Clean searches for stale entries, if there are many, after `left` timers have left
// their slots. A scheme calls it when all entries of a tick have come up, not before: it
// would discard those of timers that are due. O(left).
func (m *Module) Clean(left int) {
	if m.Untidy() {
		m.cleanSome(left)
	}
}

// stale returns the number of entries that belong to no timer.
func (m *Module) stale() int { return m.entries - m.waiting() }

// Untidy reports whether many entries are stale: 2 stale > waiting + 2 sweepFloor.
func (m *Module) Untidy() bool { return 2*m.entries > 3*m.waiting()+2*sweepFloor }

// excessive reports whether as many entries are stale as are allowed. The hot record's
// may be one more.
func (m *Module) excessive() bool { return m.entries > 2*m.waiting()+chunkLen-2 }

func (m *Module) cleanSome(left int) {
	m.sweep.credit += left * sweepPerStop
	for m.sweep.credit > 0 && m.Untidy() {
		m.sweep.credit -= m.cleanChunk()
	}
	m.sweep.credit = min(m.sweep.credit, 0)
	if m.sweep.credit < -chunkLen { // an earlier futile pass is not paid for yet
		return
	}
	looked := 0
	for m.excessive() && looked < 2*m.entries {
		looked += m.cleanChunk()
	}
	if m.excessive() {
		m.sweep.credit -= looked
	}
}

// cleanChunk discards the stale entries of the next chunk, and returns how many entries
// it examined.
func (m *Module) cleanChunk() int {
	s := &m.sweep
	if s.end == 0 {
		last := uint32(len(m.slots))
		slot := m.NextOccupied(s.slot+1, last)
		if slot == last {
			slot = m.NextOccupied(0, last)
		}
		s.slot, s.end = slot, m.endOf(slot)
	}
	end, last := s.end, m.endOf(s.slot)
	if chunk, _ := m.chunkOf(end - 1); chunk < last && last <= end { // it has become the slot's last
		end = last
	}
	looked, before := m.tidy(s.slot, end)
	s.end = before
	s.looked += looked
	return looked
}

// tidy discards the stale entries in the chunk of a slot that ends at a position. Entries of
// the slot's last chunk fill the gap. It returns how many entries it examined, and the end of
// the chunk before. Which entries are stale cannot be predicted, so that no branch asks.
func (m *Module) tidy(slot, end uint32) (looked int, before uint32) {
	entries, head, before := m.chunk(end)
	m.fetch(entries)
	kept, stale := 0, 0
	for _, e := range entries {
		m.taken[stale] = e
		entries[kept] = e
		stays := 0
		if m.standsFor(e) {
			stays = 1
		}
		kept += stays
		stale += 1 - stays
	}
	m.entries -= stale
	m.Tally.Links += uint64(stale)
	for _, e := range m.taken[:stale] {
		m.forget(e)
	}
	for pos := head + 1 + uint32(kept); pos < end; pos++ {
		switch {
		case m.slots[slot] != end: // there are later chunks
			m.remove(slot, pos)
		case pos == head+1:
			m.cut(slot, head, before)
			return len(entries), before
		default:
			m.slots[slot] = pos
			return len(entries), before
		}
	}
	return len(entries), before
}

// standsFor reports whether an entry in a slot belongs to a timer: it is not stale.
func (m *Module) standsFor(e Entry) bool {
	r := m.named(e)
	return r.low == e.Low() && r.Gen&stateMask-stateExact < stateDue-stateExact
}

// forget notes that a stale entry has left its slot: no timer can reuse it.
func (m *Module) forget(e Entry) {
	if r := m.named(e); r.low == e.Low() && r.Gen&liveBit == 0 {
		r.Gen &^= stateVacant
	}
}
