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
