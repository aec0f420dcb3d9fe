package schemetest

import (
	"fmt"
	"strings"

	"timerlab/schemes"
)

const (
	checkAlways = 4096 // Check after every operation up to this n + M; above, and between the ticks of a long run,
	checkPace   = 32   // so often that it looks at this many timers and slots per operation on average
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
	if s, ok := m.scheme.(schemes.Sized); ok && s.Len() != len(m.model.pending) {
		m.note("len", "Len is %d, but %d timers are outstanding", s.Len(), len(m.model.pending))
		m.mute = true // other observations would follow from it
	}
	stopped := 0 // timers that the scheme still holds: they do not count as having left
	if s, ok := m.scheme.(schemes.Holder); ok {
		held, outstanding := s.Held(), len(m.model.pending)
		switch stopped = held - outstanding; {
		case m.mute:
		case stopped < 0:
			m.breaks("held", "Held is %d, but %d timers are outstanding", held, outstanding)
		case stopped > 0 && outstanding == 0 && m.model.now >= m.model.idleAt:
			m.breaks("held", "Held is still %d, though nothing is outstanding and the longest interval has passed", held)
		}
	}
	counter, counts := m.scheme.(schemes.Counter)
	if counts {
		c, before := counter.Counts(), m.counts
		m.counts = c
		if c.Compares < before.Compares || c.Visits < before.Visits || c.Links < before.Links ||
			c.Migrations < before.Migrations || c.EmptySlots < before.EmptySlots {
			m.note("counts-grow", "Counts went from %+v to %+v", before, c)
		}
		if links := m.model.links - uint64(stopped); c.Links != links {
			m.note("counts-links", "Links is %d instead of %d", c.Links, links)
			m.mute = true
		}
	}
	if s, ok := m.scheme.(schemes.Checker); ok && !m.mute {
		size := len(m.model.pending) + m.program.slots()
		m.unseen += checkPace
		if m.unseen >= size || size <= checkAlways && !m.passing {
			m.unseen = 0
			if err := s.Check(); err != nil {
				m.note("check", "Check reports: %v", err)
			}
		}
	}
	rule := m.suite.rule.Name
	if all := rule == "model" || rule == "counts-still"; !m.mute && (!m.passing && !all || m.looks%8 == 0) { // these are slow
		if all || rule == "next" || rule == "next-event" {
			m.lookNext()
		}
		if all || rule == "view" {
			m.lookView()
		}
		if all || rule == "id" {
			m.lookIDs()
		}
	}
	if s, ok := m.scheme.(fmt.Stringer); ok && m.looks%drawEvery == 1 && !m.passing {
		text := s.String()
		if n := strings.Count(text, "\n"); text == "" || n > maxLines || len(text) > 1<<14 {
			m.note("string", "String has %d lines and %d bytes", n, len(text))
		}
	}
	if counts && counter.Counts() != m.counts {
		m.note("counts-still", "Counts went from %+v to %+v while nothing but looking was done", m.counts, counter.Counts())
	}
}

// lookNext compares Next or NextEvent with the model, which does not know when a timer of a scheme with
// a Bound is due after the program.
func (m *machine) lookNext() {
	due, some := m.model.next()
	known := m.model.bound == nil || due <= m.model.last-m.model.now
	if s, ok := m.scheme.(schemes.Nexter); ok && known {
		if wait, ok := s.Next(); ok != some || ok && wait != due {
			m.breaks("next", "Next is %d, %t instead of %d, %t", wait, ok, due, some)
		}
	}
	if s, ok := m.scheme.(schemes.Sleeper); ok {
		if wait, ok := s.NextEvent(); ok != some || ok && (known && wait > due || wait == 0 && due > 0) {
			m.breaks("next-event", "NextEvent is %d, %t, but the next timer is due in %d ticks, %t", wait, ok, due, some)
		}
	}
}

// lookView compares the timers that View shows with the model: their IDs, their places, whether they are
// due and, if not, their deadlines, which the model does not know of a scheme with a Bound.
func (m *machine) lookView() {
	s, ok := m.scheme.(schemes.Viewer)
	if !ok {
		return
	}
	missing := map[schemes.Place]int{}
	for _, t := range m.model.pending {
		want := schemes.Place{ID: t.id, Due: t.state == due}
		if t.state == waiting && m.model.bound == nil {
			want.Deadline = t.deadline
		}
		missing[want]++
	}
	waits, position := false, 0
	taken := map[schemes.Place]bool{}
	for p := range s.View {
		at := schemes.Place{Due: p.Due, Level: p.Level, Slot: p.Slot, Position: p.Position}
		switch {
		case p.Due && (waits || p.Position != position):
			m.breaks("view", "View shows the due timer of id %d after others, or at place %d", p.ID, p.Position)
		case taken[at]:
			m.breaks("view", "View shows id %d at position %d of level %d, slot %d, where another timer is",
				p.ID, p.Position, p.Level, p.Slot)
		}
		waits, taken[at] = !p.Due, true
		position++
		shown := schemes.Place{ID: p.ID, Due: p.Due}
		if m.model.bound == nil {
			shown.Deadline = p.Deadline
		}
		missing[shown]--
	}
	for p, n := range missing {
		if n != 0 {
			m.breaks("view", "View shows id %d (due %t, deadline %d) %d times too few", p.ID, p.Due, p.Deadline, n)
		}
	}
}

// lookIDs asks for the ID of every handle so far, and of some that no Start returned.
func (m *machine) lookIDs() {
	s, ok := m.scheme.(schemes.Identifier)
	if !ok || m.model.expire != 0 { // Expire does not say which of two timers with one ID it handed out
		return
	}
	ask := func(h schemes.Handle) {
		t, outstanding := m.model.outstanding(h)
		if id, known := s.ID(h); known != outstanding || known && id != t.id {
			m.breaks("id", "ID of handle %#x returned %d, %t; outstanding: %t, %v", uint64(h), id, known, outstanding, t)
		}
	}
	ask(0)
	for h := range m.model.handles {
		ask(h)
		ask(h ^ 1<<32)
	}
}
