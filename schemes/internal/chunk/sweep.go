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
	if m.untidy() {
		m.cleanSome(left)
	}
}

// untidy reports whether many entries are stale.
func (m *Module) untidy() bool { return 2*m.stale > m.waiting+2*sweepFloor }

func (m *Module) cleanSome(left int) {
	m.sweep.credit += left * sweepPerStop
	for m.sweep.credit > 0 && m.untidy() {
		m.sweep.credit -= m.cleanChunk()
	}
	m.sweep.credit = min(m.sweep.credit, 0)
	if m.sweep.credit < -chunkLen { // an earlier futile pass is not paid for yet
		return
	}
	looked := 0
	for m.stale > m.waiting+chunkLen && looked < 2*(m.stale+m.waiting) {
		looked += m.cleanChunk()
	}
	if m.stale > m.waiting+chunkLen {
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
		s.slot, s.end = slot, m.end(slot)
	}
	end, last := s.end, m.end(s.slot)
	if chunk, _ := m.arena.chunkOf(end - 1); chunk < last && last <= end { // it has become the slot's last
		end = last
	}
	looked, before := m.tidy(s.slot, end)
	s.end = before
	s.looked += looked
	return looked
}

// tidy discards the stale entries in the chunk of a slot that ends at a position. It
// returns how many entries it examined, and the end of the chunk before.
func (m *Module) tidy(slot, end uint32) (looked int, before uint32) {
	entries, head, before := m.chunk(end)
	m.fetch(entries)
	for at := len(entries) - 1; at >= 0; at-- {
		if e := entries[at]; !m.standsFor(e) {
			m.discard(e)
			m.remove(slot, head+1+uint32(at))
		}
	}
	return len(entries), before
}

// standsFor reports whether an entry in a slot belongs to a timer: it is not stale.
func (m *Module) standsFor(e Entry) bool {
	r := m.records.named(e)
	return r.deadlineLow == e.Low() && r.genState&stateMask-stateExact < stateDue-stateExact
}

// discard forgets a stale entry that has left its slot.
func (m *Module) discard(e Entry) {
	m.stale--
	m.Tally.Links++
	if r := m.records.named(e); r.deadlineLow == e.Low() && r.genState&liveBit == 0 {
		r.genState &^= stateVacant
	}
}
