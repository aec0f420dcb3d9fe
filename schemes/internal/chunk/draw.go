package chunk

import (
	"fmt"
	"iter"
	"slices"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// View returns the places of the timers; level returns where a slot is.
func (m *Module) View(level func(slot uint32) (level, number int)) iter.Seq[schemes.Place] {
	return func(yield func(schemes.Place) bool) {
		for p := range m.places(level) {
			if (p.Due || p.Deadline != 0) && !yield(p) {
				return
			}
		}
	}
}

// places returns the places of timers and, with a deadline of 0, of stale entries.
func (m *Module) places(level func(slot uint32) (level, number int)) iter.Seq[schemes.Place] {
	return func(yield func(schemes.Place) bool) {
		if !m.viewDue(yield) {
			return
		}
		for slot := range uint32(len(m.slots)) {
			entries := slices.Collect(m.entries(slot))
			slices.Reverse(entries) // in the order in which they came
			for position, e := range entries {
				p := schemes.Place{Position: position, Parent: -1}
				p.Level, p.Slot = level(slot)
				if m.standsFor(e) {
					r := m.records.named(e)
					p.ID, p.Deadline = r.getID(), m.deadline(r)
					p.Key = uint64(p.Deadline)
				}
				if !yield(p) {
					return
				}
			}
		}
	}
}

func (m *Module) viewDue(yield func(schemes.Place) bool) bool {
	position := 0
	for pos := m.due.first; pos != m.due.last; {
		if r := m.isDue(schemes.Handle(*m.arena.at(pos))); r != nil {
			if !yield(schemes.Place{ID: r.getID(), Due: true, Position: position, Parent: -1}) {
				return false
			}
			position++
		}
		if pos++; pos%chunkLen == 0 && pos != m.due.last {
			pos = uint32(*m.arena.at(pos - chunkLen)) + 1
		}
	}
	return true
}

// Draw draws the wheels, with stale entries as x.
func (m *Module) Draw(wheels []store.DrawnWheel, level func(slot uint32) (level, number int)) string {
	d := store.Drawing{Legend: "id(deadline), x: stale", Wheels: wheels, Text: func(p schemes.Place) string {
		if p.Deadline == 0 {
			return "x"
		}
		return fmt.Sprintf("%d(%d)", p.ID, p.Key)
	}}
	return d.Draw(m.Now, m.Len(), m.places(level))
}
