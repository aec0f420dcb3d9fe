package schemetest

import (
	"cmp"
	"errors"
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
	mute    bool         // do not look at what the scheme says about itself
	at      atomic.Int32 // index of the operation being executed; read by a watchdog

	scheme  schemes.Scheme
	outside Outside // the scheme, if it is in another program
	model   *model
	order   []schemes.ID // handed out so far

	counts  schemes.Counts // at the last look
	passing bool           // in a run of PerTicks
	unseen  int            // timers and slots that the next Check may look at
	looks   int
	expires int      // Expires so far
	current *timer   // whose action is running
	doing   *op      // what is being executed, before its result is said
	thrown  any      // the panic on its way from an action through Expire
	throws  int      // panics of actions so far
	lines   []string // if the suite reports, or from outside: the operations with their results
	failure *Violation
	noted   *Violation // see note
	unsure  bool       // the number of due timers was wrong
}

// execute runs the program; failure is the first violation, or nil. At the end it stops all
// outstanding timers, so that one lost before its deadline is detected.
func (m *machine) execute() {
	defer func() {
		if r := recover(); r != nil && m.failure == nil {
			rule, text := panicked(r)
			m.record(rule, "%s", text)
			if m.doing != nil && m.doing.verb != opExpire { // Expire has said itself
				m.say("%v -> panic", m.doing)
			}
		}
		if m.failure == nil && m.noted != nil {
			m.failure, m.noted.Aside = m.noted, m.noted.Rule != m.suite.rule.Name
		}
	}()
	p := &m.program
	s, err := p.info.New(p.cfg)
	if err != nil || s == nil {
		m.fail("New failed: %v", err)
	}
	last := p.cfg.Now
	for i := range p.ops {
		if o := &p.ops[i]; o.verb == opPerTick || o.verb == opAdvance {
			last += min(o.ticks, endOfClock-last)
		}
	}
	m.outside, _ = s.(Outside)
	m.scheme, m.model = s, &model{suite: m.suite, setting: p.setting, now: p.cfg.Now, last: last,
		bound: m.suite.boundOf(p.setting, s), timers: map[label]*timer{}, handles: map[schemes.Handle]*timer{}}
	m.look()
	for i := range p.ops {
		if m.suite.outside.late() {
			return
		}
		m.at.Store(int32(i))
		m.perform(&p.ops[i])
	}
	m.at.Store(int32(len(p.ops)))
	for l := label(1); int(l) <= len(m.model.timers) && len(m.model.pending) <= 256; l++ {
		if t := m.model.timers[l]; t != nil && t.state <= due {
			m.perform(&op{verb: opStop, target: target{label: l}})
		}
	}
}

func (m *machine) perform(o *op) {
	m.doing = o
	switch o.verb {
	case opStart:
		h, err := m.scheme.Start(o.ticks, o.id)
		if m.judge("Start", o, err) {
			m.adopt(o, h, o.id, o.action)
		}
	case opStop:
		m.stop(o)
	case opRestart:
		m.restart(o)
	case opPerTick:
		m.perTick(o)
	case opAdvance:
		m.advance(o)
	case opExpire:
		m.expire()
	case opPanic:
		m.throws++
		m.thrown = fmt.Errorf("panic %d of an action", m.throws)
		m.say("panic")
		panic(m.thrown)
	}
	m.doing = nil
	m.suite.steps.Add(1)
	m.look()
}

// judge says what a start or restart returned, compares the error with what the model expects and
// reports whether there is a timer now.
func (m *machine) judge(what string, o *op, err error) bool {
	did, breaks, interval, accepts := "", m.breaks, o.ticks, m.model.accepts(o.ticks)
	m.sayStarted(o, err)
	switch {
	case err == nil && !accepts:
		did = "accepted"
	case err != nil && accepts:
		did = "refused"
	case err != nil && !errors.Is(err, schemes.ErrInterval):
		did, breaks = "did not wrap ErrInterval when it refused", m.note
	}
	if did == "" {
		return err == nil
	}
	rule := m.suite.rule.Name
	switch left := endOfClock - m.model.now; {
	case interval == 0:
		rule = "interval-zero"
	case m.model.pastEnd:
		rule = "clock-stops"
	case interval >= left:
		rule = "interval-clock"
	case interval >= m.model.longest():
		rule = "interval-range"
	}
	breaks(rule, "%s %s interval %d at tick %d (longest %d, the clock ends at 2^64-1): %v",
		what, did, interval, m.model.now, m.model.longest(), err)
	return false
}

