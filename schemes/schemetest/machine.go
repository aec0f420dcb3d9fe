package schemetest

import (
	"cmp"
	"errors"
	"sync/atomic"

	"timerlab/schemes"
)

// machine executes a program on a scheme and on the model, operation by operation,
// and stops at the first difference.
type machine struct {
	optional
	program program
	rule    string   // the rule that wrote the program: its differences break it
	strict  bool     // every difference breaks rule, whatever it is
	beside  *machine // runs in turns with this one, or nil
	oracles *oracles
	mute    bool           // do not look at what the scheme says about itself
	steps   *atomic.Uint64 // operations that returned; nil if nobody watches
	at      atomic.Int32   // index of the operation being executed; read by a watchdog

	scheme schemes.Scheme
	slots  int // M
	model  *model
	order  []schemes.ID // handed out so far

	counts  schemes.Counts // at the last look
	passing bool           // in a run of PerTicks
	unseen  int            // see checkNow
	looks   int
	expires int    // Expires so far
	current *timer // whose action is running
	thrown  any    // the panic on its way from an action through Expire
	throws  int    // panics of actions so far
	trail   *trail // nil unless the program is to be reported
	failure *failure
	doubted *failure // see doubt
}

// execute runs the program, in turns with the one beside it, and returns the first
// failure, or nil.
func (m *machine) execute() (f *failure) {
	all := []*machine{m}
	if m.beside != nil {
		all = append(all, m.beside)
	}
	defer func() {
		r := recover()
		for _, m := range all {
			f = cmp.Or(f, m.failure)
		}
		if r != nil && f == nil {
			m.record(rulePanic, "%s", panicText(r))
		}
		f = cmp.Or(f, m.failure, m.doubted)
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
	m.scheme, m.optional, m.slots = s, optionalOf(s), p.slots()
	m.model = newModel(p.cfg.Now, p.longest())
	m.model.oracle, m.model.reach = m.oracles.about(p.setting, s), p.reach()
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
	for l := label(1); int(l) <= len(m.model.timers) && m.model.len() <= 256; l++ {
		if t := m.model.timers[l]; t != nil && t.state <= due {
			m.perform(&op{verb: opStop, target: target{label: l}})
		}
	}
}

// perform executes one operation and looks at the scheme.
func (m *machine) perform(o *op) {
	switch o.verb {
	case opStart:
		m.start(o)
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
		m.panic()
	}
	m.stepped()
	m.look()
}

// stepped says that an operation has returned.
func (m *machine) stepped() {
	if m.steps != nil {
		m.steps.Add(1)
	}
}

func (m *machine) start(o *op) {
	h, err := m.scheme.Start(o.ticks, o.id)
	m.trail.started(o, err)
	if m.judge("Start", o.ticks, err) {
		m.adopt(h)
		m.model.start(o.label, o.id, o.ticks, h, o.action)
	}
}

// judge compares the error of a start with what the model expects and reports
// whether there is a timer now.
func (m *machine) judge(what string, interval schemes.Tick, err error) bool {
	wanted, now, longest := m.model.accepts(interval), m.model.now, m.model.longest
	switch {
	case wanted && err != nil:
		m.breaks(m.intervalRule(interval), what+" refused interval %d at tick %d (longest %d): %v", interval, now, longest, err)
	case !wanted && err == nil:
		m.breaks(m.intervalRule(interval), what+" accepted interval %d at tick %d (longest %d, the clock ends at 2^64-1)",
			interval, now, longest)
	case err != nil && !errors.Is(err, schemes.ErrInterval):
		m.breaks(m.intervalRule(interval), what+" refused interval %d with an error that does not wrap ErrInterval: %v", interval, err)
	}
	return err == nil
}

// intervalRule is the rule about interval that its refusal or acceptance breaks.
func (m *machine) intervalRule(interval schemes.Tick) string {
	switch left := endOfClock - m.model.now; {
	case interval == 0:
		return ruleZero
	case m.model.pastEnd:
		return ruleStops
	case interval >= left:
		return ruleClock
	case interval >= m.model.longest:
		return ruleRange
	}
	return m.rule
}

// adopt requires a handle that is not zero and was never returned before.
func (m *machine) adopt(h schemes.Handle) {
	if h == 0 {
		m.breaks(ruleHandle, "the handle returned is zero")
	}
	if t := m.model.handles[h]; t != nil {
		m.breaks(ruleHandle, "the handle returned was already that of %v, which was %v", t, t.state)
	}
}

func (m *machine) stop(o *op) {
	h := m.handle(o.target)
	t, wanted := m.model.outstanding(h)
	id, known := m.identify(h)
	got := m.scheme.Stop(h)
	m.trail.say("%v = %t", o, got)
	switch {
	case got == wanted:
		m.judgeID(t, wanted, id, known)
	case wanted && t.state == due && m.throws > 0:
		m.breaks(rulePanicking, "Stop returned false for %v, which was still due after an action panicked", t)
	case wanted && t.state == due:
		m.breaks(ruleStopDue, "Stop returned false for %v, which was due but not yet handed out", t)
	case wanted:
		m.fail("Stop returned false for %v, which is due at tick %d; the clock is at %d", t, t.deadline, m.model.now)
	case t != nil && t == m.current:
		m.breaks(ruleForgets, "Stop returned true for %v in its own action", t)
	case t != nil:
		m.breaks(ruleStale, "Stop returned true for %v, which was %v", t, t.state)
	default:
		m.breaks(ruleForeign, "Stop returned true for a handle that no Start returned")
	}
	if got {
		m.model.stop(t)
	}
}

// identify asks for the ID of a handle.
func (m *machine) identify(h schemes.Handle) (id schemes.ID, known bool) {
	if m.namer == nil {
		return 0, false
	}
	return m.namer.ID(h)
}

// judgeID requires the ID of an outstanding timer, and none for any other handle.
func (m *machine) judgeID(t *timer, outstanding bool, id schemes.ID, known bool) {
	switch {
	case m.namer == nil:
	case known && !outstanding:
		m.breaks(ruleID, "ID returned %d for a handle that Stop refuses", id)
	case outstanding && !known:
		m.breaks(ruleID, "ID returned false for %v, which is outstanding", t)
	case known && id != t.id:
		m.breaks(ruleID, "ID of %v returned %d", t, id)
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
	if m.restarter == nil {
		return
	}
	h := m.handle(o.target)
	t, ok := m.model.outstanding(h)
	id, known := m.identify(h)
	fresh, err := m.restarter.Restart(h, o.ticks)
	m.trail.started(o, err)
	switch {
	case ok:
	case err == nil:
		m.breaks(ruleRestart, "Restart accepted a handle that names no outstanding timer")
	case m.model.accepts(o.ticks) && !errors.Is(err, schemes.ErrHandle): // else either error will do
		m.breaks(ruleRestart, "Restart refused a stale handle with an error that does not wrap ErrHandle: %v", err)
	}
	m.judgeID(t, ok, id, known)
	if ok && m.judge("Restart", o.ticks, err) {
		m.adopt(fresh)
		m.model.stop(t)
		m.model.start(o.label, t.id, o.ticks, fresh, t.action)
	}
}
