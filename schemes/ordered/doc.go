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
// The variant ordered-durations keeps a sorted list for each interval in use.
//
//	            now 5
//	interval 5  --> 2(7) <-> 4(9)
//	interval 8  --> 1(9) <-> 3(11)
//
// Of two timers with the same interval, the one that starts later is due later. So Start
// and Restart append the timer to its interval's list and compare it with none: O(1).
// A tick before the earliest deadline costs O(1). The others look at the first timer of
// each list: O(lists), plus O(1) for each timer that is due. Next and Advance do so too;
// NextEvent, which may be too early after stops, is O(1). A list costs some 80 bytes: its
// head, and its entries in an array and in a map.
//
// Choose it for up to some dozens of different intervals, however many the timers. It
// is not for random intervals: with as many lists as timers, each tick on which one is
// due looks at all of them. Node.js keeps all its timers in such lists, and the lists in
// a heap. libevent does so for intervals that a program names, at most 256, with
// event_base_init_common_timeout.
//
// Stored time, where a restart only notes the time and the timer is started again
// when it fires, for what is left, does not fit: what is left is shorter than the
// interval and belongs into the middle of the list. So each Restart moves the record.
//
// Where this deviates from the paper: nowhere. Timers with the same deadline stay
// in the order of their starts; in ordered-durations, those of one interval.
package ordered
