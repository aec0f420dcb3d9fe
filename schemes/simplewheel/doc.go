// Package simplewheel is scheme 4: one wheel with a slot for every tick of the
// longest interval (section 5 of the paper).
//
//	now 10, M = 8
//
//	  slot   0   1  [2]  3   4   5   6   7     [ ]: the pointer, now mod M
//	         |       |       |
//	       4(16)   8(18)   7(12)               id(expiry)
//	                       2(12)
//
// Start puts the timer interval slots ahead of the pointer, wrapping around.
// O(1). An interval of M is the pointer's own slot, which comes up again in M
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
// Advance look for the next occupied slot in words of 64 bits, one a slot, which
// PerTick tests too: an empty tick reads no record. O(M/64) at worst.
//
// Space: a record a timer, and one of 32 bytes and a bit a slot.
//
// Choose it where every interval is short against the memory that M slots take:
// nothing is faster. For a wider range choose scheme 6 or 7.
//
// Three variants take every interval, by an overflow list for what the slots do
// not cover; where it stays empty, they cost next to nothing more.
//
// simplewheel-overflow is the paper's way out of the range (section 5): scheme 4
// up to an interval of M, scheme 2 beyond. The list is ordered and its timers
// expire from it, so none ever migrates. Start is O(1) up to M and O(timers
// passed) beyond; PerTick looks at the list's head as well. Choose it where long
// timers are rare.
//
// simplewheel-tegas is the wheel of the logic simulator TEGAS-2 (section 4.2),
// which scheme 4 improves on. The slots stand for one cycle, from a multiple of M
// on; what expires after it goes to an unsorted list, and when the pointer comes
// to slot 0 the whole list is walked and the timers of the new cycle migrate into
// their slots. The later in the cycle, the likelier a start overflows: with
// probability min(j, M)/M for intervals of j. Every operation is O(1), but for the
// tick that walks: O(n) at worst.
//
// simplewheel-decsim is the same after DECSIM, which walks the list at each half
// rotation: intervals up to M/2 never overflow, those of j up to M with
// probability (2j-M)/M. Longer ones always do, and are walked over twice as often.
//
// Advance goes from refill to refill, but while no slot is occupied only to the one
// that moves the first timer of the list: O(timers due), and O(length of the list)
// for each of those refills. Next looks through the list only if no slot is
// occupied. The ordered list is looked at where it begins.
//
// A refill visits every timer of the list, also those that stay. All timers that
// it moves migrate into their slots, the ones due on that tick too; so without
// stops there are as many migrations as overflows.
//
// Where this deviates from the paper: timers enter a slot at its end, not its
// head, so that those of one tick expire in the order of their starts.
// DECSIM's half is M/2 rounded down, and at least 1.
package simplewheel
