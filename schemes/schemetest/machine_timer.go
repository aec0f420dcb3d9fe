package schemetest

import (
	"errors"

	"timerlab/schemes"
)

// The operations of a machine on one timer.

func (m *machine) start(o *op) {
	h, err := m.scheme.Start(o.ticks, o.id)
	m.sayStarted(o, err)
	if m.judge("Start", o.ticks, err) {
		m.adopt(h)
		m.model.start(o.label, o.id, o.ticks, h, o.action)
	}
}

// sayStarted says what a start or restart returned.
func (m *machine) sayStarted(o *op, err error) {
	if err != nil {
		m.trail.say("%v -> error: %v", o, err)
		return
	}
	m.trail.say("%v -> h%d", o, o.label)
}

// judge compares the error of a start with what the model expects and reports
// whether there is a timer now.
func (m *machine) judge(what string, interval schemes.Tick, err error) bool {
	did, accepts := "", m.model.accepts(interval)
	switch {
	case err == nil && !accepts:
		did = "accepted"
	case err != nil && accepts:
		did = "refused"
	case err != nil && !errors.Is(err, schemes.ErrInterval):
		did = "did not wrap ErrInterval when it refused"
	}
	if did != "" {
		m.breaks(m.intervalRule(interval), "%s %s interval %d at tick %d (longest %d, the clock ends at 2^64-1): %v",
			what, did, interval, m.model.now, m.model.longest, err)
	}
	return err == nil
}

// intervalRule is the rule about interval that its refusal or acceptance breaks.
func (m *machine) intervalRule(interval schemes.Tick) string {
	switch left := endOfClock - m.model.now; {
	case interval == 0:
		return "interval-zero"
	case m.model.pastEnd:
		return "clock-stops"
	case interval >= left:
		return "interval-clock"
	case interval >= m.model.longest:
		return "interval-range"
	}
	return m.suite.rule.Name
}

// adopt requires a handle that is not zero and was never returned before.
func (m *machine) adopt(h schemes.Handle) {
	if h == 0 {
		m.breaks("handle-unique", "the handle returned is zero")
	}
	if t := m.model.handles[h]; t != nil {
		m.breaks("handle-unique", "the handle returned was already that of %v, which was %v", t, t.state)
	}
}

func (m *machine) stop(o *op) {
	h := m.handle(o.target)
	t, wanted := m.model.outstanding(h)
	judgeID := m.identify(h, t, wanted)
	got := m.scheme.Stop(h)
	m.trail.say("%v = %t", o, got)
	switch {
	case got == wanted:
		judgeID()
	case wanted && t.state == due && m.throws > 0:
		m.breaks("expire-panic", "Stop returned false for %v, which was still due after an action panicked", t)
	case wanted && t.state == due:
		m.breaks("stop-due", "Stop returned false for %v, which was due but not yet handed out", t)
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

// identify asks for the ID of a handle and returns the judgement: the ID of an
// outstanding timer, and none for any other handle.
func (m *machine) identify(h schemes.Handle, t *timer, outstanding bool) (judge func()) {
	namer, ok := m.scheme.(schemes.Identifier)
	if !ok {
		return func() {}
	}
	id, known := namer.ID(h)
	return func() {
		switch {
		case known && !outstanding:
			m.breaks("id", "ID returned %d for a handle that Stop refuses", id)
		case outstanding && !known:
			m.breaks("id", "ID returned false for %v, which is outstanding", t)
		case known && id != t.id:
			m.breaks("id", "ID of %v returned %d", t, id)
		}
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
	judgeID := m.identify(h, t, ok)
	fresh, err := restarter.Restart(h, o.ticks)
	m.sayStarted(o, err)
	switch {
	case ok:
	case err == nil:
		m.breaks("restart", "Restart accepted a handle that names no outstanding timer")
	case m.model.accepts(o.ticks) && !errors.Is(err, schemes.ErrHandle): // else either error will do
		m.breaks("restart", "Restart refused a stale handle with an error that does not wrap ErrHandle: %v", err)
	}
	judgeID()
	if ok && m.judge("Restart", o.ticks, err) {
		m.adopt(fresh)
		m.model.stop(t)
		m.model.start(o.label, t.id, o.ticks, fresh, t.action)
	}
}
