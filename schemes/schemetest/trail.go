package schemetest

import (
	"cmp"
	"fmt"
	"strings"
)

// trail is the text of a program, written while it runs: one line for each
// operation and its result, those of actions in braces. A nil trail writes nothing.
type trail struct {
	texts [3][]string // of the program, of the Expire being executed, of an action
	depth int
}

// maxLine bounds a line of the trail, in bytes.
const maxLine = 400

func newTrail(c setting) *trail {
	t := &trail{}
	t.say("%v", c)
	return t
}

// say adds one operation and its result.
func (t *trail) say(format string, args ...any) {
	if t != nil {
		t.texts[t.depth] = append(t.texts[t.depth], fmt.Sprintf(format, args...))
	}
}

// started says what a start or restart returned.
func (t *trail) started(o *op, err error) {
	if err != nil {
		t.say("%v -> error: %v", o, err)
		return
	}
	t.say("%v -> h%d", o, o.label)
}

// ticked says what PerTicks returned together, and the last of them.
func (t *trail) ticked(o *op, sum, last int) {
	if o.ticks == 1 {
		t.say("%v = %d", o, last)
		return
	}
	t.say("%v = %d together, %d of them in the last", o, sum, last)
}

// open begins the operations within the one said last.
func (t *trail) open() {
	if t != nil {
		t.depth++
		t.texts[t.depth] = nil
	}
}

// close appends them to it, between two marks.
func (t *trail) close(left, right string) {
	if t == nil {
		return
	}
	inner := cmp.Or(strings.Join(t.texts[t.depth], ", "), "nothing")
	t.depth--
	last := &t.texts[t.depth][len(t.texts[t.depth])-1]
	if *last += left + inner + right; len(*last) > maxLine {
		*last = (*last)[:maxLine] + " …"
	}
}
