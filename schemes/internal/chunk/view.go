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
		shown := map[uint32]bool{} // a timer may have two entries: see sweep.go
		for slot := range uint32(len(m.slots)) {
			entries := slices.Collect(m.entriesOf(slot))
			slices.Reverse(entries) // in the order in which they came
			for position, e := range entries {
				p := schemes.Place{Position: position, Parent: -1}
				p.Level, p.Slot = level(slot)
				if m.standsFor(e) && !shown[e.Record()] {
					shown[e.Record()] = true
					r := m.named(e)
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
	for i := m.records.At(0).Next; i != 0; i = m.records.At(i).Next {
		if !yield(schemes.Place{ID: m.records.At(i).getID(), Due: true, Position: position, Parent: -1}) {
			return false
		}
		position++
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
