package chunk

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/schemes"
)

const (
	drawnSlots   = 8  // occupied slots that a wheel shows at most, beside its pointer's
	drawnEntries = 12 // entries that a line shows at most
)

// Drawing is a scheme's structure as text, a line a slot. It stays small however
// large the structure is.
type Drawing struct {
	m     *Module
	text  strings.Builder
	slots int // occupied slots shown of the present wheel
	more  int // occupied slots not shown
}

// Draw begins a drawing. Timers are shown as id(expiry), entries that stand for
// none as x.
func (m *Module) Draw() *Drawing {
	d := &Drawing{m: m}
	fmt.Fprintf(&d.text, "now %d, %d outstanding, id(expiry), x: stands for none\n", m.Now, m.Len())
	return d
}

// Wheel begins a wheel, which has room for its own lines.
func (d *Drawing) Wheel() { d.slots = 0 }

// Line adds a line as it is.
func (d *Drawing) Line(text string) { d.text.WriteString(text + "\n") }

// Slot adds a line for a slot, unless it is empty or the wheel has no room left.
// number is what the wheel calls it. The one that the pointer is at is always
// shown, in brackets.
func (d *Drawing) Slot(wheel string, number, pointer uint64, slot uint32) {
	switch {
	case number == pointer:
		fmt.Fprintf(&d.text, "%sslot [%d]:", wheel, number)
	case !d.m.Occupied(slot):
		return
	case d.slots == drawnSlots:
		d.more++
		return
	default:
		d.slots++
		fmt.Fprintf(&d.text, "%sslot %d:", wheel, number)
	}
	d.Line(d.entries(slot))
}

var errEnough = fmt.Errorf("enough")

// entries returns a slot's entries in the order in which they came.
func (d *Drawing) entries(slot uint32) string {
	var shown []string
	err := d.m.Entries(slot, func(w Waiting) error {
		switch {
		case len(shown) == drawnEntries:
			return errEnough
		case w.Expiry == 0:
			shown = append(shown, "x")
		default:
			shown = append(shown, fmt.Sprintf("%d(%d)", w.ID, w.Expiry))
		}
		return nil
	})
	if err != nil {
		shown = append(shown, "…")
	}
	if len(shown) == 0 {
		return " -"
	}
	slices.Reverse(shown)
	return " " + strings.Join(shown, " ")
}

// String ends the drawing with the number of slots that found no room, and the due
// list.
func (d *Drawing) String() string {
	if d.more > 0 {
		d.Line(fmt.Sprintf("… and %d more slots", d.more))
	}
	if due := d.due(); len(due) > 0 {
		d.Line("due: " + strings.Join(due, " "))
	}
	return d.text.String()
}

func (d *Drawing) due() (ids []string) {
	m := d.m
	for pos := m.due.first; pos != m.due.last; {
		if r := m.isDue(schemes.Handle(*m.arena.at(pos))); r != nil {
			if len(ids) == drawnEntries {
				return append(ids, "…")
			}
			ids = append(ids, fmt.Sprint(r.getID()))
		}
		if pos++; pos%chunkLen == 0 && pos != m.due.last {
			pos = uint32(*m.arena.at(pos - chunkLen)) + 1
		}
	}
	return ids
}
