package store

import (
	"fmt"
	"math/bits"
)

// Bitmap has a bit for every slot. 64 slots of a wheel are a word, so looking at an
// empty slot is a bit test in the cache, and looking for the next slot that is not
// empty reads words, not slots. Its zero value has no slots.
type Bitmap struct {
	words []uint64 // by slot
	sums  []uint64 // by word; set if the word is not 0, and after that until a search finds it 0
}

// Extend makes room for the bits of slots up to n.
func (o *Bitmap) Extend(n int) {
	words := (n + 63) / 64
	o.words = append(o.words, make([]uint64, words-len(o.words))...)
	o.sums = append(o.sums, make([]uint64, (words+63)/64-len(o.sums))...)
}

// Mark sets the bit of a slot. O(1).
func (o *Bitmap) Mark(slot uint32) {
	word := &o.words[slot>>6]
	if *word == 0 {
		o.sums[slot>>12] |= 1 << (slot >> 6 & 63)
	}
	*word |= 1 << (slot & 63)
}

// Clear clears the bit of a slot. The word's bit in sums may stay: the next search that
// passes clears it, which the Mark that set it pays for. O(1).
func (o *Bitmap) Clear(slot uint32) { o.words[slot>>6] &^= 1 << (slot & 63) }

// Occupied reports whether the bit of a slot is set. O(1).
func (o *Bitmap) Occupied(slot uint32) bool { return o.words[slot>>6]>>(slot&63)&1 != 0 }

// NextOccupied returns the first slot from `from` to end-1 whose bit is set, or end if
// there is none. O(1 + slots passed / 4096) and, once for each word of 64 that has become
// empty since a search, O(1).
func (o *Bitmap) NextOccupied(from, end uint32) uint32 {
	if from >= end {
		return end
	}
	at := from >> 6
	if word := o.words[at] >> (from & 63); word != 0 {
		return min(from+uint32(bits.TrailingZeros64(word)), end)
	}
	if at++; at > (end-1)>>6 {
		return end
	}
	return o.nextWord(at, end)
}

// NextCircular searches n slots from first on as a circle, from a position in it.
// It returns how many slots ahead, from `from` to `most`, the next occupied one is;
// false if there is none. from is at least 1 and most at most n, where the search is
// back at its position. O(1 + n/4096), as NextOccupied.
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

// nextWord is NextOccupied from the beginning of a word.
func (o *Bitmap) nextWord(at, end uint32) uint32 {
	last := (end - 1) >> 6
	for sum := at >> 6; sum <= last>>6; sum++ {
		left := o.sums[sum]
		if sum == at>>6 {
			left = left >> (at & 63) << (at & 63)
		}
		for ; left != 0; left &= left - 1 {
			word := sum<<6 + uint32(bits.TrailingZeros64(left))
			if word > last {
				return end
			}
			if bit := o.words[word]; bit != 0 {
				return min(word<<6+uint32(bits.TrailingZeros64(bit)), end)
			}
			o.sums[sum] &^= 1 << (word & 63)
		}
	}
	return end
}

// Check verifies that a search finds every word that is not 0.
func (o *Bitmap) Check() error {
	for at, word := range o.words {
		if word != 0 && o.sums[at/64]>>(at%64)&1 == 0 {
			return fmt.Errorf("slots are marked in word %d, which a search would pass over", at)
		}
	}
	return nil
}
