package chunk

import (
	"math/bits"

	"timerlab/schemes"
)

// Placement tell in which slot an entry waits: by the tick at which it comes up, and
// the highest bit in which that differs from the clock.
type Placement struct {
	ByLength [65]Wheel                        // by the number of lowest bits in which they differ
	Other    func(schemes.Tick) (slot uint32) // takes the table's place, where sizes are not powers of two
}

// Wheel is the wheel in which an entry waits: slot First and Mask that follow it. Its
// digit of a tick begins at bit Shift.
type Wheel struct {
	Shift       uint8
	Mask, First uint32
}

// slot returns the slot slot a tick by the table. O(1).
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
