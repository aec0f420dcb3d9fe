// Package hashunsorted is scheme 6: a hashed wheel whose slots are unsorted
// lists (section 6.1.2 of the paper), one of the two schemes that the paper
// recommends.
//
//	now 10, M = 8
//
//	  slot   0   1  [2]  3   4   5   6   7     [ ]: the pointer, now mod M
//	         |               |
//	       4(1)            5(11)               id(rounds left)
//	       9(3)            7(1)
//	                       2(2)
//
// Start puts the timer at the end of slot (pointer + interval) mod M, with the
// number of times that the pointer must reach it: interval/M rounded up. O(1), at
// worst as on average.
//
// Stop unlinks the record that the handle names. O(1).
//
// PerTick moves the pointer by one slot and takes a round off every timer in it;
// a timer with none left is due. Where intervals are long against M that is n/M
// timers on average, whatever the hash does: the hash affects only how unevenly the
// ticks share them. Where intervals are at most M it is n/T, and every timer visited
// is due. O(n) at worst.
//
// Expire hands out the due list. O(1) a timer.
//
// Restart moves the timer to its new slot, in the same record. O(1). Next looks at
// the timers of the occupied slots, which one bit a slot marks, as far as one may be
// the earliest. Advance takes rounds off slot by slot for one revolution at most;
// then it looks for the fewest rounds left and takes all but one of these off
// every timer at once. O(M/64 + n) at worst, however many ticks it passes.
//
// Space: a record a timer, and one of 32 bytes and a bit a slot.
//
// Choose it if memory allows M of twice T or more, or n/M is small: a timer that
// expires is visited interval/M times, rounded up. If T is longer, choose scheme 7.
// If the records outgrow the cache, choose hashunsorted-chunked, one of the variants
// that variants.md describes.
//
// Where this deviates from the paper: the pointer's visits are counted, the last
// one included, so that a round count of 0 marks a timer as due; timers enter a
// slot at its end, not its head. The variant lazy is what the paper argues against.
package hashunsorted
