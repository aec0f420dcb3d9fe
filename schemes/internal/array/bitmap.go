package array

import (
	"math/bits"
)

// Bitmap has a bit for every slot, set if the slot may hold a timer. 64 slots of a wheel are a
// word, so looking at an empty slot is a bit test in the cache, and looking for the next slot
// that is not empty reads words, not slots. Its zero value has no slots.
type Bitmap struct{ words []uint64 }

// Extend makes room for the bits of slots up to n.
func (o *Bitmap) Extend(n int) {
	o.words = append(o.words, make([]uint64, (n+63)/64-len(o.words))...)
}

// Mark sets the bit of a slot. O(1).
func (o *Bitmap) Mark(slot uint32) { o.words[slot>>6] |= 1 << (slot & 63) }

// Clear clears the bit of a slot. O(1).
func (o *Bitmap) Clear(slot uint32) { o.words[slot>>6] &^= 1 << (slot & 63) }

// Occupied reports whether the bit of a slot is set. O(1).
func (o *Bitmap) Occupied(slot uint32) bool { return o.words[slot>>6]>>(slot&63)&1 != 0 }

// Ahead returns how many slots after this one the next occupied one is, if one word has the
// bits of both; else how many the next word is ahead. O(1).
func (o *Bitmap) Ahead(slot uint32) uint32 {
	if later := o.words[slot>>6] >> (slot & 63) >> 1; later != 0 {
		return uint32(bits.TrailingZeros64(later)) + 1
	}
	return 64 - slot&63
}

// NextOccupied returns the first slot from `from` to end-1 whose bit is set, or end if
// there is none. O(1 + slots passed / 64).
func (o *Bitmap) NextOccupied(from, end uint32) uint32 {
	if from >= end {
		return end
	}
	at, last := from>>6, (end-1)>>6
	word := o.words[at] >> (from & 63) << (from & 63)
	for word == 0 {
		if at == last {
			return end
		}
		at++
		word = o.words[at]
	}
	return min(at<<6+uint32(bits.TrailingZeros64(word)), end)
}

// NextCircular searches n slots from first on as a circle, from a position in it.
// It returns how many slots ahead, from `from` to `most`, the next occupied one is;
// false if there is none. from is at least 1 and most at most n, where the search is
// back at its position. O(1 + n/64), as NextOccupied.
func (o *Bitmap) NextCircular(first, n, position, from, most uint32) (ahead uint32, ok bool) {
	if from > most {
		return 0, false
	}
	if position+from < n {
		end := first + min(position+most, n-1) + 1
		if slot := o.NextOccupied(first+position+from, end); slot < end {
			return slot - first - position, true
		}
	}
	if position+most < n {
		return 0, false
	}
	begin, end := max(position+from, n)-n, position+most-n+1
	slot := o.NextOccupied(first+begin, first+end)
	return slot - first + n - position, slot < first+end
}
