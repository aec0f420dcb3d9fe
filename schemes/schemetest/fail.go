package schemetest

import (
	"fmt"
	"runtime"
	"strings"
	"unicode"

	"timerlab/schemes"
)

// failure is the first difference between scheme and model.
type failure struct {
	rule   string // the rule broken
	got    string // what happened instead
	during int    // index of the operation
}

// kind is what happened without its numbers. Shrinking keeps it, lest a
// program be shrunk to another failure than the one it was written for.
func (f *failure) kind() string {
	return f.rule + strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, f.got)
}

// aborted is the panic by which a failure leaves a program, also from within
// an action: an action may panic, so it passes through Expire.
type aborted struct{}

// record keeps the first failure.
func (m *machine) record(rule, format string, args ...any) {
	if m.own {
		rule = m.rule
	}
	if m.failure == nil {
		m.failure = &failure{rule: rule, got: fmt.Sprintf(format, args...), during: int(m.at.Load())}
	}
}

// breaks ends the program: it breaks rule.
func (m *machine) breaks(rule, format string, args ...any) {
	m.record(rule, format, args...)
	panic(aborted{})
}

// fail ends the program: it breaks the rule that wrote it.
func (m *machine) fail(format string, args ...any) { m.breaks(m.rule, format, args...) }

// panicText is a panic's value and, called while it unwinds, the place nearest
// to it outside the runtime and this package.
func panicText(value any) string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") && !strings.Contains(f.Function, "schemetest.(*") {
			name := f.File[strings.LastIndexByte(f.File, '/')+1:]
			return fmt.Sprintf("panic: %v (%s:%d)", value, name, f.Line)
		}
		if !more {
			return fmt.Sprintf("panic: %v", value)
		}
	}
}

// trail tells a program while it runs: one line for each operation and its
// result, those of actions in braces.
type trail struct {
	lines []string
	line  strings.Builder // of the Expire being done
	depth int             // 1 in an Expire, 2 in an action
	comma bool
}

// maxLine bounds a line of the trail, in bytes.
const maxLine = 400

// told tells whether the program is being told; formatting costs too much for
// the many programs that pass.
func (m *machine) told() bool { return m.trail != nil }

// say adds one operation and its result.
func (m *machine) say(format string, args ...any) {
	t := m.trail
	if t == nil {
		return
	}
	text := fmt.Sprintf(format, args...)
	if t.depth == 0 {
		t.lines = append(t.lines, text)
		return
	}
	if t.line.Len() > maxLine {
		return
	}
	if t.comma {
		t.line.WriteString(", ")
	}
	t.line.WriteString(text)
	t.comma = true
}

// begin opens the line of an Expire, end closes it.
func (t *trail) begin(text string) {
	if t != nil {
		t.line.Reset()
		t.line.WriteString(text)
		t.depth, t.comma = 1, false
	}
}

func (t *trail) end() {
	if t == nil {
		return
	}
	text := t.line.String()
	switch {
	case !t.comma:
		text += "nothing"
	case len(text) > maxLine:
		text += " …"
	}
	t.lines = append(t.lines, text)
	t.depth = 0
}

// open starts the operations of an action, close ends them.
func (t *trail) open() {
	if t != nil {
		t.line.WriteString(" {")
		t.depth, t.comma = 2, false
	}
}

func (t *trail) close() {
	if t != nil {
		t.line.WriteByte('}')
		t.depth, t.comma = 1, true
	}
}

// outcome is the result of a start in a trail.
func outcome(l label, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprintf("h%d", l)
}

// ticked is the result of n PerTicks in a trail.
func ticked(n schemes.Tick, sum, last int) string {
	switch {
	case n == 1:
		return fmt.Sprint(last)
	case sum == last:
		return fmt.Sprintf("%d, all in the last", sum)
	}
	return fmt.Sprintf("%d together, %d of them in the last", sum, last)
}

// flush keeps the line of an Expire that did not return.
func (t *trail) flush() {
	if t.depth > 0 {
		t.end()
	}
}
