package module

import (
	"fmt"
	"strings"

	"timerlab/schemes/internal/slab"
)

const (
	drawnRings  = 8  // occupied slots that a wheel shows at most, beside its pointer's
	drawnTimers = 12 // timers that a line shows at most
)

// Drawing is a scheme's structure as text, a line a ring. It stays small
// however large the structure is.
type Drawing struct {
	m     *Module
	text  strings.Builder
	key   func(*slab.Record) string
	rings int // occupied slots shown of the present wheel
	more  int // occupied slots not shown
}

// Draw begins a drawing, whose timers are shown as id(key); legend says what the
// key is.
func (m *Module) Draw(legend string, key func(*slab.Record) string) *Drawing {
	return m.draw(m.Len(), legend, key)
}

func (m *Module) draw(outstanding int, legend string, key func(*slab.Record) string) *Drawing {
	d := &Drawing{m: m, key: key}
	fmt.Fprintf(&d.text, "now %d, %d outstanding, id(%s)\n", m.Now, outstanding, legend)
	return d
}

// Wheel begins a wheel, which has room for its own lines.
func (d *Drawing) Wheel() { d.rings = 0 }

// Slot adds a line for the slot at head, unless it is empty or the wheel has no
// room left. The slot that the pointer is at is always shown, in brackets.
func (d *Drawing) Slot(wheel string, slot, pointer uint64, head uint32) {
	switch {
	case slot == pointer:
		d.Ring(fmt.Sprintf("%sslot [%d]:", wheel, slot), head)
	case d.m.After(head) == head:
	case d.rings == drawnRings:
		d.more++
	default:
		d.rings++
		d.Ring(fmt.Sprintf("%sslot %d:", wheel, slot), head)
	}
}

// Ring adds a line for the ring at head.
func (d *Drawing) Ring(label string, head uint32) {
	d.text.WriteString(label)
	shown := 0
	for i := d.m.After(head); i != head; i = d.m.After(i) {
		if shown++; shown > drawnTimers {
			d.text.WriteString(" …")
			break
		}
		d.text.WriteString(" " + d.Timer(i))
	}
	if shown == 0 {
		d.text.WriteString(" -")
	}
	d.text.WriteByte('\n')
}

// Timer returns record i as it is drawn.
func (d *Drawing) Timer(i uint32) string {
	r := d.m.At(i)
	return fmt.Sprintf("%d(%s)", r.ID, d.key(r))
}

// Line adds a line as it is.
func (d *Drawing) Line(text string) { d.text.WriteString(text + "\n") }

// String ends the drawing with the number of slots that found no room, and the
// due list.
func (d *Drawing) String() string {
	if d.more > 0 {
		d.Line(fmt.Sprintf("… and %d more slots", d.more))
	}
	if first := d.m.After(Due); first != Due {
		ids := make([]string, 0, drawnTimers+1)
		for i := first; i != Due; i = d.m.After(i) {
			if len(ids) == drawnTimers {
				ids = append(ids, "…")
				break
			}
			ids = append(ids, fmt.Sprint(d.m.At(i).ID))
		}
		d.Line("due: " + strings.Join(ids, " "))
	}
	return d.text.String()
}

// DrawSlots draws the wheel: the slot that the pointer is at, in brackets, and
// the occupied ones.
func (w *Wheel) DrawSlots(legend string, key func(*slab.Record) string) string {
	return w.Drawn(w.Len(), legend, key).String()
}

// Drawn is DrawSlots before its end, for a wheel that has more to show or whose
// timers outstanding are not the records it holds.
func (w *Wheel) Drawn(outstanding int, legend string, key func(*slab.Record) string) *Drawing {
	d := w.draw(outstanding, legend, key)
	for s := range w.slots {
		d.Slot("", s, w.pointer, FirstSlot+uint32(s))
	}
	return d
}
