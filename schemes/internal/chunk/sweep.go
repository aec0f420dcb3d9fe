package chunk

// sweep is where the search for entries that stand for no timer goes on.
type sweep struct {
	slot   uint32
	end    uint32 // behind the chunk of this slot that is next, or 0: the slot is done
	credit int    // entries that may be looked at
	looked int    // entries, ever
}

const (
	// sweepPerStop entries are looked at for each stop, and each timer that is due,
	// while more than half as many stand for no timer as there are timers waiting. One
	// time round, E/8 stops, adds E/8 to them at most, where E is all entries: from a
	// half to less than 0.7 of the timers that were waiting then, of which 0.8 remain.
	// So they never are more than the timers, and a chunk. Who knows where the sweep is
	// could put entries behind it all the time: then it does what is left at once. Doubles
	// alone it does not find, entries of one record that come up on one tick, which
	// restarts to near and back far leave: each time round that they make it go in vain is
	// paid for by later stops before it is tried again.
	sweepPerStop = 8
	sweepFloor   = chunkLen / 2
)

// Clean looks for entries that stand for no timer, if there are many, after so many
// timers have left their slots. A scheme calls it when all entries of a tick have
// come up, not before: it would discard those of timers that are due. O(left).
func (m *Module) Clean(left int) {
	if m.untidy() {
		m.cleanSome(left)
	}
}

// untidy reports whether many entries stand for no timer.
func (m *Module) untidy() bool { return 2*m.idle > m.waiting+2*sweepFloor }

func (m *Module) cleanSome(left int) {
	m.sweep.credit += left * sweepPerStop
	for m.sweep.credit > 0 && m.untidy() {
		m.sweep.credit -= m.cleanChunk()
	}
	m.sweep.credit = min(m.sweep.credit, 0)
	if m.sweep.credit < -chunkLen { // what was in vain before is not paid yet
		return
	}
	looked := 0
	for m.idle > m.waiting+chunkLen && looked < 2*(m.idle+m.waiting) {
		looked += m.cleanChunk()
	}
	if m.idle > m.waiting+chunkLen {
		m.sweep.credit -= looked
	}
}

// cleanChunk discards what stands for no timer in the next chunk, and returns how
// many entries it looked at.
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

// tidy discards what stands for no timer in the chunk of a slot that ends at a
// position, and returns how many entries it looked at, and the end of the chunk
// before.
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

// standsFor reports whether an entry in a slot stands for a timer.
func (m *Module) standsFor(e Entry) bool {
	r := m.records.named(e)
	return r.deadlineLow == e.Low() && r.genState&stateMask-stateExact < stateDue-stateExact
}

// discard forgets an entry that stands for no timer and leaves its slot.
func (m *Module) discard(e Entry) {
	m.idle--
	m.Tally.Links++
	if r := m.records.named(e); r.deadlineLow == e.Low() && r.genState&liveBit == 0 {
		r.genState &^= stateVacant
	}
}
