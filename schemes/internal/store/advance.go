package store

import "timerlab/schemes"

// AnyDue reports whether a timer is due and not yet handed out. O(1).
func (m *Store) AnyDue() bool { return m.After(Due) != Due }

// MaxAdvance returns how many ticks an Advance of at most max may pass: not beyond the
// clock's end, and 1 if something is due already. O(1).
func (m *Store) MaxAdvance(max schemes.Tick) schemes.Tick { return m.Limit(max, m.AnyDue()) }

// Wait returns the ticks until a deadline, the key of a waiting timer.
func (m *Store) Wait(deadline uint64) schemes.Tick { return schemes.Tick(deadline) - m.Now }

// Ahead returns in how many ticks, from `from` to `most`, the pointer first reaches an
// occupied slot; false if it reaches none. Within M ticks it reaches every slot. from is
// at least 1. O(1 + M/4096), as NextOccupied.
func (w *Wheel) Ahead(from, most schemes.Tick) (schemes.Tick, bool) {
	slots := uint32(w.slots)
	most = min(most, schemes.Tick(slots))
	ahead, ok := w.NextCircular(FirstSlot, slots, uint32(w.pointer), uint32(min(from, most+1)), uint32(most))
	return schemes.Tick(ahead), ok
}

// TurnBy is Turn by n ticks at once. O(1), with a division if n is more than M.
func (w *Wheel) TurnBy(n schemes.Tick) uint32 {
	w.Now += n
	if n > schemes.Tick(w.slots) {
		n %= schemes.Tick(w.slots)
	}
	w.pointer += uint64(n)
	if w.pointer >= w.slots {
		w.pointer -= w.slots
	}
	return FirstSlot + uint32(w.pointer)
}

// SlotAhead returns the head of the slot that the pointer reaches in n ticks, at most M.
// O(1).
func (w *Wheel) SlotAhead(n schemes.Tick) uint32 {
	s := w.pointer + uint64(n)
	if s >= w.slots {
		s -= w.slots
	}
	return FirstSlot + uint32(s)
}

// FirstWait returns the ticks until the first timer of the ring at head is due, and
// LeastWait until the earliest one is; the ring is not empty and the keys of its timers
// are deadlines. O(1) and O(length).
func (m *Store) FirstWait(head uint32) schemes.Tick { return m.Wait(m.At(m.After(head)).Key) }
func (m *Store) LeastWait(head uint32) schemes.Tick { return m.Wait(m.Least(head)) }

type firstWait = func(head uint32, ahead schemes.Tick) (wait schemes.Tick, ok bool)

// Earliest returns the ticks until the earliest timer in the wheel is due, if they are
// at most `most`; else most and false. first returns them for an occupied slot, which the
// pointer reaches in ahead ticks; false if none of its records counts. The search follows
// the pointer and ends where no slot can hold an earlier timer. O(M/64 + slots looked
// at).
func (w *Wheel) Earliest(most schemes.Tick, first firstWait) (wait schemes.Tick, ok bool) {
	wait = most
	for ahead, found := w.Ahead(1, wait); found; ahead, found = w.Ahead(ahead+1, wait) {
		if left, counts := first(w.SlotAhead(ahead), ahead); counts && left <= wait {
			wait, ok = left, true
		}
	}
	return wait, ok
}
