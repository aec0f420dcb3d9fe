// Package simplewheel is scheme 4: one wheel with a slot for every tick of the
// longest interval (section 5 of the paper).
//
//	now 10, M = 8
//
//	  slot   0   1  [2]  3   4   5   6   7     [ ]: the pointer, now mod M
//	         |       |       |
//	       4(16)   8(18)   7(12)               id(deadline)
//	                       2(12)
//
// Start puts the timer interval slots ahead of the pointer, wrapping around.
// O(1). An interval of M is the pointer's own slot, to which it returns in M
// ticks; a longer one is refused.
//
// Stop unlinks the record that the handle names. O(1).
//
// PerTick moves the pointer by one slot; all timers in that slot are due. O(1),
// plus O(1) for each of them.
//
// Expire hands out the due list. O(1) a timer.
//
// Restart moves the timer to its new slot, in the same record. O(1). Next and
// Advance look for the next occupied slot in words of 64 bits, one bit a slot,
// which PerTick tests too: an empty tick reads no record. O(M/64) at worst.
//
// Space: a record a timer, and one of 32 bytes and a bit a slot.
//
// Choose it where every interval is short against the memory that M slots take:
// no scheme looks at fewer timers. For a wider range choose scheme 6 or 7.
// variants.md describes two with an overflow list.
//
// Where this deviates from the paper: timers enter a slot at its end, not its
// head, so that timers of one tick expire in the order of their starts.
package simplewheel
