package schemetest

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"timerlab/schemes"
)

// machine executes a program on a scheme and on the model, operation by operation,
// and stops at the first difference.
type machine struct {
	suite   *suite
	program program
	twin    *machine     // runs in turns with this one, or nil
	mute    bool         // do not look at what the scheme says about itself
	at      atomic.Int32 // index of the operation being executed; read by a watchdog

	scheme schemes.Scheme
	model  *model
	order  []schemes.ID // handed out so far

	counts  schemes.Counts // at the last look
	passing bool           // in a run of PerTicks
	unseen  int            // see checkNow
	looks   int
	expires int    // Expires so far
	current *timer // whose action is running
	doing   *op    // what is being executed, before its result is said
	thrown  any    // the panic on its way from an action through Expire
	throws  int    // panics of actions so far
	trail   *trail // nil unless the program is to be reported
	failure *Violation
	doubted *Violation // see doubt
}

// execute runs the program, in turns with its twin, and returns the first
// violation, or nil.
func (m *machine) execute() (v *Violation) {
	all := []*machine{m}
	if m.twin != nil {
		all = append(all, m.twin)
	}
	defer func() {
		r := recover()
		for _, m := range all {
			v = cmp.Or(v, m.failure)
		}
		if r != nil && v == nil {
			m.record("panic", "%s", panicText(r))
			m.sayPanicked()
		}
		v = cmp.Or(v, m.failure, m.doubted)
	}()
	n := 0
	for _, m := range all {
		m.open()
		n = max(n, len(m.program.ops))
	}
	for i := range n {
		for _, m := range all {
			m.do(i)
		}
	}
	for _, m := range all {
		m.finish()
	}
	return nil
}

// open makes the scheme and the model.
func (m *machine) open() {
	p := &m.program
	s, err := p.info.New(p.cfg)
	if err != nil || s == nil {
		m.fail("New failed: %v", err)
	}
	m.scheme, m.model = s, newModel(p.cfg.Now, p.longest())
	m.model.oracle, m.model.last = m.suite.oracles.about(p.setting, s), p.lastTick()
	m.look()
}

// do executes the operation at index i, if there is one.
func (m *machine) do(i int) {
	if i < len(m.program.ops) {
		m.at.Store(int32(i))
		m.perform(&m.program.ops[i])
	}
}

// finish stops all outstanding timers, so that one lost before its deadline is
// detected.
func (m *machine) finish() {
	m.at.Store(int32(len(m.program.ops)))
	for l := label(1); int(l) <= len(m.model.timers) && len(m.model.pending) <= 256; l++ {
		if t := m.model.timers[l]; t != nil && t.state <= due {
			m.perform(&op{verb: opStop, target: target{label: l}})
		}
	}
}

// perform executes one operation and looks at the scheme.
func (m *machine) perform(o *op) {
	m.doing = o
	[...]func(*machine, *op){
		opStart: (*machine).start, opStop: (*machine).stop, opRestart: (*machine).restart,
		opPerTick: (*machine).perTick, opAdvance: (*machine).advance, opExpire: (*machine).expire,
		opPanic: (*machine).panic,
	}[o.verb](m, o)
	m.doing = nil
	m.suite.steps.Add(1)
	m.look()
}

// sayPanicked says the operation that panicked. Expire has said itself.
func (m *machine) sayPanicked() {
	if m.doing != nil && m.doing.verb != opExpire {
		m.trail.say("%v -> panic", m.doing)
	}
}

// record keeps the first violation.
func (m *machine) record(rule, format string, args ...any) {
	if m.suite.strict {
		rule = m.suite.rule.Name
	}
	if m.failure == nil {
		m.failure = m.suite.violation(rule, fmt.Sprintf(format, args...), nil)
	}
}

// breaks ends the program: it breaks rule. The panic passes through Expire if an
// action is running, as an action may panic.
func (m *machine) breaks(rule, format string, args ...any) {
	m.record(rule, format, args...)
	panic(m.failure)
}

// fail ends the program: it breaks the rule that wrote it.
func (m *machine) fail(format string, args ...any) { m.breaks(m.suite.rule.Name, format, args...) }

// panicText is a panic's value and, called while it unwinds, the place nearest to
// it outside the runtime and this package.
func panicText(value any) string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		own := strings.HasPrefix(f.Function, "runtime.") || strings.Contains(f.Function, "schemetest.(*")
		if f.Function != "" && !own {
			return fmt.Sprintf("panic: %v (%s:%d)", value, filepath.Base(f.File), f.Line)
		}
		if !more {
			return fmt.Sprintf("panic: %v", value)
		}
	}
}
