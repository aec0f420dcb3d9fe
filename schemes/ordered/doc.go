// Package ordered is scheme 2: a list of timers sorted by deadline, the timer
// queue of classic kernels (section 3.2 of the paper).
//
//	         now 3
//	list --> 2(4) <-> 7(7) <-> 9(253)         id(deadline)
//	          ^
//	          PerTick looks here, and no further if it is not due
//
// Start searches for the timer's place and links it there. From the head it
// passes the timers whose deadline is earlier or the same: O(n). The mean share of
// the list that it passes depends on the distribution of the intervals. The
// variant ordered-rear searches from the other end: O(1) if all intervals are
// equal, O(n) in general.
//
// Stop unlinks the record that the handle names. O(1).
//
// PerTick advances the clock and compares it with the first timer's deadline.
// O(1), plus O(1) for each timer that is due.
//
// Expire hands out the due list. O(1) a timer.
//
// Restart unlinks the timer and searches for its new place as Start does, in the
// same record. O(n). Next reads the first timer's deadline, and Advance goes
// there. O(1), plus O(1) for each timer that is due.
//
// Space: a record a timer.
//
// Choose it where starts are rare or n is small, where all intervals are equal
// (ordered-rear), or where the hardware keeps the clock and can be set to
// interrupt at the first deadline. The search reads one record after another, each
// a cache miss once the list outgrows the cache: for many timers choose a wheel.
//
// Where this deviates from the paper: nowhere. Timers with the same deadline stay
// in the order of their starts. variants.md describes ordered-durations.
package ordered
