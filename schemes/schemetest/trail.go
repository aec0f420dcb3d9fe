package schemetest

import "fmt"

// trail is the text of a program, written while it runs: one line for each
// operation and its result, those of actions in braces. A nil trail writes nothing.
type trail struct {
	lines []string
	depth int    // 0 for the program's own operations
	mark  string // before the next operation within one
}

// maxLine bounds a line of the trail, in bytes.
const maxLine = 400

// say adds one operation and its result.
func (t *trail) say(format string, args ...any) {
	if t == nil {
		return
	}
	text := fmt.Sprintf(format, args...)
	if t.depth == 0 {
		t.lines = append(t.lines, text)
		return
	}
	t.lines[len(t.lines)-1] += t.mark + text
	t.mark = ", "
}

// open begins the operations within the one said last, and returns what ends them.
func (t *trail) open(left, right string) func() {
	if t == nil {
		return func() {}
	}
	t.depth++
	t.mark = left
	return func() {
		last := &t.lines[len(t.lines)-1]
		if t.mark != ", " {
			*last += t.mark + "nothing"
		}
		*last += right
		t.depth--
		t.mark = ", "
		if t.depth == 0 && len(*last) > maxLine {
			*last = (*last)[:maxLine] + " …"
		}
	}
}
