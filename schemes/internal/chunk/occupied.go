package chunk

import "math/bits"

// Occupied tells which slots have entries: a bit a slot, and above it a bit for
// every word of bits, so that empty slots are stepped over 4096 at a time.
type Occupied struct {
	slots []uint64
	words []uint64
}

// NewOccupied returns the bits of n empty slots.
func NewOccupied(n int) Occupied {
	words := (n + 63) / 64
	return Occupied{make([]uint64, words), make([]uint64, (words+63)/64)}
}

// Set marks a slot as occupied, Clear as empty. O(1).
func (o *Occupied) Set(slot uint32) {
	o.slots[slot/64] |= 1 << (slot % 64)
	o.words[slot/4096] |= 1 << (slot / 64 % 64)
}

// Clear marks a slot as empty.
func (o *Occupied) Clear(slot uint32) {
	if o.slots[slot/64] &^= 1 << (slot % 64); o.slots[slot/64] == 0 {
		o.words[slot/4096] &^= 1 << (slot / 64 % 64)
	}
}

// Has reports whether a slot is occupied.
func (o *Occupied) Has(slot uint32) bool { return o.slots[slot/64]>>(slot%64)&1 != 0 }

// From returns the first occupied slot from first to below end; false: none is.
// O((end - first)/4096).
func (o *Occupied) From(first, end uint32) (uint32, bool) {
	if first >= end {
		return 0, false
	}
	if w := o.slots[first/64] >> (first % 64); w != 0 {
		slot := first + uint32(bits.TrailingZeros64(w))
		return slot, slot < end
	}
	for word := first/64 + 1; word <= (end-1)/64; word = (word/64 + 1) * 64 {
		if w := o.words[word/64] >> (word % 64); w != 0 {
			word += uint32(bits.TrailingZeros64(w))
			slot := word*64 + uint32(bits.TrailingZeros64(o.slots[word]))
			return slot, slot < end
		}
	}
	return 0, false
}
