package store

import (
	"fmt"
	"iter"
	"strings"

	"timerlab/schemes"
)

const (
	maxSlots  = 8  // occupied slots that a wheel shows at most, besides its pointer's
	maxTimers = 12 // timers that a line shows at most
	maxWheels = 10 // wheels that a drawing shows at most: the lowest
)

// DrawnWheel is a wheel, or a list, in a drawing.
type DrawnWheel struct {
	Level   int
	Label   string // of a slot: "level 2 slot"; of a list: "list:"
	Slots   int    // 0: a list
	Pointer int    // the slot of the present tick
}

// lines are the timers of each slot, as they are drawn, by level and slot.
type lines map[[2]int][]string

// Draw draws lists and wheels, in this order: the slot of the present tick, in brackets, and the first
// occupied ones. legend is how a timer is drawn: "id(deadline)", of which the second is its Key, with
// an x if it has no deadline any more.
func Draw(now schemes.Tick, outstanding int, legend string, wheels []DrawnWheel,
	places iter.Seq[schemes.Place]) string {
	waiting, due := lines{}, []string(nil)
	for p := range places {
		at := [2]int{p.Level, p.Slot}
		switch {
		case p.Due:
			due = append(due, fmt.Sprint(p.ID))
		case p.Position > maxTimers: // not shown
		case p.Deadline == 0:
			waiting[at] = append(waiting[at], fmt.Sprintf("%d(%d x)", p.ID, p.Key))
		default:
			waiting[at] = append(waiting[at], fmt.Sprintf("%d(%d)", p.ID, p.Key))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "now %d, %d outstanding, %s\n", now, outstanding, legend)
	if above := len(wheels) - maxWheels; above > 0 {
		fmt.Fprintf(&b, "… and %d higher levels\n", above)
	}
	more := 0
	for _, w := range wheels[max(len(wheels)-maxWheels, 0):] {
		if w.Slots == 0 {
			line(&b, w.Label, waiting[[2]int{w.Level, 0}])
			continue
		}
		more += w.draw(&b, waiting)
	}
	if more > 0 {
		fmt.Fprintf(&b, "… and %d more slots\n", more)
	}
	if len(due) > 0 {
		line(&b, "due:", due)
	}
	return b.String()
}

// Draw draws the wheel, and what else there is.
func (w *Wheel) Draw(outstanding int, legend string, view iter.Seq[schemes.Place], lists ...DrawnWheel) string {
	wheel := DrawnWheel{Label: "slot", Slots: int(w.M), Pointer: int(w.Pointer)}
	return Draw(w.Now, outstanding, legend, append([]DrawnWheel{wheel}, lists...), view)
}

// draw draws the slots and returns how many occupied ones are not shown.
func (w *DrawnWheel) draw(b *strings.Builder, waiting lines) (more int) {
	shown := 0
	for slot := range w.Slots {
		timers := waiting[[2]int{w.Level, slot}]
		switch {
		case slot == w.Pointer:
			line(b, fmt.Sprintf("%s [%d]:", w.Label, slot), timers)
		case len(timers) == 0:
		case shown == maxSlots:
			more++
		default:
			shown++
			line(b, fmt.Sprintf("%s %d:", w.Label, slot), timers)
		}
	}
	return more
}

// line draws the first of some timers.
func line(b *strings.Builder, label string, timers []string) {
	switch {
	case len(timers) == 0:
		timers = []string{"-"}
	case len(timers) > maxTimers:
		timers = append(timers[:maxTimers:maxTimers], "…")
	}
	b.WriteString(label + " " + strings.Join(timers, " ") + "\n")
}
