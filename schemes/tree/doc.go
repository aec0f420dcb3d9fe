// Package tree is scheme 3: a tree of timers keyed by deadline (section 4.1.1 of
// the paper). The scheme itself is a binary heap; the variants are a wider heap, the
// same with stopped timers left in it, and the unbalanced tree that the paper names.
//
//	now 3                      2(4)          id(deadline)
//	                         /      \
//	                     7(9)        9(7)
//	                    /    \
//	                5(250)  4(11)
//
// No timer of a heap is due before the one above it, so the earliest is on top. The
// heap is an array, filled level by level, so going up or down is arithmetic. An
// entry holds the deadline and the record's index, so comparing reads the array
// only.
//
// Start appends the timer and moves it up past later ones: O(log n) at worst,
// O(1) on average for most distributions.
//
// Stop finds the timer's place in its record, fills it with the last entry and
// moves that up or down: O(log n).
//
// PerTick compares the clock with the earliest deadline, O(1), and takes that timer
// off if it is due, O(log n) each.
//
// Expire hands out the due list. O(1) a timer.
//
// Restart moves the entry up or down from where it is to where it now belongs:
// O(log n). Next reads the earliest deadline, O(1), and Advance goes there: O(1),
// and O(log n) for each timer due.
//
// Space: a record and an entry of 16 bytes a timer.
//
// Choose a heap where intervals may be anything, ticks are many and mostly idle,
// and n is moderate. Taking the top off reads log2 n levels and writes each moved
// timer's place into its record: for many timers a wheel is several times
// faster. The variants are described in variants.md.
//
// Where this deviates from the paper: it names post-order and end-order trees
// too, and balanced ones; heaps are what today's timer facilities use. Stop is
// O(log n) in a heap, as the paper has it for balanced trees, and not always O(1)
// in tree-bst.
package tree
