package tree

import (
	"fmt"

	"timerlab/schemes/internal/store"
)

const (
	drawnLevels = 5  // levels of the tree that String shows at most
	drawnWidth  = 16 // timers of a level that it shows at most, with the gaps
)

// String draws the tree, a level a line. Where a timer of a binary tree may have
// one on either side and lacks one, the next line shows "-".
func (t *tree) String() string {
	d := t.Draw(t.Len(), "deadline", store.DrawKey)
	shown := 0
	level := []uint32{t.queue.top()}
	for depth := 0; depth < drawnLevels; depth++ {
		line, timers := t.drawLevel(level)
		if timers == 0 {
			break
		}
		d.Line(fmt.Sprintf("level %d:%s", depth, line))
		shown += timers
		level = t.nextLevel(level)
	}
	if more := t.waiting() - shown; more > 0 {
		d.Line(fmt.Sprintf("… and %d more", more))
	}
	return t.Drawn(d)
}

// drawLevel returns the timers of a level as text, and their number.
func (t *tree) drawLevel(level []uint32) (line string, timers int) {
	for _, record := range level {
		if record == store.Due {
			line += " -"
			continue
		}
		line += " " + t.DrawTimer(record)
		timers++
	}
	return line, timers
}

// nextLevel returns the records below those of a level, as many as are shown.
func (t *tree) nextLevel(level []uint32) (next []uint32) {
	for _, record := range level {
		if record != store.Due {
			next = t.queue.below(next, record)
		}
	}
	return next[:min(len(next), drawnWidth)]
}

// waiting returns the number of timers in the tree. O(timers due).
func (t *tree) waiting() int {
	n := t.Len()
	for i := t.At(store.Due).Next; i != store.Due; i = t.At(i).Next {
		n--
	}
	return n
}
