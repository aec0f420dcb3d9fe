package chunk

import "timerlab/schemes"

// queue is the list of due timers: their handles, in chunks that are linked from
// the first to the last.
type queue struct {
	timers      int    // due and neither handed out nor stopped
	first, last uint32 // positions: of the first handle, and behind the last; 0: no chunk
}

// addDue appends a timer to the due list.
func (m *Module) addDue(i uint32, r *record) {
	q := &m.due
	if q.last%chunkLen == 0 {
		head := m.arena.alloc()
		if q.last == 0 {
			q.first = head + 1
		} else {
			*m.arena.at(q.last - chunkLen) = Entry(head)
		}
		q.last = head + 1
	}
	*m.arena.at(q.last) = Entry(handle(i, r.gen))
	q.last++
	q.timers++
}

// Expire hands out the due timers. Each is forgotten before its action runs, and
// the list is read anew after it, so an action may start and stop what it likes,
// or panic. O(due timers).
func (m *Module) Expire(action func(schemes.ID)) {
	for m.due.first != m.due.last {
		h := schemes.Handle(*m.arena.at(m.due.first))
		m.nextDue()
		r := m.records.find(h)
		if r == nil {
			continue
		}
		id := r.id
		m.records.free(uint32(h), r, 0)
		m.live--
		m.due.timers--
		action(id)
	}
}

// nextDue moves on behind the first handle, and gives back a chunk that is used
// up, but for the last: the next tick begins in it.
func (m *Module) nextDue() {
	q := &m.due
	q.first++
	if q.first == q.last {
		head := (q.first - 1) &^ (chunkLen - 1)
		q.first, q.last = head+1, head+1
		return
	}
	if q.first%chunkLen == 0 {
		head := q.first - chunkLen
		q.first = uint32(*m.arena.at(head)) + 1
		m.arena.free(head)
	}
}

// Arrive handles an entry that has come up on this tick and is in no slot any
// more. If it stands for a timer that is due now, that moves to the due list: 1,
// else 0. If it stands for one that is due later, the scheme enters it anew: true.
// Else it is discarded.
func (m *Module) Arrive(e Entry) (due int, expiry schemes.Tick, later bool) {
	m.entries--
	r := m.records.of(e)
	switch {
	case r == nil || r.entry != uint32(e>>32):
	case r.gen&1 == 0:
		r.expiry &^= stands
	case r.expiry == m.Now:
		r.entry-- // so that no other entry stands for it
		m.addDue(uint32(e), r)
		due = 1
	case r.expiry > m.Now:
		m.Tally.Links-- // Enter counts it, but it has not left
		return 0, r.expiry, true
	}
	m.Tally.Links++
	return due, 0, false
}
