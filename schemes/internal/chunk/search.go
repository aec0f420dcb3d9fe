package chunk

import (
	"iter"
	"slices"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// entriesOf yields the entries of a slot, the last one first.
func (m *Module) entriesOf(slot uint32) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for end := m.endOf(slot); end != 0; {
			entries, _, before := m.chunk(end)
			for _, e := range slices.Backward(entries) {
				if !yield(e) {
					return
				}
			}
			end = before
		}
	}
}

// First returns the earliest deadline of a slot's timers; false if it has none. O(entries in
// the slot).
func (m *Module) First(slot uint32) (first schemes.Tick, ok bool) {
	for e := range m.entriesOf(slot) {
		r := m.records.At(e.Record())
		if r.Gen&liveBit == 0 {
			continue
		}
		if deadline := m.deadline(r); !ok || deadline < first {
			first, ok = deadline, true
		}
	}
	return first, ok
}

// WakesAt returns the first tick on which an entry of an occupied slot comes up, whose ticks
// are from `first` on, at most 2^32. O(entries in the slot).
func (m *Module) WakesAt(slot uint32, first schemes.Tick) schemes.Tick {
	soonest := uint32(lowRange)
	for e := range m.entriesOf(slot) {
		soonest = min(soonest, e.LowTick()-uint32(first))
	}
	return first + schemes.Tick(soonest)
}

// SoonestEntry returns in how many ticks the first entry must come up, or 0 if there is none.
// O(entries + M/64).
func (m *Module) SoonestEntry() (wait schemes.Tick) {
	last := uint32(len(m.ends))
	for slot := m.NextOccupied(0, last); slot < last; slot = m.NextOccupied(slot+1, last) {
		for e := range m.entriesOf(slot) {
			if away := m.wakesAt(m.records.At(e.Record())) - m.Now; wait == 0 || away < wait {
				wait = away
			}
		}
	}
	return wait
}

// View returns the places of the timers; level returns where a slot is.
func (m *Module) View(level func(slot uint32) (level, number int)) iter.Seq[schemes.Place] {
	return func(yield func(schemes.Place) bool) {
		position := 0
		for i := m.records.At(0).Next; i != 0; i = m.records.At(i).Next {
			if !yield(schemes.Place{ID: m.records.At(i).id, Due: true, Position: position, Parent: -1}) {
				return
			}
			position++
		}
		for slot := range uint32(len(m.ends)) {
			entries := slices.Collect(m.entriesOf(slot))
			position := 0
			for _, e := range slices.Backward(entries) { // in the order in which they came
				r := m.records.At(e.Record())
				if r.Gen&liveBit == 0 {
					continue
				}
				p := schemes.Place{ID: r.id, Deadline: m.deadline(r), Position: position, Parent: -1}
				p.Key = uint64(p.Deadline)
				p.Level, p.Slot = level(slot)
				if position++; !yield(p) {
					return
				}
			}
		}
	}
}

// Draw draws the wheels.
func (m *Module) Draw(wheels []store.DrawnWheel, level func(slot uint32) (level, number int)) string {
	return store.Draw(m.Now, m.Len(), "id(deadline)", wheels, m.View(level))
}
