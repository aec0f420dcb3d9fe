package chunk

import (
	"math/bits"

	"timerlab/schemes"
)

// Placement maps a deadline to its slot, by the highest bit in which deadline and clock
// differ.
type Placement struct {
	ByLength [65]Digit                        // by the number of low bits in which they differ
	Other    func(schemes.Tick) (slot uint32) // replaces the table where sizes are not powers of two
}

// Digit is the part of a tick that numbers the slots of one wheel, from bit Shift on:
// slot First and the Mask slots after it.
type Digit struct {
	Shift       uint8
	Mask, First uint32
}

// Slot returns the slot of a tick, from the table. O(1).
func (p *Placement) Slot(t, now schemes.Tick) uint32 {
	d := &p.ByLength[bits.Len64(uint64(t^now))]
	return d.First + uint32(t>>(d.Shift&63))&d.Mask
}
