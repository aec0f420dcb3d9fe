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

// Drawing is what a drawing shows besides the places of timers.
type Drawing struct {
	Legend string                     // how a timer is drawn: "id(deadline)"
	Wheels []DrawnWheel               // in the order in which they are drawn
	Text   func(schemes.Place) string // draws a timer; nil: id(key)
}

// DrawnWheel is a wheel, or a list, in a drawing.
type DrawnWheel struct {
	Level   int
	Label   string // of a slot: "level 2 slot"; of a list: "list:"
	Slots   int    // 0: a list
	Pointer int    // the slot of the present tick
}

// lines are the timers of each slot, as they are drawn, of due and of waiting ones.
type lines struct {
	due     []string
	waiting map[[2]int][]string // by level and slot
}

func (d *Drawing) lines(places iter.Seq[schemes.Place]) lines {
	l := lines{waiting: map[[2]int][]string{}}
	for p := range places {
		at := [2]int{p.Level, p.Slot}
		switch {
		case p.Due:
			l.due = append(l.due, fmt.Sprint(p.ID))
		case p.Position > maxTimers: // not shown
		case d.Text != nil:
			l.waiting[at] = append(l.waiting[at], d.Text(p))
		default:
			l.waiting[at] = append(l.waiting[at], fmt.Sprintf("%d(%d)", p.ID, p.Key))
		}
	}
	return l
}

// Draw draws lists and wheels: the slot of the present tick, in brackets, and the first
// occupied ones.
func (d *Drawing) Draw(now schemes.Tick, outstanding int, places iter.Seq[schemes.Place]) string {
	l := d.lines(places)
	var b strings.Builder
	fmt.Fprintf(&b, "now %d, %d outstanding, %s\n", now, outstanding, d.Legend)
	if above := len(d.Wheels) - maxWheels; above > 0 {
		fmt.Fprintf(&b, "… and %d higher levels\n", above)
	}
	more := 0
	for _, w := range d.Wheels[max(len(d.Wheels)-maxWheels, 0):] {
		if w.Slots == 0 {
			line(&b, w.Label, l.waiting[[2]int{w.Level, 0}])
			continue
		}
		more += w.draw(&b, l)
	}
	if more > 0 {
		fmt.Fprintf(&b, "… and %d more slots\n", more)
	}
	if len(l.due) > 0 {
		line(&b, "due:", l.due)
	}
	return b.String()
}

// draw draws the slots and returns how many occupied ones are not shown.
func (w *DrawnWheel) draw(b *strings.Builder, l lines) (more int) {
	shown := 0
	for slot := range w.Slots {
		timers := l.waiting[[2]int{w.Level, slot}]
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
