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
		if !m.viewDue(yield) {
			return
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

func (m *Module) viewDue(yield func(schemes.Place) bool) bool {
	position := 0
	for i := m.records.At(0).Next; i != 0; i = m.records.At(i).Next {
		if !yield(schemes.Place{ID: m.records.At(i).id, Due: true, Position: position, Parent: -1}) {
			return false
		}
		position++
	}
	return true
}

// Draw draws the wheels.
func (m *Module) Draw(wheels []store.DrawnWheel, level func(slot uint32) (level, number int)) string {
	d := store.Drawing{Legend: "id(deadline)", Wheels: wheels, Text: func(p schemes.Place) string {
		return fmt.Sprintf("%d(%d)", p.ID, p.Key)
	}}
	return d.Draw(m.Now, m.Len(), m.View(level))
}
