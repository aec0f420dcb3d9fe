package schemetest

import (
	"fmt"
	"runtime"
	"strings"
	"unicode"
)

// failure is the first difference between scheme and model.
type failure struct {
	rule   string // the rule broken
	got    string // what happened instead
	during int    // index of the operation
}

// kind is what happened, without its numbers. Shrinking keeps it, lest a program
// be shrunk to another failure than the one it was written for.
func (f *failure) kind() string { return f.rule + withoutDigits(f.got) }

func withoutDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text)
}

// aborted is the panic by which a failure leaves a program, also from within an
// action: an action may panic, so it passes through Expire.
type aborted struct{}

// record keeps the first failure.
func (m *machine) record(rule, format string, args ...any) {
	if m.strict {
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

// panicText is a panic's value and, called while it unwinds, the place nearest to
// it outside the runtime and this package.
func panicText(value any) string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		own := strings.HasPrefix(f.Function, "runtime.") || strings.Contains(f.Function, "schemetest.(*")
		if f.Function != "" && !own {
			name := f.File[strings.LastIndexByte(f.File, '/')+1:]
			return fmt.Sprintf("panic: %v (%s:%d)", value, name, f.Line)
		}
		if !more {
			return fmt.Sprintf("panic: %v", value)
		}
	}
}
