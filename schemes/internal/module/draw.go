package module

import (
	"fmt"

	"timerlab/schemes/internal/draw"
	"timerlab/schemes/internal/slab"
)

// Draw begins a drawing, whose timers are shown as id(key); legend says what the
// key is.
func (m *Module) Draw(legend string, key func(*slab.Record) string) *draw.Drawing {
	return m.DrawSome(m.Len(), legend, key)
}

// DrawSome is Draw where not all records are timers outstanding.
func (m *Module) DrawSome(outstanding int, legend string, key func(*slab.Record) string) *draw.Drawing {
	timers := m.drawn(func(r *slab.Record) string { return drawTimer(r, key(r)) })
	return draw.New(m.Now, outstanding, "id("+legend+")", timers)
}

// DrawKey returns a record's Key as it is drawn.
func DrawKey(r *slab.Record) string { return fmt.Sprint(r.Key) }

// DrawTimer returns record i as it is drawn, with its Key.
func (m *Module) DrawTimer(i uint32) string { return drawTimer(m.At(i), DrawKey(m.At(i))) }

func drawTimer(r *slab.Record, key string) string { return fmt.Sprintf("%d(%s)", r.ID, key) }

// drawn draws the records of rings.
func (m *Module) drawn(record func(*slab.Record) string) draw.Timers {
	return func(head uint32, most int) (text []string) {
		for i := m.After(head); i != head; i = m.After(i) {
			if len(text) == most {
				return append(text, draw.Cut)
			}
			text = append(text, record(m.At(i)))
		}
		return text
	}
}

// Drawn ends a drawing with the due list.
func (m *Module) Drawn(d *draw.Drawing) string {
	return d.End(m.drawn(func(r *slab.Record) string { return fmt.Sprint(r.ID) }))
}

// DrawSlots draws the slots of the wheel: the one that the pointer is at, in brackets,
// and the occupied ones.
func (w *Wheel) DrawSlots(d *draw.Drawing) *draw.Drawing {
	for s := range w.slots {
		d.Slot("", s, w.pointer, FirstSlot+uint32(s))
	}
	return d
}
