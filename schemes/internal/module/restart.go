package module

import (
	"fmt"

	"timerlab/schemes"
)

// Restartable returns the record of the timer that h names, if that can be started
// anew for this interval. It changes nothing. O(1).
func (m *Module) Restartable(h schemes.Handle, interval, longest schemes.Tick) (uint32, error) {
	i, ok := m.Find(h)
	switch {
	case !ok:
		return 0, fmt.Errorf("%s: handle %#x names no timer outstanding: %w", m.name, uint64(h), schemes.ErrHandle)
	case m.refuses(interval, longest):
		return 0, m.badInterval(interval, longest)
	case !m.MayRenew(i):
		return 0, m.full()
	}
	return i, nil
}

// Restart takes the timer that h names, waiting or due, out of its ring and makes
// it another one with the same ID, with the scheme's key for this interval. It
// returns its record, which the scheme puts where it waits. O(1).
func (m *Module) Restart(h schemes.Handle, interval, longest schemes.Tick, key uint64) (uint32, error) {
	i, err := m.Restartable(h, interval, longest)
	if err != nil {
		return 0, err
	}
	m.leave(i)
	return m.Renew(i, key), nil
}

// RestartIn is Restart of a timer that then waits at the end of the ring at head.
// It takes no record off the free list and puts none there. O(1).
func (m *Module) RestartIn(head uint32, h schemes.Handle, interval, longest schemes.Tick, key uint64) (schemes.Handle, error) {
	i, err := m.Restart(h, interval, longest, key)
	if err != nil {
		return 0, err
	}
	m.Append(head, i, m.At(i))
	m.Tally.Links++
	return m.Handle(i), nil
}
