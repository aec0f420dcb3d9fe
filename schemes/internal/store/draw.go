package store

import (
	"fmt"
)

// Draw begins a drawing, whose timers are shown as id(key); legend says what the
// key is.
func (m *Store) Draw(legend string, key func(*Record) string) *Drawing {
	return m.DrawSome(m.Len(), legend, key)
}

// DrawSome is Draw where not all records are timers outstanding.
func (m *Store) DrawSome(outstanding int, legend string, key func(*Record) string) *Drawing {
	timers := m.drawn(func(r *Record) string { return drawTimer(r, key(r)) })
	return NewDrawing(m.Now, outstanding, "id("+legend+")", timers)
}

// DrawKey returns a record's Key as it is drawn.
func DrawKey(r *Record) string { return fmt.Sprint(r.Key) }

// DrawTimer returns record i as it is drawn, with its Key.
func (m *Store) DrawTimer(i uint32) string { return drawTimer(m.At(i), DrawKey(m.At(i))) }

func drawTimer(r *Record, key string) string { return fmt.Sprintf("%d(%s)", r.ID, key) }

// drawn draws the records of rings.
func (m *Store) drawn(record func(*Record) string) Timers {
	return func(head uint32, most int) (text []string) {
		for i := m.After(head); i != head; i = m.After(i) {
			if len(text) == most {
				return append(text, Cut)
			}
			text = append(text, record(m.At(i)))
		}
		return text
	}
}

// Drawn ends a drawing with the due list.
func (m *Store) Drawn(d *Drawing) string {
	return d.End(m.drawn(func(r *Record) string { return fmt.Sprint(r.ID) }))
}

// DrawSlots draws the slots of the wheel: the one that the pointer is at, in brackets,
// and the occupied ones.
func (w *Wheel) DrawSlots(d *Drawing) *Drawing {
	for s := range w.slots {
		d.Slot("", s, w.pointer, FirstSlot+uint32(s))
	}
	return d
}
