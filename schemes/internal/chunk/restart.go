package chunk

import (
	"runtime"

	"timerlab/schemes"
)

// Restart writes the record if the new deadline is later, else it adds an entry. O(1)
// where the placement has a table.
func (m *Module) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	r := m.records.find(h)
	switch {
	case r == nil:
		return 0, m.BadHandle()
	case m.Refuses(interval, m.longest):
		return 0, m.BadInterval(interval, m.longest)
	case r.genState >= lastGen:
		return m.restartRetired(h, r, interval)
	}
	i, gen := uint32(h), r.genState&^stateMask+nextGen
	switch state := r.genState & stateMask; {
	case state == stateDue:
		m.waiting++
		m.enter(i, r, gen, m.Now+interval)
		m.leftDue()
	case state == stateFar && m.deadline(r) == m.Now+interval: // another entry would be a duplicate
		m.Tally.Links += 2
		r.genState = gen | stateFar
		runtime.KeepAlive(m)
	case state != stateFar && m.serves(r, interval):
		m.retain(r, gen, interval)
	default:
		m.stale++
		m.enter(i, r, gen, m.Now+interval)
		m.Clean(1)
	}
	return handle(i, gen), nil
}

// restartRetired handles Restart of a record whose generations are used up.
func (m *Module) restartRetired(h schemes.Handle, r *record, interval schemes.Tick) (schemes.Handle, error) {
	next, err := m.Start(interval, r.getID())
	if err == nil {
		m.Stop(h)
	}
	return next, err
}
