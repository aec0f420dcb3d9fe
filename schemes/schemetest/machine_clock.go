package schemetest

import (
	"cmp"
	"fmt"

	"timerlab/schemes"
)

// The operations of a machine that pass time or hand timers out.

func (m *machine) perTick(o *op) {
	sum, last, due := 0, 0, 0
	for i := schemes.Tick(0); i < o.ticks && last == due; i++ {
		if i > 0 {
			m.passing = true
			m.look()
			m.passing = false
		}
		last, due = m.scheme.PerTick(), m.model.tick()
		sum += last
		m.suite.steps.Add(1)
	}
	if o.ticks == 1 {
		m.trail.say("%v = %d", o, last)
	} else {
		m.trail.say("%v = %d together, %d of them in the last", o, sum, last)
	}
	m.requireMoved("PerTick", last, due)
}

// requireMoved finds out by Expire what a wrong number of due timers means: wrong
// timers, or only a wrong number.
func (m *machine) requireMoved(what string, got, due int) {
	if got != due {
		m.expire(nil)
		m.breaks("pertick-number", "%s at tick %d returned %d, but %d timers became due then",
			what, m.model.now, got, due)
	}
}

func (m *machine) advance(o *op) {
	advancer, ok := m.scheme.(schemes.Advancer)
	if !ok {
		return
	}
	passed, moved := advancer.Advance(o.ticks)
	m.trail.say("%v = %d ticks passed, %d due", o, passed, moved)
	wantPassed, due := m.model.advance(o.ticks)
	if passed != wantPassed {
		m.fail("Advance(%d) passed %d ticks instead of %d", o.ticks, passed, wantPassed)
	}
	m.requireMoved("Advance", moved, due)
}

func (m *machine) panic(*op) {
	m.throws++
	m.thrown = fmt.Errorf("panic %d of an action", m.throws)
	m.trail.say("panic")
	panic(m.thrown)
}

func (m *machine) expire(*op) {
	m.expires++
	m.model.expire, m.thrown = m.expires, nil
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
		m.fail("Expire returned and never handed out %v, due at tick %d", p[0], p[0].deadline)
	}
}

// handOut calls Expire and returns the panic of an action that came out of it.
// Panics of the scheme's own pass on.
func (m *machine) handOut() (thrown any) {
	m.trail.say("Expire() -> ")
	defer m.trail.open("", "")()
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
	m.trail.say("id %d", id)
	t := m.model.hand(id)
	if t == nil {
		rule, text := m.model.blame(id)
		m.breaks(cmp.Or(rule, m.suite.rule.Name), "Expire handed out %s", text)
	}
	m.current = t
	m.order = append(m.order, id)
	m.look()
	if len(t.action) == 0 {
		return
	}
	defer m.trail.open(" {", "}")()
	for i := range t.action {
		m.perform(&t.action[i])
	}
}
