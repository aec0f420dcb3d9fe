package sheet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"timerlab/schemes"
	"timerlab/teach/player"
)

// drawing shows every timer of the first scheme. Schemes draw themselves too, but leave out
// what does not fit a terminal.
func drawing(s *player.State, f *player.Frame) []string {
	l := &f.Lanes[0]
	now := s.Now + f.Tick
	head := []string{
		fmt.Sprintf("scheme %d, %s: %s", l.Info.Number, l.Info.Name, l.Info.Title),
		fmt.Sprintf("now %d, timer (%s)", now, keeps(l.Info)),
	}
	switch {
	case l.Info.Kind == schemes.Tree:
		return append(head, tree(l)...)
	case l.Info.Kind.HasSlots():
		head[1] += fmt.Sprintf(", M = %d slots", s.Slots)
		return append(head, wheel(l, uint64(now)%uint64(s.Slots), 0)...)
	case l.Info.Kind.HasLevels():
		rest := uint64(now)
		for level, radix := range s.Radices() {
			head = append(head, fmt.Sprintf("wheel %d, %d slots", level, radix))
			head = append(head, wheel(l, rest%uint64(radix), level)...)
			rest /= uint64(radix)
		}
		return head
	}
	return append(head, list(l)...)
}

// list is the timers from the front, in lines that fit a sheet.
func list(l *player.LaneFrame) (lines []string) {
	name := "front:"
	for some := range slices.Chunk(l.Places, 8) {
		lines = append(lines, name+"  "+timers(l, some))
		name = "      "
	}
	return lines
}

// keeps is what a scheme keeps for a timer.
func keeps(info *schemes.Info) string {
	switch {
	case info.Kind == schemes.List && !info.Sorted:
		return "ticks left"
	case info.Kind == schemes.HashedWheel && !info.Sorted:
		return "rounds left"
	}
	return "deadline"
}

func timer(info *schemes.Info, p *schemes.Place) string {
	if keeps(info) == "deadline" {
		return fmt.Sprintf("%d (%d)", p.ID, p.Deadline)
	}
	return fmt.Sprintf("%d (%d)", p.ID, p.Key)
}

// timers lists places in their order.
func timers(l *player.LaneFrame, places []schemes.Place) string {
	var all []string
	for i := range places {
		all = append(all, timer(l.Info, &places[i]))
	}
	return strings.Join(all, "  ")
}

// wheel is a line for each slot that has timers, and for the one at which the hand points.
func wheel(l *player.LaneFrame, hand uint64, level int) (lines []string) {
	slots := map[int][]schemes.Place{int(hand): nil}
	last := int(hand)
	for _, p := range l.Places {
		if !p.Due && p.Level == level {
			slots[p.Slot] = append(slots[p.Slot], p)
			last = max(last, p.Slot)
		}
	}
	for slot := range last + 1 {
		places, ok := slots[slot]
		name := fmt.Sprintf("slot  %d ", slot)
		if slot == int(hand) {
			name = fmt.Sprintf("slot [%d]", slot)
		}
		if ok {
			lines = append(lines, fmt.Sprintf("  %-10s %s", name, cmp.Or(timers(l, places), "-")))
		}
	}
	return lines
}

// tree is a line for each level, from the top. Two neighbours have one timer above them.
func tree(l *player.LaneFrame) (lines []string) {
	var levels [][]schemes.Place
	depth := make([]int, len(l.Places))
	for i, p := range l.Places {
		if p.Parent >= 0 {
			depth[i] = depth[p.Parent] + 1
		}
		if depth[i] == len(levels) {
			levels = append(levels, nil)
		}
		levels[depth[i]] = append(levels[depth[i]], p)
	}
	for i, level := range levels {
		lines = append(lines, fmt.Sprintf("level %d  %s", i, timers(l, level)))
	}
	return lines
}
