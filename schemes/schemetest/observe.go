package schemetest

import (
	"strings"

	"timerlab/schemes"
)

const (
	checkAlways = 4096 // Check after every operation up to this n + M, by a sample above
	checkPace   = 32   // see checkNow
	drawEvery   = 64   // looks per String: it is slow, and wrong drawings tend to stay wrong
	maxLines    = 100  // lines of a drawing: "some dozens"
)

// look compares what the scheme says about itself with the model, and requires
// the rules that hold after every operation.
func (m *machine) look() {
	if m.mute {
		return
	}
	m.looks++
	if m.sized != nil {
		if got, want := m.sized.Len(), m.model.len(); got != want {
			m.doubt(ruleLen, "Len is %d, but %d timers are outstanding (%d started, %d stopped, %d handed out)",
				got, want, m.model.started, m.model.stopped, m.model.expired)
		}
	}
	if m.holder != nil && !m.mute {
		m.lookHeld(m.holder.Held())
	}
	if m.counter != nil {
		m.lookCounts(m.counter.Counts())
	}
	if m.checker != nil && !m.mute && m.checkNow() {
		if err := m.checker.Check(); err != nil {
			m.breaks(ruleCheck, "Check reports: %v", err)
		}
	}
	if m.nexter != nil && m.rule == ruleNext {
		m.lookNext(m.nexter.Next())
	}
	if m.stringer != nil && m.looks%drawEvery == 1 && !m.passing {
		s := m.stringer.String()
		if n := strings.Count(s, "\n"); s == "" || n > maxLines || len(s) > 1<<14 {
			m.breaks(ruleString, "String has %d lines and %d bytes", n, len(s))
		}
	}
}

// lookNext compares what Next returned with the model. When a timer of a scheme
// with a Bound is due after the program, the model does not know.
func (m *machine) lookNext(wait schemes.Tick, ok bool) {
	due, some := m.model.next()
	if m.model.oracle != nil && due > m.model.last-m.model.now {
		return
	}
	if ok != some || ok && wait != due {
		m.breaks(ruleNext, "Next is %d, %t instead of %d, %t", wait, ok, due, some)
	}
}

// doubt is a wrong Len or Links. It may be all that is wrong, or only the first
// sign of a timer lost or kept: the program goes on without looking, and if
// nothing else comes of it, this is the failure.
func (m *machine) doubt(rule, format string, args ...any) {
	m.record(rule, format, args...)
	m.doubted, m.failure, m.mute = m.failure, nil, true
}

// checkNow is true after every operation on a small structure. On a large one,
// and between the ticks of one long run, Check is allowed checkPace timers and
// slots per look on average.
func (m *machine) checkNow() bool {
	size := m.model.len() + m.slots
	if size <= checkAlways && !m.passing {
		return true
	}
	if m.unseen += checkPace; m.unseen < size {
		return false
	}
	m.unseen = 0
	return true
}

func (m *machine) lookCounts(c schemes.Counts) {
	before := m.counts
	m.counts = c
	if c.Compares < before.Compares || c.Visits < before.Visits || c.Links < before.Links ||
		c.Migrations < before.Migrations || c.EmptySlots < before.EmptySlots {
		m.breaks(ruleCountsGrow, "Counts went from %+v to %+v", before, c)
	}
	links := m.model.links
	if m.holder != nil { // stopped timers not yet discarded do not count as having left
		links -= uint64(m.holder.Held() - m.model.len())
	}
	if c.Links != links {
		m.doubt(ruleLinks, "Links is %d instead of %d", c.Links, links)
	}
	if c.Visits < m.model.moved {
		m.breaks(ruleCountsZero, "Visits is %d, but %d timers became due", c.Visits, m.model.moved)
	}
	if c.EmptySlots != 0 && m.program.info.Number >= 1 && m.program.info.Number <= 3 {
		m.breaks(ruleCountsZero, "EmptySlots is %d in a scheme without slots", c.EmptySlots)
	}
	if c.Migrations != 0 && m.program.info.Number != 7 && oneOfSeven(m.program.info) {
		m.breaks(ruleCountsZero, "Migrations is %d in a scheme without levels", c.Migrations)
	}
}

// lookHeld requires that what a scheme holds beyond Len is stopped timers, and
// not for ever.
func (m *machine) lookHeld(held int) {
	outstanding := m.model.len()
	switch {
	case held < outstanding:
		m.breaks(ruleHeld, "Held is %d, but %d timers are outstanding", held, outstanding)
	case held > outstanding && m.model.idle():
		m.breaks(ruleHeld, "Held is still %d, though nothing is outstanding and the longest interval has passed", held)
	}
}
