package chunk

import (
	"math/bits"

	"timerlab/schemes"
)

// Places tell in which slot an entry waits: by the tick at which it comes up, and
// the highest bit in which that differs from the clock.
type Places struct {
	ByLength [65]Place                        // by the number of lowest bits in which they differ
	Other    func(schemes.Tick) (slot uint32) // takes the table's place, where sizes are not powers of two
}

// Place is the wheel in which an entry waits: slot First and Mask that follow it. Its
// digit of a tick begins at bit Shift.
type Place struct {
	Shift       uint8
	Mask, First uint32
}

// of returns the slot of a tick by the table. O(1).
func (p *Places) of(t, now schemes.Tick) uint32 {
	w := &p.ByLength[bits.Len64(uint64(t^now))]
	return w.First + uint32(t>>(w.Shift&63))&w.Mask
}

// place returns the slot of a tick.
func (m *Module) place(t schemes.Tick) uint32 {
	if m.places.Other != nil {
		return m.places.Other(t)
	}
	return m.places.of(t, m.Now)
}