func (m *machine) sayStarted(o *op, err error) {
	if err != nil {
		m.say("%v -> error: %v", o, err)
		return
	}
	m.say("%v -> h%d", o, o.label)
}

// adopt adds the timer that an operation made to the model. Its handle must not be zero and was never
// returned before.
func (m *machine) adopt(o *op, h schemes.Handle, id schemes.ID, action []op) {
	if h == 0 {
		m.breaks("handle-unique", "the handle returned is zero")
	}
	if t := m.model.handles[h]; t != nil {
		breaks := m.note
		if t.state <= due {
			breaks = m.breaks // for Stop could mean either
		}
		breaks("handle-unique", "the handle returned already named %v, which was %v", t, t.state)
	}
	deadline := m.model.start(o.label, id, o.ticks, h, action)
	if m.outside != nil && len(action) > 0 {
		var operations []string
		for i := range action {
			operations = append(operations, action[i].outside())
		}
		m.outside.Action(id, operations)
	}
	if _, ok := m.scheme.(schemes.Bounder); ok {
		m.requireBound(o.ticks, deadline)
	}
}

func (m *machine) stop(o *op) {
	h := m.handle(o.target)
	t, wanted := m.model.outstanding(h)
	got := m.scheme.Stop(h)
	m.say("%v = %t", o, got)
	switch {
	case got == wanted:
	case wanted && t.state == due && m.throws > 0:
		m.breaks("expire-panic", "Stop returned false for %v, which was still due after an action panicked", t)
	case wanted && t.state == due:
		m.note("stop-due", "Stop returned false for %v, which was due but not yet handed out", t)
	case wanted:
		m.fail("Stop returned false for %v, which is due at tick %d; the clock is at %d", t, t.deadline, m.model.now)
	case t != nil && t == m.current:
		m.breaks("expire-forgets", "Stop returned true for %v in its own action", t)
	case t != nil:
		m.breaks("stop-stale", "Stop returned true for %v, which was %v", t, t.state)
	default:
		m.breaks("stop-foreign", "Stop returned true for a handle that no Start returned")
	}
	if got {
		m.model.stop(t)
	}
}

// handle is the one that t means; a timer that was refused has none.
func (m *machine) handle(t target) schemes.Handle {
	if of := m.model.timers[t.label]; of != nil {
		return of.handle ^ t.bits
	}
	return t.bits
}

func (m *machine) restart(o *op) {
	restarter, ok := m.scheme.(schemes.Restarter)
	if !ok {
		return
	}
	h := m.handle(o.target)
	t, ok := m.model.outstanding(h)
	id := schemes.ID(0)
	var fresh schemes.Handle
	var err error
	if m.outside != nil {
		id = schemes.ID(o.label)
		fresh, err = m.outside.RestartAs(h, o.ticks, id)
	} else if fresh, err = restarter.Restart(h, o.ticks); t != nil {
		id = t.id
	}
	if !ok {
		m.sayStarted(o, err)
		if err == nil {
			m.breaks("restart", "Restart accepted a handle that names no outstanding timer")
		}
		if m.model.accepts(o.ticks) && !errors.Is(err, schemes.ErrHandle) { // else either error will do
			m.breaks("restart", "Restart refused a stale handle with an error that does not wrap ErrHandle: %v", err)
		}
		return
	}
	if m.judge("Restart", o, err) {
		m.model.stop(t)
		m.adopt(o, fresh, id, t.action)
	}
}

func (m *machine) perTick(o *op) {
	if s := m.suite.outside; s != nil && !s.promises("pertick") {
		m.passOutside(o.ticks)
		return
	}
	sum, last, due := 0, 0, 0
	for i := schemes.Tick(0); i < o.ticks; i++ {
		if i > 0 {
			m.passing = true
			m.look()
			m.passing = false
		}
		last, due = m.scheme.PerTick(), m.model.tick()
		sum += last
		m.suite.steps.Add(1)
		switch {
		case last == due && i+1 < o.ticks:
			continue
		case o.ticks == 1:
			m.say("%v = %d", o, last)
		default:
			m.say("%v = %d together, %d of them in the last", o, sum, last)
		}
		m.requireMoved("PerTick", last, due)
	}
}

// requireMoved finds out by Expire what a wrong number of due timers means: wrong
// timers, or only a wrong number.
func (m *machine) requireMoved(what string, got, due int) {
	if got != due {
		m.unsure = true
		m.expire()
		m.note("pertick-number", "%s at tick %d returned %d, but %d timers became due then",
			what, m.model.now, got, due)
	}
}

