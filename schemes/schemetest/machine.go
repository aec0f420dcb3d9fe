package schemetest

import (
	"cmp"
	"errors"
	"fmt"
	"sync/atomic"

	"timerlab/schemes"
)

// machine does a program on a scheme and on the model, operation by operation,
// and stops at the first difference.
type machine struct {
	optional
	program program
	rule    string // the rule that wrote the program: its differences break it
	own     bool   // every difference breaks rule, whatever it is
	oracles *oracles
	mute    bool // do not look at what the scheme says about itself

	number int  // Info.Number
	base   bool // no variant
	slots  int  // M
	scheme schemes.Scheme
	model  *model
	at     atomic.Int32 // index of the operation being done; read by a watchdog
	order  []schemes.ID // handed out so far

	counts  schemes.Counts // at the last look
	passing bool           // in a run of PerTicks
	unseen  int            // see checkNow
	looks   int
	fires   int    // Expires so far
	current *timer // whose action is running
	thrown  any    // the panic on its way from an action through Expire
	throws  int    // panics of actions so far
	trail   *trail // nil unless the program is being told
	failure *failure
	doubted *failure // see doubt
}

// execute does the program and returns its first failure, or nil.
func (m *machine) execute(info *schemes.Info) (f *failure) {
	defer func() {
		r := recover()
		if r != nil && m.failure == nil {
			m.record(rulePanic, "%s", panicText(r))
		}
		f = cmp.Or(m.failure, m.doubted)
	}()
	m.open(info)
	for i := range m.program.ops {
		m.at.Store(int32(i))
		m.do(&m.program.ops[i])
	}
	m.finish()
	return nil
}

// open makes the scheme and the model.
func (m *machine) open(info *schemes.Info) {
	cfg := m.program.cfg
	s, err := info.New(cfg)
	if err != nil || s == nil {
		m.fail("New failed: %v", err)
	}
	m.scheme, m.optional = s, optionalOf(s)
	m.number, m.base, m.slots = info.Number, info.IsBase(), slotsOf(info, cfg)
	m.model = newModel(cfg.Now, info.Range(cfg))
	m.model.oracle, m.model.reach = m.oracles.about(cfg, s), m.program.reach()
	m.look()
}

// finish stops what is left, so that a timer lost long before its expiry is
// missed too.
func (m *machine) finish() {
	m.at.Store(int32(len(m.program.ops)))
	for l := label(1); int(l) <= len(m.model.timers) && m.model.len() <= 256; l++ {
		if t := m.model.timers[l]; t != nil && t.state <= due {
			m.do(&op{verb: stop, target: target{label: l}})
		}
	}
}

// do does one operation and looks at the scheme.
func (m *machine) do(o *op) {
	switch o.verb {
	case start:
		m.start(o)
	case stop:
		m.stop(o)
	case restart:
		m.restart(o)
	case perTick:
		m.perTick(o)
	case advance:
		m.advance(o)
	case next:
		m.next()
	case expire:
		m.expire()
	case boom:
		m.throws++
		m.thrown = fmt.Errorf("panic %d of an action", m.throws)
		m.say("panic")
		panic(m.thrown)
	}
	m.look()
}

func (m *machine) start(o *op) {
	want := m.model.accepts(o.ticks)
	h, err := m.scheme.Start(o.ticks, o.id)
	if m.told() {
		m.say("%v -> %s", o, outcome(o.label, err))
	}
	if m.judge("Start", o.ticks, want, err) {
		m.fresh(h)
		m.model.start(o.label, o.id, o.ticks, h, o.action)
	}
}

// judge compares the error of a start with what the model wants and tells
// whether there is a timer now.
func (m *machine) judge(what string, interval schemes.Tick, want bool, err error) bool {
	switch {
	case want && err != nil:
		m.breaks(m.intervalRule(interval), what+" refused interval %d at tick %d (longest %d): %v", interval, m.model.now, m.model.longest, err)
	case !want && err == nil:
		m.breaks(m.intervalRule(interval), what+" accepted interval %d at tick %d (longest %d, the clock ends at 2^64-1)", interval, m.model.now, m.model.longest)
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

// fresh demands a handle that is not zero and was never returned before.
func (m *machine) fresh(h schemes.Handle) {
	if h == 0 {
		m.breaks(ruleHandle, "the handle returned is zero")
	}
	if t := m.model.handles[h]; t != nil {
		m.breaks(ruleHandle, "the handle returned was already that of %v, which was %v", t, t.state)
	}
}

func (m *machine) stop(o *op) {
	h := m.handle(o.target)
	t, want := m.model.outstanding(h)
	id, known := m.identify(h)
	got := m.scheme.Stop(h)
	if m.told() {
		m.say("%v = %t", o, got)
	}
	switch {
	case got == want:
		if m.judgeID(t, want, id, known); want {
			m.model.stop(t)
		}
	case want && t.state == due && m.throws > 0:
		m.breaks(rulePanicking, "Stop returned false for %v, which was still due after an action panicked", t)
	case want && t.state == due:
		m.breaks(ruleStopDue, "Stop returned false for %v, which was due but not yet handed out", t)
	case want:
		m.fail("Stop returned false for %v, which is due at tick %d; the clock is at %d", t, t.deadline, m.model.now)
	case t != nil && t == m.current:
		m.breaks(ruleForgets, "Stop returned true for %v in its own action", t)
	case t != nil:
		m.breaks(ruleStale, "Stop returned true for %v, which was %v", t, t.state)
	default:
		m.breaks(ruleForeign, "Stop returned true for a handle that no Start returned")
	}
}

// identify asks for the ID of a handle.
func (m *machine) identify(h schemes.Handle) (id schemes.ID, known bool) {
	if m.namer == nil {
		return 0, false
	}
	return m.namer.ID(h)
}

// judgeID demands the ID of an outstanding timer, and none for any other handle.
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

func (m *machine) handle(t target) schemes.Handle {
	if of := m.model.timers[t.label]; of != nil {
		return t.handle(of.handle)
	}
	return t.handle(0)
}

func (m *machine) restart(o *op) {
	if m.restarter == nil {
		return
	}
	h := m.handle(o.target)
	t, ok := m.model.outstanding(h)
	id, known := m.identify(h)
	fresh, err := m.restarter.Restart(h, o.ticks)
	if m.told() {
		m.say("%v -> %s", o, outcome(o.label, err))
	}
	if !ok {
		m.judgeStale(o.ticks, err)
	}
	if m.judgeID(t, ok, id, known); !ok {
		return
	}
	if m.judge("Restart", o.ticks, m.model.accepts(o.ticks), err) {
		m.fresh(fresh)
		m.model.stop(t)
		m.model.start(o.label, t.id, o.ticks, fresh, t.action)
	}
}

// judgeStale demands that Restart refuses a handle that names no timer; with a
// bad interval on top of it, either may be what the error names.
func (m *machine) judgeStale(interval schemes.Tick, err error) {
	switch {
	case err == nil:
		m.breaks(ruleRestart, "Restart accepted a handle that names no outstanding timer")
	case m.model.accepts(interval) && !errors.Is(err, schemes.ErrHandle):
		m.breaks(ruleRestart, "Restart refused a stale handle with an error that does not wrap ErrHandle: %v", err)
	}
}
