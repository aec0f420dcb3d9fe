package chunk

import (
	"math/bits"

	"timerlab/schemes"
)

// Placement maps a deadline to its slot, by the highest bit in which deadline and clock
// differ.
type Placement struct {
	ByLength [65]Wheel                        // by the number of low bits in which they differ
	Other    func(schemes.Tick) (slot uint32) // replaces the table where sizes are not powers of two
}

// Wheel is the wheel in which an entry waits: slot First and the Mask slots after it.
// Its digit of a tick begins at bit Shift.
type Wheel struct {
	Shift       uint8
	Mask, First uint32
}

// slot returns the slot of a tick, from the table. O(1).
func (p *Placement) slot(t, now schemes.Tick) uint32 {
	w := &p.ByLength[bits.Len64(uint64(t^now))]
	return w.First + uint32(t>>(w.Shift&63))&w.Mask
}

// slotOf returns the slot of a tick.
func (m *Module) slotOf(t schemes.Tick) uint32 {
	if m.placement.Other != nil {
		return m.placement.Other(t)
	}
	return m.placement.slot(t, m.Now)
}
