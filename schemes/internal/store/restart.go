package store

import "timerlab/schemes"

// Restartable returns the record of the timer that h names, if it can be restarted for
// this interval. It changes nothing. O(1).
func (m *Store) Restartable(h schemes.Handle, interval, longest schemes.Tick) (uint32, error) {
	i, ok := m.Find(h)
	switch {
	case !ok:
		return 0, m.BadHandle()
	case m.Refuses(interval, longest):
		return 0, m.BadInterval(interval, longest)
	case !m.MayRenew(i):
		return 0, m.Full(m.Len())
	}
	return i, nil
}

// Restart takes the timer that h names, waiting or due, out of its ring and makes it
// another timer with the same ID and the scheme's key for this interval. It returns the
// record, which the scheme links where it waits. O(1).
func (m *Store) Restart(h schemes.Handle, interval, longest schemes.Tick, key uint64) (uint32, error) {
	if _, err := m.Restartable(h, interval, longest); err != nil {
		return 0, err
	}
	r := m.Named(h)
	m.leave(r)
	i, _ := m.Renew(uint32(h), r, key)
	return i, nil
}

// RestartIn is Restart of a timer that then waits at the end of the ring at head. The
// free list is not touched. O(1).
func (m *Store) RestartIn(
	head uint32, h schemes.Handle, interval, longest schemes.Tick, key uint64,
) (schemes.Handle, error) {
	r := m.Named(h)
	if r == nil || m.Refuses(interval, longest) || r.Last() {
		return m.restartSlow(head, h, interval, longest, key)
	}
	m.leave(r)
	m.Renew(uint32(h), r, key)
	m.Append(head, uint32(h), r)
	m.Tally.Links++
	return r.Handle(uint32(h)), nil
}

// restartSlow is RestartIn's slow path.
func (m *Store) restartSlow(
	head uint32, h schemes.Handle, interval, longest schemes.Tick, key uint64,
) (schemes.Handle, error) {
	i, err := m.Restart(h, interval, longest, key)
	if err != nil {
		return 0, err
	}
	return m.Enter(head, i), nil
}
