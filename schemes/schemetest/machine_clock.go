package schemetest

import (
	"cmp"
	"fmt"

	"timerlab/schemes"
)

// The operations of a machine that pass time or hand timers out; those on one
// timer are in machine.go.

func (m *machine) perTick(o *op) {
	sum, last := 0, 0
	for i := schemes.Tick(0); i < o.ticks; i++ {
		if i > 0 {
			m.passing = true
			m.look()
			m.passing = false
		}
		want := m.model.tick()
		m.stepped()
		last = m.scheme.PerTick()
		if sum += last; last != want {
			m.trail.say("%v = %s", o, ticked(i+1, sum, last))
			m.miscounted("PerTick", last, want)
		}
	}
	m.trail.say("%v = %s", o, ticked(o.ticks, sum, last))
}

// miscounted finds out by Expire what a wrong number of due timers means: wrong
// timers, which breaks the rule at hand, or only a wrong number.
func (m *machine) miscounted(what string, got, want int) {
	var ids []schemes.ID
	m.scheme.Expire(func(id schemes.ID) {
		if len(ids) > m.model.len() { // without end
			m.breaks(ruleExpire, "Expire handed out more timers than were outstanding")
		}
		ids = append(ids, id)
	})
	for _, id := range ids {
		if _, w := m.model.hand(id); w != nil {
			m.breaks(cmp.Or(w.rule, m.rule), what+" at tick %d returned %d instead of %d: Expire then handed out %s",
				m.model.now, got, want, w.text)
		}
	}
	for _, b := range m.model.due {
		m.fail(what+" at tick %d returned %d instead of %d: %v was not due then", b.tick, got, want, b.timers[0])
	}
	m.breaks(ruleMoved, what+" at tick %d returned %d, but %d timers became due then", m.model.now, got, want)
}

func (m *machine) advance(o *op) {
	if m.advancer == nil {
		return
	}
	passed, moved := m.advancer.Advance(o.ticks)
	m.trail.say("%v = %d ticks passed, %d due", o, passed, moved)
	wantPassed, wantMoved := m.model.advance(o.ticks)
	if passed != wantPassed {
		m.fail("Advance(%d) passed %d ticks instead of %d", o.ticks, passed, wantPassed)
	}
	if moved != wantMoved {
		m.miscounted("Advance", moved, wantMoved)
	}
}

func (m *machine) next() {
	if m.nexter == nil {
		return
	}
	wait, ok := m.nexter.Next()
	m.trail.say("Next() = %d, %t", wait, ok)
	if wantWait, want := m.model.next(); ok != want || ok && wait != wantWait {
		m.fail("Next is %d, %t instead of %d, %t", wait, ok, wantWait, want)
	}
}

func (m *machine) expire() {
	m.expires++
	m.model.expire, m.thrown = m.expires, nil
	thrown := m.handOut()
	m.model.expire, m.current = 0, nil
	switch {
	case m.failure != nil: // and the scheme swallowed the panic that reports it
		panic(aborted{})
	case thrown == nil && m.thrown != nil:
		m.breaks(rulePanicking, "Expire returned although the action panicked")
	case thrown != nil && thrown != m.thrown:
		m.breaks(rulePanicking, "the action panicked with %v, but Expire with %v", m.thrown, thrown)
	case thrown != nil:
		return
	}
	for _, b := range m.model.due {
		m.fail("Expire returned and never handed out %v, due at tick %d", b.timers[0], b.tick)
	}
}

// handOut calls Expire and returns the panic of an action that came out of it.
// Panics of the scheme's own pass on.
func (m *machine) handOut() (thrown any) {
	m.trail.say("Expire() -> ")
	m.trail.open()
	defer m.trail.close("", "")
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
		panic(aborted{})
	}
	m.trail.say("id %d", id)
	t, w := m.model.hand(id)
	if w != nil {
		m.breaks(cmp.Or(w.rule, m.rule), "Expire handed out %s", w.text)
	}
	m.current = t
	m.order = append(m.order, id)
	m.look()
	if len(t.action) == 0 {
		return
	}
	m.trail.open()
	defer m.trail.close(" {", "}")
	for i := range t.action {
		m.perform(&t.action[i])
	}
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
