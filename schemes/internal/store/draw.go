package store

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"timerlab/schemes"
	"timerlab/schemes/internal/array"
)

const (
	maxSlots  = 8  // occupied slots that a wheel shows at most, besides its pointer's
	maxTimers = 12 // timers that a line shows at most
	maxWheels = 10 // wheels that a drawing shows at most: the lowest
)

// Slots are the slots of a wheel, or one list.
type Slots struct {
	First   uint32 // the head of slot 0; the other slots' heads follow it
	N       int    // 0: a list
	Level   int
	Label   string // in a drawing, of a slot: "level 2 slot"; of a list: "list:"
	Pointer int    // the slot of the present tick
}

// List returns the first ring as the only list of a scheme.
func List() []Slots { return []Slots{{First: Due + 1, Label: "list:"}} }

// Draw draws lists and wheels, the highest level first: the slot of the present tick, in brackets, and the first
// occupied ones. legend is how a timer is drawn: "id(deadline)", of which the second is its Key, with
// an x if it has no deadline any more.
func Draw(now schemes.Tick, outstanding int, legend string, wheels []Slots,
	places iter.Seq[schemes.Place]) string {
	waiting, due := map[[2]int][]string{}, []string(nil) // as they are drawn, waiting ones by level and slot
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
	slices.SortFunc(wheels, func(a, b Slots) int { return b.Level - a.Level })
	var b strings.Builder
	fmt.Fprintf(&b, "now %d, %d outstanding, %s\n", now, outstanding, legend)
	if above := len(wheels) - maxWheels; above > 0 {
		of := "higher levels"
		if wheels[0].N == 0 {
			of = "more lists"
		}
		fmt.Fprintf(&b, "… and %d %s\n", above, of)
	}
	more := 0
	for _, w := range wheels[max(len(wheels)-maxWheels, 0):] {
		if w.N == 0 {
			line(&b, w.Label, waiting[[2]int{w.Level, 0}])
			continue
		}
		shown := 0
		for slot := range w.N {
			timers := waiting[[2]int{w.Level, slot}]
			switch {
			case slot == w.Pointer:
				line(&b, fmt.Sprintf("%s [%d]:", w.Label, slot), timers)
			case len(timers) == 0:
			case shown == maxSlots:
				more++
			default:
				shown++
				line(&b, fmt.Sprintf("%s %d:", w.Label, slot), timers)
			}
		}
	}
	if more > 0 {
		fmt.Fprintf(&b, "… and %d more slots\n", more)
	}
	if len(due) > 0 {
		line(&b, "due:", due)
	}
	return b.String()
}

func line(b *strings.Builder, label string, timers []string) {
	switch {
	case len(timers) == 0:
		timers = []string{"-"}
	case len(timers) > maxTimers:
		timers = append(timers[:maxTimers:maxTimers], "…")
	}
	b.WriteString(label + " " + strings.Join(timers, " ") + "\n")
}

// Places returns the places of the due timers and of the timers in some slots. deadline returns
// the deadline of a timer in a slot; nil: its Key. A stopped timer that is still there has the deadline 0.
func (s *Store) Places(wheels []Slots, deadline func(slot int, r *Record) schemes.Tick) iter.Seq[schemes.Place] {
	return func(yield func(schemes.Place) bool) {
		position := 0
		for i := s.At(Due).Next; i != Due; i = s.At(i).Next {
			if !yield(schemes.Place{ID: s.At(i).ID, Due: true, Position: position, Parent: -1}) {
				return
			}
			position++
		}
		for _, w := range wheels {
			for slot := range max(w.N, 1) {
				position, head := 0, w.First+uint32(slot)
				for i := s.At(head).Next; i != head; i = s.At(i).Next {
					r := s.At(i)
					p := schemes.Place{ID: r.ID, Deadline: schemes.Tick(r.Key), Key: r.Key,
						Level: w.Level, Slot: slot, Position: position, Parent: -1}
					if r.Link == NoTimer {
						p.Deadline = 0
					} else if deadline != nil {
						p.Deadline = deadline(slot, r)
					}
					if position++; !yield(p) {
						return
					}
				}
			}
		}
	}
}

// DocText returns the package comment in the source of a doc.go, without comment
// markers. Info.Doc is made of it, so that it cannot drift from the code.
func DocText(source string) string {
	comment, _, _ := strings.Cut("\n"+source, "\npackage ")
	return strings.TrimPrefix(strings.NewReplacer("\n// ", "\n", "\n//", "\n").Replace(comment+"\n"), "\n")
}

// Bytes returns what a store with this many heads besides the due list holds while it
// has n timers: records, and the heads' bits. O(segments).
func Bytes(n int, cfg schemes.Config, heads int) int64 {
	if cfg.Capacity < 0 || n < 0 {
		return 0
	}
	heads++
	return array.Bytes[Record](heads+cfg.Capacity, heads+n) + int64(heads)/8
}

// WheelSlots is schemes.Info.Slots of a wheel.
func WheelSlots(cfg schemes.Config) []int { return []int{SlotsOf(cfg)} }

// WheelBytes is schemes.Info.Bytes of a wheel.
func WheelBytes(n int, cfg schemes.Config) int64 {
	slots := SlotsOf(cfg)
	if slots < 1 || slots > schemes.MaxSlots {
		return 0
	}
	return Bytes(n, cfg, slots)
}
