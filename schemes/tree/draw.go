package tree

import (
	"fmt"
	"strings"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

const (
	drawnLevels = 5  // levels of the tree that String shows at most
	drawnWidth  = 16 // timers of a level that it shows at most, with the gaps
)

// View yields the timers level by level, from the top. O(n).
func (t *tree) View(yield func(schemes.Place) bool) {
	for p := range t.Places(func(func(store.Ring) bool) {}, nil) { // the due ones
		if !yield(p) {
			return
		}
	}
	type node struct {
		record       uint32
		parent, slot int
	}
	level := []node{{t.queue.top(), -1, 0}}
	for position := 0; len(level) > 0; {
		var next []node
		for _, n := range level {
			if n.record == store.Due { // a gap
				continue
			}
			r := t.At(n.record)
			p := schemes.Place{ID: r.ID, Deadline: schemes.Tick(r.Key), Key: r.Key,
				Slot: n.slot, Position: position, Parent: n.parent}
			if !yield(p) {
				return
			}
			for slot, record := range t.queue.below(nil, n.record) {
				next = append(next, node{record, position, slot})
			}
			position++
		}
		level = next
	}
}

// String draws the tree, a level a line. Where a timer of a binary tree may have
// one on either side and lacks one, the next line shows "-".
func (t *tree) String() string {
	var lines [][]string // of the tree's levels
	var depth []int      // of each timer, by its position
	var due []string
	more, last := 0, -1
	for p := range t.View {
		if p.Due {
			due = append(due, fmt.Sprint(p.ID))
			continue
		}
		level := 0
		if p.Parent >= 0 {
			level = depth[p.Parent] + 1
		}
		depth = append(depth, level)
		if level == len(lines) {
			lines = append(lines, nil)
		}
		if p.Slot == 1 && p.Parent != last {
			lines[level] = append(lines[level], "-")
		}
		last = p.Parent
		if level >= drawnLevels || len(lines[level]) >= drawnWidth {
			more++
			continue
		}
		lines[level] = append(lines[level], fmt.Sprintf("%d(%d)", p.ID, p.Key))
	}
	text := fmt.Sprintf("now %d, %d outstanding, id(deadline)\n", t.Now, t.Len())
	for level, timers := range lines[:min(len(lines), drawnLevels)] {
		text += fmt.Sprintf("level %d: %s\n", level, strings.Join(timers, " "))
	}
	if more > 0 {
		text += fmt.Sprintf("… and %d more\n", more)
	}
	if len(due) > 0 {
		text += "due: " + strings.Join(due, " ") + "\n"
	}
	return text
}