func (m *machine) advance(o *op) {
	advancer, ok := m.scheme.(schemes.Advancer)
	if !ok {
		return
	}
	passed, moved := advancer.Advance(o.ticks)
	m.say("%v = %d ticks passed, %d due", o, passed, moved)
	wantPassed, due := m.model.advance(o.ticks)
	if passed != wantPassed {
		m.fail("Advance(%d) passed %d ticks instead of %d", o.ticks, passed, wantPassed)
	}
	m.requireMoved("Advance", moved, due)
}

func (m *machine) expire() {
	m.say("Expire() -> nothing")
	m.expires++
	m.model.expire, m.thrown = m.expires, nil
	before := m.model.expired
	thrown := m.handOut()
	m.model.expire, m.current = 0, nil
	switch {
	case m.failure != nil: // and the scheme swallowed the panic that reports it
		panic(m.failure)
	case thrown == nil && m.thrown != nil:
		m.breaks("expire-panic", "Expire returned although the action panicked")
	case thrown != nil && thrown != m.thrown:
		m.breaks("expire-panic", "the action panicked with %v, but Expire with %v", m.thrown, thrown)
	case thrown != nil:
		return
	}
	if p := m.model.pending; len(p) > 0 && p[0].state == due {
		breaks, rule := m.breaks, m.suite.rule.Name
		if m.model.expired > before && !m.unsure {
			breaks, rule = m.note, "expire" // at least it handed out some of the right ones
		}
		breaks(rule, "Expire returned and never handed out %v, due at tick %d", p[0], p[0].deadline)
	}
}

// handOut calls Expire and returns the panic of an action that came out of it.
// Panics of the scheme's own pass on.
func (m *machine) handOut() (thrown any) {
	defer func() {
		if m.failure != nil || m.thrown != nil {
			thrown = recover()
		}
	}()
	m.scheme.Expire(m.action)
	return nil
}

// action is the action of every timer: it checks that this one may be handed
// out now and does what its program says.
func (m *machine) action(id schemes.ID) {
	if m.failure != nil {
		panic(m.failure)
	}
	m.say(", id %d", id)
	t, first := m.model.hand(id)
	switch {
	case t == nil:
		rule, text := m.model.blame(id)
		m.breaks(cmp.Or(rule, m.suite.rule.Name), "Expire handed out %s", text)
	case t.deadline > first.deadline:
		m.note("expire", "Expire handed out %v of tick %d before %v of tick %d", t, t.deadline, first, first.deadline)
	}
	m.current = t
	m.order = append(m.order, id)
	m.look()
	if len(t.action) == 0 {
		return
	}
	m.say(" {")
	defer m.say("}")
	for i := range t.action {
		m.perform(&t.action[i])
	}
}

// say adds an operation and its result to the report, if there is one: a line, or a part of the line of the
// Expire that runs it.
func (m *machine) say(format string, args ...any) {
	if !m.suite.reports {
		return
	}
	text := fmt.Sprintf(format, args...)
	if m.model.expire == 0 {
		m.lines = append(m.lines, text)
		return
	}
	last := &m.lines[len(m.lines)-1]
	if !strings.ContainsAny(text[:1], ",{} ") && !strings.HasSuffix(*last, "{") {
		text = ", " + text
	}
	*last = strings.Replace(*last+text, "nothing, ", "", 1)
}

// note records a result that is wrong by itself, after which scheme and model still agree: the program goes on, and
// if nothing else comes of it, this is the failure. The rule being checked goes before others.
func (m *machine) note(rule, format string, args ...any) {
	if m.noted == nil || m.noted.Rule != m.suite.rule.Name && rule == m.suite.rule.Name {
		m.noted = m.suite.violation(rule, fmt.Sprintf(format, args...), nil)
	}
}

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

func (m *machine) fail(format string, args ...any) { m.breaks(m.suite.rule.Name, format, args...) }

// panicked returns the rule that a panic breaks, and what happened: the panic's value and, called while it unwinds,
// the place nearest to it outside the runtime and this package.
func panicked(value any) (rule, text string) {
	if b, ok := value.(interface{ Breaks() (rule, text string) }); ok {
		return b.Breaks()
	}
	text = fmt.Sprintf("panic: %v", value)
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		own := strings.HasPrefix(f.Function, "runtime.") || strings.Contains(f.Function, "schemetest.(*")
		if f.Function != "" && !own {
			return "panic", fmt.Sprintf("%s (%s:%d)", text, filepath.Base(f.File), f.Line)
		}
		if !more {
			return "panic", text
		}
	}
}
