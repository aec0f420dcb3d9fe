package chunk

import (
	"fmt"

	"timerlab/schemes"
)

// CheckStore verifies the module; place returns the slot of a tick. O(n + M).
func (m *Module) CheckStore(place func(schemes.Tick) (slot uint32)) error {
	a := audit{m: m, place: place, found: map[uint32]error{}}
	return m.InScheme(a.run())
}

func (a *audit) run() error {
	if err := a.pools(); err != nil {
		return err
	}
	for slot := range uint32(len(a.m.slots)) {
		if err := a.slot(slot); err != nil {
			return fmt.Errorf("slot %d: %w", slot, err)
		}
	}
	if err := a.due(); err != nil {
		return err
	}
	return a.sums()
}

// audit is what has been seen so far.
type audit struct {
	m       *Module
	entries int
	found   map[uint32]error // records that have an entry; not nil: in a wrong slot
	place   func(schemes.Tick) (slot uint32)
	chunks  int // in use
}

// pools verifies the books of both stores.
func (a *audit) pools() error {
	records := &a.m.records
	err := records.check(func(n, at uint32) error {
		if records.segment(n)[at].genState&liveBit != 0 {
			return fmt.Errorf("record %d is not free", at)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("records: %w", err)
	}
	if err := a.m.arena.check(func(n, at uint32) error { return nil }); err != nil {
		return fmt.Errorf("chunks: %w", err)
	}
	return nil
}

func (a *audit) slot(slot uint32) error {
	end := a.m.end(slot)
	if occupied := a.m.Occupied(slot); occupied != (end != 0) {
		return fmt.Errorf("it ends at %d, but its bit says %t", end, occupied)
	}
	for first := true; end != 0; first = false {
		if err := a.member(end); err != nil {
			return err
		}
		head, before := a.m.arena.chunkOf(end - 1)
		small := a.m.arena.isSmall(end - 1)
		switch {
		case !first && !small && end != head+chunkLen, !first && small && end != head+smallLen:
			return fmt.Errorf("chunk %d is not full but not the last", head)
		case small && head != slot*smallLen:
			return fmt.Errorf("small chunk %d is that of another slot", head)
		case !small:
			a.chunks++
		}
		entries, _, _ := a.m.chunk(end)
		if len(entries) == 0 {
			return fmt.Errorf("chunk %d is empty", head)
		}
		for _, e := range entries {
			if err := a.entry(slot, e); err != nil {
				return err
			}
		}
		end = before
	}
	return nil
}

// member refuses a position that the arena does not have.
func (a *audit) member(end uint32) error {
	if int(end) > len(a.m.arena.mem.all) {
		return fmt.Errorf("position %d does not exist", end)
	}
	if all := a.m.waiting + a.m.stale; a.entries > all {
		return fmt.Errorf("more than the %d entries there are", all)
	}
	return nil
}

// entry verifies an entry. One entry of a timer in the right slot is enough: an earlier
// restart may have left another, which comes up a multiple of 2^32 ticks later and
// differs in its slot alone.
func (a *audit) entry(slot uint32, e Entry) error {
	a.entries++
	if int(e.Record()) >= len(a.m.records.mem.all) {
		return fmt.Errorf("entry for record %d, which does not exist", uint32(e))
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
	r := a.m.records.named(e)
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

// due verifies the due list.
func (a *audit) due() error {
	q, found, handles := a.m.due, 0, 0
	for pos := q.first; pos != q.last; handles++ {
		if err := a.member(pos + 1); err != nil {
			return fmt.Errorf("due list: %w", err)
		}
		if a.m.isDue(schemes.Handle(*a.m.arena.at(pos))) != nil {
			found++
		}
		if pos++; pos%chunkLen == 0 && pos != q.last {
			a.chunks++
			pos = uint32(*a.m.arena.at(pos - chunkLen)) + 1
		}
	}
	if q.last != 0 {
		a.chunks++
	}
	if handles != q.handles {
		return fmt.Errorf("%d handles are in the due list, the count says %d", handles, q.handles)
	}
	if found != q.timers {
		return fmt.Errorf("%d timers are due, the count says %d", found, q.timers)
	}
	return nil
}

// sums verifies the numbers of timers, entries and chunks.
func (a *audit) sums() error {
	m, all, waiting := a.m, 0, 0
	for n := range m.records.segs {
		for at, r := range m.records.segment(uint32(n)) {
			if r.genState&liveBit == 0 {
				continue
			}
			all++
			if r.genState&stateMask == stateDue {
				continue
			}
			waiting++
			switch err, found := a.found[uint32(n)<<recordBits|uint32(at)]; {
			case !found:
				return fmt.Errorf("timer %d has no entry", r.getID())
			case err != nil:
				return err
			}
		}
	}
	switch {
	case waiting != m.waiting:
		return fmt.Errorf("%d timers wait, the count says %d", waiting, m.waiting)
	case all != m.Len():
		return fmt.Errorf("%d timers are outstanding, Len says %d", all, m.Len())
	case a.entries != m.waiting+m.stale:
		return fmt.Errorf("%d entries, the counts say %d", a.entries, m.waiting+m.stale)
	}
	return a.arena()
}

// arena verifies that every chunk in use is in a slot or the due list.
func (a *audit) arena() error {
	live := 0
	for _, g := range a.m.arena.segs {
		live += int(g.length - g.top)
	}
	if live != a.chunks {
		return fmt.Errorf("%d chunks are in use, found %d", live, a.chunks)
	}
	return nil
}
