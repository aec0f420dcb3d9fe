package chunk

import (
	"fmt"

	"timerlab/schemes"
)

// CheckStore verifies the module; place returns the slot of a tick. O(n + M).
func (m *Module) CheckStore(place func(schemes.Tick) (slot uint32)) error {
	a := audit{m: m, place: place, found: map[uint32]error{}, chunks: map[uint32]bool{}}
	return m.InScheme(a.run())
}

// audit is what has been seen so far.
type audit struct {
	m       *Module
	place   func(schemes.Tick) (slot uint32)
	entries int
	found   map[uint32]error // records that have an entry; not nil: in a wrong slot
	chunks  map[uint32]bool  // in use
}

func (a *audit) run() error {
	for slot := range uint32(len(a.m.slots)) {
		if err := a.slot(slot); err != nil {
			return fmt.Errorf("slot %d: %w", slot, err)
		}
	}
	if err := a.due(); err != nil {
		return fmt.Errorf("due timers: %w", err)
	}
	if err := a.records(); err != nil {
		return err
	}
	err := a.m.chunks.Check(func(k uint32, _ *block) (bool, error) {
		return k*chunkLen < a.m.small || a.chunks[k], nil
	})
	if err != nil {
		return fmt.Errorf("chunks: %w", err)
	}
	return nil
}

func (a *audit) slot(slot uint32) error {
	end := a.m.endOf(slot)
	if occupied := a.m.Occupied(slot); occupied != (end != 0) {
		return fmt.Errorf("it ends at %d, but its bit says %t", end, occupied)
	}
	for first := true; end != 0; first = false {
		switch {
		case int((end-1)/chunkLen) >= a.m.chunks.Len():
			return fmt.Errorf("position %d does not exist", end)
		case a.entries > a.m.entries:
			return fmt.Errorf("more than the %d entries there are", a.m.entries)
		}
		head, before := a.m.chunkOf(end - 1)
		switch small := before == 0; {
		case !first && !a.m.full(end):
			return fmt.Errorf("chunk %d is not full but not the last", head)
		case small && head != slot*smallLen:
			return fmt.Errorf("small chunk %d is that of another slot", head)
		case end == head+1:
			return fmt.Errorf("chunk %d is empty", head)
		case !small:
			a.chunks[head/chunkLen] = true
		}
		entries, _, _ := a.m.chunk(end)
		for _, e := range entries {
			if err := a.entry(slot, e); err != nil {
				return err
			}
		}
		end = before
	}
	return nil
}

// entry verifies an entry. One entry of a timer in the right slot is enough: an earlier
// restart may have left another, which comes up a multiple of 2^32 ticks later and
// differs in its slot alone.
func (a *audit) entry(slot uint32, e Entry) error {
	a.entries++
	if uint(e.Record()) >= uint(a.m.records.Len()) {
		return fmt.Errorf("entry for record %d, which does not exist", e.Record())
	}
	if !a.m.standsFor(e) {
		return nil
	}
	err, found := a.found[e.Record()]
	if !found || err != nil {
		a.found[e.Record()] = a.wait(slot, e)
	}
	return nil
}

// wait verifies that an entry comes up in its slot, and no later than its timer
// expires: within 2^32 ticks from now, or then.
func (a *audit) wait(slot uint32, e Entry) error {
	r := a.m.named(e)
	deadline, comesUp := a.m.deadline(r), a.m.tickOf(e.Low())
	switch {
	case deadline == a.m.Now:
		return fmt.Errorf("timer %d expires now, but waits", r.getID())
	case comesUp <= deadline && a.place(comesUp) == slot:
	case uint32(comesUp) == uint32(deadline) && a.place(deadline) == slot:
	default:
		return fmt.Errorf("timer %d comes up at %d and expires at %d, which are not places in slot %d",
			r.getID(), comesUp, deadline, slot)
	}
	return nil
}

// due verifies the ring of due timers.
func (a *audit) due() error {
	records, before, n := &a.m.records, uint32(0), 0
	for i := records.At(0).Next; ; i = records.At(i).Next {
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

// records verifies the records and the numbers of timers and entries.
func (a *audit) records() error {
	m, due := a.m, 0
	err := m.records.Check(func(i uint32, r *record) (inUse bool, err error) {
		if r.Gen&liveBit == 0 {
			return false, nil
		}
		if r.Gen&stateMask == stateDue {
			due++
			return true, nil
		}
		err, found := a.found[i]
		if !found {
			err = fmt.Errorf("timer %d has no entry", r.getID())
		}
		return true, err
	})
	switch {
	case err != nil:
		return fmt.Errorf("records: %w", err)
	case due != m.due:
		return fmt.Errorf("%d timers are marked as due, the count says %d", due, m.due)
	case a.entries != m.entries:
		return fmt.Errorf("%d entries, the count says %d", a.entries, m.entries)
	}
	return nil
}
