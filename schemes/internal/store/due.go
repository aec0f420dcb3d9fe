package store

import (
	"timerlab/schemes"
)

// Due is the head of the ring of due timers, in every store; a scheme's own
// heads follow. A timer in it has Key 0.
const Due uint32 = 0

// Start makes a record for a timer of this interval, with the scheme's key. The
// scheme links it where it waits. Intervals up to longest are in range.
func (m *Store) Start(interval, longest schemes.Tick, id schemes.ID, key uint64) (uint32, error) {
	if m.Refuses(interval, longest) {
		return 0, m.BadInterval(interval, longest)
	}
	i, ok := m.Alloc(id, key)
	if !ok {
		return 0, m.Full(m.Len())
	}
	return i, nil
}

// StartIn is Start of a timer that waits at the end of the ring at head. O(1).
func (m *Store) StartIn(
	head uint32, interval, longest schemes.Tick, id schemes.ID, key uint64,
) (schemes.Handle, error) {
	if m.Refuses(interval, longest) {
		return 0, m.BadInterval(interval, longest)
	}
	i, r := m.Make(id, key)
	if r == nil {
		return 0, m.Full(m.Len())
	}
	m.Append(head, i, r)
	m.Tally.Links++
	return r.Handle(i), nil
}

// Enter links record i before the record or head at; at a head, last. It returns the
// timer's handle.
func (m *Store) Enter(at, i uint32) schemes.Handle {
	m.Insert(at, i)
	m.Tally.Links++
	return m.Handle(i)
}

// Stop unlinks and forgets the timer that h names, waiting or due. O(1).
func (m *Store) Stop(h schemes.Handle) bool {
	r := m.Named(h)
	if r == nil {
		return false
	}
	m.leave(r)
	m.Release(uint32(h), r)
	return true
}

// leave takes record r out of its ring. Leaving the due list is not counted.
func (m *Store) leave(r *Record) {
	if r.Key != 0 {
		m.Tally.Links++
	}
	m.Unlink(r)
}

// AddDue puts record i, which has left its ring, at the end of the due list. O(1).
func (m *Store) AddDue(i uint32) {
	m.At(i).Key = 0
	m.Insert(Due, i)
	m.Tally.Links++
}

// MoveDue moves the timers of the ring at head, up to but without record end, to
// the due list, and returns their number. With end = head that is all of them.
// O(timers moved).
func (m *Store) MoveDue(head, end uint32) int {
	moved := m.Zero(head, end)
	m.Splice(head, end, Due)
	m.Tally.Visits += uint64(moved)
	m.Tally.Links += uint64(moved)
	return moved
}

// Countdown takes 1 off the key of every timer of the ring at head, moves those
// that reach 0 to the due list and returns their number. O(length of the ring).
func (m *Store) Countdown(head uint32) int {
	visited, moved := m.countdown(head, Due)
	m.Tally.Visits += uint64(visited)
	m.Tally.Links += uint64(moved)
	return moved
}

// MoveExact moves the timers of the ring at head whose key, a deadline,
// is the present tick to the due list and returns their number. It writes to a
// timer that stays only where a neighbour leaves. O(length of the ring).
func (m *Store) MoveExact(head uint32) (moved int) {
	stay, gap := head, false // the last record that stays, and whether records after it are due
	visits, now := uint64(0), uint64(m.Now)
	for i := m.After(head); i != head; visits++ {
		r := m.At(i)
		next := r.Next()
		if r.Key == now {
			r.Key, gap = 0, true
			moved++
		} else {
			if gap {
				m.Splice(stay, i, Due)
				gap = false
			}
			stay = i
		}
		i = next
	}
	if gap {
		m.Splice(stay, head, Due)
	}
	m.Tally.Visits += visits
	m.Tally.Links += uint64(moved)
	return moved
}

// Expire hands out the due timers. Each is forgotten before its action runs and
// the list is read again after it, so an action may start and stop any timer, or
// panic. O(due timers).
func (m *Store) Expire(action func(schemes.ID)) {
	for {
		i, r, ok := m.Pop(Due)
		if !ok {
			return
		}
		id := r.ID
		m.Free(i)
		action(id)
	}
}
