package module

import (
	"math"

	"timerlab/schemes"
)

// AnyDue reports whether a timer is due and not yet handed out. O(1).
func (m *Module) AnyDue() bool { return m.After(Due) != Due }

// Most returns how many ticks an Advance of at most max may pass: not beyond the
// clock's end, and 1 if something is due already. O(1).
func (m *Module) Most(max schemes.Tick) schemes.Tick {
	if m.AnyDue() {
		max = min(max, 1)
	}
	return min(max, math.MaxUint64-m.Now)
}

// Wait returns the ticks to an expiry, which a waiting timer has as its key.
func (m *Module) Wait(expiry uint64) schemes.Tick { return schemes.Tick(expiry) - m.Now }

// Ahead returns how many ticks away, from from to at most most, the pointer first
// comes to an occupied slot; false: to none, and more than M ticks away it has
// been everywhere. from is at least 1. O(1 + M/4096), as NextOccupied.
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

// SlotAhead returns the head of the slot that the pointer comes to in n ticks, at most
// M. O(1).
func (w *Wheel) SlotAhead(n schemes.Tick) uint32 {
	s := w.pointer + uint64(n)
	if s >= w.slots {
		s -= w.slots
	}
	return FirstSlot + uint32(s)
}

// First and Least are the first and the lowest key of the ring at head, which is not
// empty. O(1) and O(length).
func First(m *Module, head uint32) uint64 { return m.At(m.After(head)).Key }
func Least(m *Module, head uint32) uint64 { return m.Slab.Least(head) }

// Earliest returns the ticks to the first expiry in the wheel, if it is at most
// most away; else most and false. of tells the first expiry of an occupied slot,
// whose timers have absolute expiries for keys. It looks at the slots in the order
// of the pointer and at none beyond the earliest expiry it knows. O(M/64 + slots
// looked at).
func (w *Wheel) Earliest(most schemes.Tick, of func(m *Module, head uint32) uint64) (wait schemes.Tick, ok bool) {
	wait = most
	for d := schemes.Tick(0); ; {
		next, found := w.Ahead(d+1, wait)
		if !found {
			return wait, ok
		}
		d = next
		if left := w.Wait(of(&w.Module, w.SlotAhead(d))); left <= wait {
			wait, ok = left, true
		}
	}
}
