// Package tree is scheme 3: a tree of timers keyed by absolute expiry, here an
// indexed binary heap (section 4.1.1 of the paper).
//
//	now 3                      2(4)          id(expiry)
//	                         /      \
//	                     7(9)        9(7)
//	                    /    \
//	                5(250)  4(11)
//
// No timer expires before the one above it, so the first to expire is on top.
// The heap is an array; the timers below place i are at 2i+1 and 2i+2. An entry
// holds the expiry beside the record's index, so comparing reads the array only.
//
// Start appends the timer and moves it up past later ones: O(log n) at worst,
// O(1) on average for most distributions.
//
// Stop finds the timer's place in its record, fills it with the last entry and
// moves that up or down: O(log n).
//
// PerTick compares the clock with the timer on top, O(1), and takes it off if it
// is due, O(log n) each.
//
// Expire hands out the due list. O(1) a timer.
//
// Space: a record and an entry of 16 bytes a timer.
//
// Choose it where intervals may be anything, ticks are many and mostly idle, and
// n is moderate. Taking the top off reads log2 n levels and writes each moved
// timer's place into its record: for many timers a wheel is several times
// faster.
//
// Where this deviates from the paper: it names unbalanced and leftist trees too;
// a heap is what today's timer facilities use. Stop is O(log n), as the paper
// has it for balanced trees.
package tree
