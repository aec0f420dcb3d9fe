package chunk

import "fmt"

// CheckStore verifies the module. O(n + M).
func (m *Module) CheckStore() error {
	a := audit{m: m, chunks: map[uint32]bool{}, stopped: map[uint32]bool{}}
	for _, i := range m.stopped {
		a.stopped[i] = true
	}
	for slot := range uint32(len(m.ends)) {
		if err := a.slot(slot); err != nil {
			return fmt.Errorf("%s: slot %d: %w", m.Name, slot, err)
		}
	}
	if err := a.due(); err != nil {
		return fmt.Errorf("%s: due timers: %w", m.Name, err)
	}
	if err := a.records(); err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	err := m.chunks.Check(func(k uint32, _ *block) (bool, error) { return k*chunkLen < m.small || a.chunks[k], nil })
	if err != nil {
		return fmt.Errorf("%s: chunks: %w", m.Name, err)
	}
	return nil
}

type audit struct {
	m       *Module
	entries int
	chunks  map[uint32]bool // in use
	stopped map[uint32]bool
}

func (a *audit) slot(slot uint32) error {
	end, others := a.m.endOf(slot), a.entries
	if occupied := a.m.Occupied(slot); occupied != (end != 0) {
		return fmt.Errorf("it ends at %d, but its bit says %t", end, occupied)
	}
	for first := true; end != 0; first = false {
		if int((end-1)/chunkLen) >= a.m.chunks.Len() {
			return fmt.Errorf("position %d does not exist", end)
		}
		head, before := a.m.chunkOf(end - 1)
		switch small := before == 0; {
		case !first && !a.m.full(end):
			return fmt.Errorf("chunk %d is not full but not the last", head)
		case small && head != slot*smallLen:
			return fmt.Errorf("small chunk %d belongs to another slot", head)
		case end == head+1:
			return fmt.Errorf("chunk %d is empty", head)
		case a.chunks[head/chunkLen]:
			return fmt.Errorf("chunk %d is in two places", head)
		case a.m.SlotAt(end-1) != slot:
			return fmt.Errorf("chunk %d says slot %d", head, a.m.SlotAt(end-1))
		case !small:
			a.chunks[head/chunkLen] = true
		}
		for pos := head + 1; pos < end; pos++ {
			if err := a.entry(slot, pos); err != nil {
				return err
			}
		}
		end = before
	}
	if n := a.entries - others; n != a.m.Entries(slot) {
		return fmt.Errorf("it has %d entries, its chunks say %d", n, a.m.Entries(slot))
	}
	return nil
}

// entry verifies the entry at a position of a slot: its record leads back to it, and it comes up
// in this slot, no later than its timer expires.
func (a *audit) entry(slot, pos uint32) error {
	m, e := a.m, *a.m.at(pos)
	a.entries++
	if uint(e.Record()) >= uint(m.records.Len()) {
		return fmt.Errorf("entry for record %d, which does not exist", e.Record())
	}
	r := m.records.At(e.Record())
	wakesAt := m.wakesAt(r)
	switch state := r.Gen & stateMask; {
	case r.pos != pos || state != stateInReach && state != stateBeyond && state != stateStopped:
		return fmt.Errorf("record %d has no entry at %d", e.Record(), pos)
	case state == stateStopped && !a.stopped[e.Record()]:
		return fmt.Errorf("record %d is free, and has an entry", e.Record())
	case e.LowTick() != r.low || m.slotOf(wakesAt, pos) != slot, m.Holds != nil && !m.Holds(slot, wakesAt):
		return fmt.Errorf("timer %d comes up at %d, which is in another slot", r.id, wakesAt)
	case wakesAt == m.Now:
		return fmt.Errorf("timer %d comes up now, but waits", r.id)
	case state != stateStopped && wakesAt > m.deadline(r):
		return fmt.Errorf("timer %d comes up at %d, and expires at %d", r.id, wakesAt, m.deadline(r))
	}
	return nil
}

func (a *audit) due() error {
	records, before, n := &a.m.records, uint32(0), 0
	for i := records.At(0).Link; ; i = records.At(i).Link {
		switch {
		case uint(i) >= uint(records.Len()):
			return fmt.Errorf("link to record %d, which does not exist", i)
		case records.At(i).low != before:
			return fmt.Errorf("record %d does not lead back to %d", i, before)
		case i == 0 && n != a.m.due:
			return fmt.Errorf("%d, the count says %d", n, a.m.due)
		case i == 0:
			return nil
		case records.At(i).Gen&stateMask != stateDue:
			return fmt.Errorf("record %d is not marked as due", i)
		case n == a.m.due:
			return fmt.Errorf("more than the %d that are counted", n)
		}
		before = i
		n++
	}
}

func (a *audit) records() error {
	m, due := a.m, 0
	err := m.records.Check(func(i uint32, r *record) (inUse bool, err error) {
		if r.Gen&stateMask == stateDue {
			due++
		}
		return r.Gen&liveBit != 0 || a.stopped[i], nil
	})
	switch {
	case err != nil:
		return fmt.Errorf("records: %w", err)
	case due != m.due:
		return fmt.Errorf("%d timers are marked as due, the count says %d", due, m.due)
	case a.entries != m.Held()-due:
		return fmt.Errorf("%d entries, %d timers wait", a.entries, m.Len()-due)
	}
	return nil
}
