package slab

import "math/bits"

// occupied has a bit for every head: whether its ring holds a record. 64 slots of
// a wheel are a word, so looking at an empty slot is a bit test in the cache, and
// looking for the next slot that is not empty reads words, not heads. It takes a
// bit for a head of 32 bytes.
//
// Entering and leaving keep the bits, with no more than a test of what they have
// at hand: a record that leaves a ring empty has the same record, the head, on
// both sides. The ring that Splice, Countdown and DetachEnds take from is kept too. A
// ring that Splice or Countdown moves to, the list of due timers, is not: nobody
// steps over it.
type occupied struct {
	words []uint64 // by head
	sums  []uint64 // by word; set if the word is not 0, and after that until a search finds it 0
}

// extend makes room for the bits of heads up to n.
func (o *occupied) extend(n int) {
	words := (n + 63) / 64
	o.words = append(o.words, make([]uint64, words-len(o.words))...)
	o.sums = append(o.sums, make([]uint64, (words+63)/64-len(o.sums))...)
}

// mark sets the bit of a head. O(1).
func (o *occupied) mark(head uint32) {
	word := &o.words[head>>6]
	if *word == 0 {
		o.sums[head>>12] |= 1 << (head >> 6 & 63)
	}
	*word |= 1 << (head & 63)
}

// clear takes back the bit of a head. The word's bit in sums may stay: the search
// that comes by takes it back, at the expense of the mark that set it. O(1).
func (o *occupied) clear(head uint32) { o.words[head>>6] &^= 1 << (head & 63) }

// Occupied reports whether the ring at head holds a record. O(1).
func (o *occupied) Occupied(head uint32) bool { return o.words[head>>6]>>(head&63)&1 != 0 }

// NextOccupied returns the first head from from to end-1 whose ring holds a
// record; end if there is none. O(1 + heads passed / 4096) and, once for each word
// of 64 that has become empty since a search, O(1).
func (o *occupied) NextOccupied(from, end uint32) uint32 {
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

// nextWord is NextOccupied from the beginning of a word.
func (o *occupied) nextWord(at, end uint32) uint32 {
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

// Mark and Clear set and take back the bit of a head whose ring stands for
// something else that may be occupied, such as a heap. O(1).
func (s *Slab) Mark(head uint32)  { s.mark(head) }
func (s *Slab) Clear(head uint32) { s.clear(head) }
