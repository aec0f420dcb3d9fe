package store

import (
	"fmt"
	"strings"

	"timerlab/schemes"
)

const (
	maxSlots  = 8  // occupied slots that a wheel shows at most, besides its pointer's
	maxTimers = 12 // timers that a line shows at most
)

// Timers draws the first timers in the slot or list at head: at most `most` of them,
// and then Cut if there are more.
type Timers func(head uint32, most int) []string

// Cut is the last element of a list that is not shown to its end.
const Cut = "…"

// Drawing is a drawing in the making. Begin it with NewDrawing.
type Drawing struct {
	text   strings.Builder
	timers Timers
	slots  int // occupied slots shown of the present wheel
	more   int // occupied slots not shown
}

// NewDrawing begins a drawing; legend explains how timers are drawn.
func NewDrawing(now schemes.Tick, outstanding int, legend string, timers Timers) *Drawing {
	d := &Drawing{timers: timers}
	fmt.Fprintf(&d.text, "now %d, %d outstanding, %s\n", now, outstanding, legend)
	return d
}

// Wheel begins a wheel, which has room for its own lines.
func (d *Drawing) Wheel() { d.slots = 0 }

// Slot adds a line for the slot at head, unless it is empty or the wheel has no room
// left. The slot that the pointer is at is always shown, in brackets.
func (d *Drawing) Slot(wheel string, slot, pointer uint64, head uint32) {
	switch {
	case slot == pointer:
		d.Ring(fmt.Sprintf("%sslot [%d]:", wheel, slot), head)
	case len(d.timers(head, 1)) == 0:
	case d.slots == maxSlots:
		d.more++
	default:
		d.slots++
		d.Ring(fmt.Sprintf("%sslot %d:", wheel, slot), head)
	}
}

// Ring adds a line for the timers at head.
func (d *Drawing) Ring(label string, head uint32) {
	timers := d.timers(head, maxTimers)
	if len(timers) == 0 {
		timers = []string{"-"}
	}
	d.Line(label + " " + strings.Join(timers, " "))
}

// Line adds a line as it is.
func (d *Drawing) Line(text string) { d.text.WriteString(text + "\n") }

// End ends the drawing with the number of slots that found no room, and the due
// timers.
func (d *Drawing) End(due Timers) string {
	if d.more > 0 {
		d.Line(fmt.Sprintf("… and %d more slots", d.more))
	}
	if ids := due(0, maxTimers); len(ids) > 0 {
		d.Line("due: " + strings.Join(ids, " "))
	}
	return d.text.String()
}

// Draw begins a drawing of rings, whose timers are shown as id(key); legend says what the
// key is, and outstanding how many of the records are timers.
func (s *Store) Draw(outstanding int, legend string, key func(*Record) string) *Drawing {
	timers := s.drawn(func(r *Record) string { return fmt.Sprintf("%d(%s)", r.ID, key(r)) })
	return NewDrawing(s.Now, outstanding, "id("+legend+")", timers)
}

// DrawKey returns a record's Key as it is drawn.
func DrawKey(r *Record) string { return fmt.Sprint(r.Key) }

// DrawTimer returns record i as it is drawn, with its Key.
func (s *Store) DrawTimer(i uint32) string { return fmt.Sprintf("%d(%d)", s.At(i).ID, s.At(i).Key) }

// drawn draws the records of rings.
func (s *Store) drawn(record func(*Record) string) Timers {
	return func(head uint32, most int) (text []string) {
		for i := s.At(head).Next; i != head; i = s.At(i).Next {
			if len(text) == most {
				return append(text, Cut)
			}
			text = append(text, record(s.At(i)))
		}
		return text
	}
}

// Drawn ends a drawing with the due list.
func (s *Store) Drawn(d *Drawing) string {
	return d.End(s.drawn(func(r *Record) string { return fmt.Sprint(r.ID) }))
}
