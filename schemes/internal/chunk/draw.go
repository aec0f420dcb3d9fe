package chunk

import (
	"fmt"
	"slices"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// Draw begins a drawing. Timers are shown as id(deadline), stale entries as x.
func (m *Module) Draw() *store.Drawing {
	return store.NewDrawing(m.Now, m.Len(), "id(deadline), x: stale", m.drawEntries)
}

// drawEntries returns a slot's entries in the order in which they came.
func (m *Module) drawEntries(slot uint32, most int) (text []string) {
	for e := range m.entries(slot) {
		if len(text) == most {
			text = append(text, store.Cut)
			break
		}
		timer := "x"
		if m.standsFor(e) {
			r := m.records.named(e)
			timer = fmt.Sprintf("%d(%d)", r.getID(), m.deadline(r))
		}
		text = append(text, timer)
	}
	slices.Reverse(text)
	return text
}

// Drawn ends a drawing with the due list.
func (m *Module) Drawn(d *store.Drawing) string { return d.End(m.drawDue) }

func (m *Module) drawDue(_ uint32, most int) (ids []string) {
	for pos := m.due.first; pos != m.due.last; {
		if r := m.isDue(schemes.Handle(*m.arena.at(pos))); r != nil {
			if len(ids) == most {
				return append(ids, store.Cut)
			}
			ids = append(ids, fmt.Sprint(r.getID()))
		}
		if pos++; pos%chunkLen == 0 && pos != m.due.last {
			pos = uint32(*m.arena.at(pos - chunkLen)) + 1
		}
	}
	return ids
}
