package hierarchical

import (
	"math/bits"

	"timerlab/schemes"
)

// binary is scheme 7 with radices that are powers of two. The bits in which deadline and clock differ
// say the level, so that no level is searched for.
type binary struct {
	wheels
	table [65]*level // of a tick, by the number of low bits in which it and the clock differ: see levelOf
}

func newBinary(w wheels) *binary {
	b := &binary{wheels: w}
	for length := range b.table {
		b.table[length] = &w.levels[levelOf(w.levels, length)]
	}
	return b
}

// Start puts the timer into the slot of its deadline. O(1).
func (b *binary) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !b.Accepts(interval) {
		return b.StartSlow(b, interval, id)
	}
	deadline := b.Now + interval
	i, r := b.Make(id, uint64(deadline))
	b.Insert(b.slot(deadline), i, r)
	return r.Handle(), nil
}

// slot returns the same slot as slotOf. O(1).
func (b *binary) slot(deadline schemes.Tick) (head uint32) {
	v := b.table[bits.Len64(uint64(deadline^b.Now)|1)]
	return v.first + uint32(deadline>>(v.shift&63))&v.mask
}

// Restart moves the timer to its new slot. O(1).
func (b *binary) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !b.Names(h) || !b.Renews(h, interval) {
		return b.RestartSlow(b, h, interval)
	}
	deadline := b.Now + interval
	slot, r := b.slot(deadline), b.At(uint32(h))
	fresh := b.Renew(h, r, uint64(deadline))
	b.Insert(slot, uint32(h), r)
	return fresh, nil
}
