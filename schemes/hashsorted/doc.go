// Package hashsorted is scheme 5: a hashed wheel whose slots are sorted lists
// (section 6.1.1 of the paper).
//
//	now 10, M = 8
//
//	  slot   0   1  [2]  3   4   5   6   7     [ ]: the pointer, now mod M
//	         |               |
//	       4(16)           7(12)               id(deadline)
//	       9(32)           2(20)
//	                       5(92)
//
// Start finds the slot (pointer + interval) mod M and searches it from the head
// for the timer's place, as scheme 2 does. O(1) on average if n < M and the
// deadlines spread over the slots, O(n) if they all fall into one.
//
// Stop unlinks the record that the handle names. O(1).
//
// PerTick moves the pointer by one slot and looks at the first timer in it, and at
// the next as long as timers are due. O(1), plus O(1) for each of them, at worst as
// on average.
//
// Expire hands out the due list. O(1) a timer.
//
// Restart unlinks the timer and searches for its new place as Start does, in the
// same record. Next and Advance look at the first timer of each occupied slot, which
// one bit a slot marks, in the order of the pointer and no further than the earliest
// deadline found. O(M/64 + slots looked at), at most as many as there are ticks to
// pass.
//
// Space: a record a timer, and one of 32 bytes and a bit a slot.
//
// Choose it if PerTick must be short on every tick and starts may take longer. Start
// depends on how the deadlines spread; scheme 6 does not.
//
// Where this deviates from the paper: a record holds its deadline, not the
// high-order part of the interval; the order within a slot is the same.
package hashsorted
