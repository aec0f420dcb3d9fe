// Package unordered is scheme 1: an unordered list of timers, each decremented
// on every tick (section 3.1 of the paper).
//
//	         now 3
//	list --> 7(4) <-> 2(1) <-> 9(250)         id(ticks left)
//	            |        |        |
//	tick 4:  7(3)     2(0)     9(249)         2 is due
//
// Start puts the timer at the end of the list, with its interval as the ticks
// it has left. O(1), and no scheme does less.
//
// Stop unlinks the record that the handle names. O(1).
//
// PerTick decrements every outstanding timer; one that reaches 0 is due. O(n)
// on every tick, so a timer is visited once for every tick that it stays: T times
// on average.
//
// Expire hands out the due list. O(1) a timer.
//
// Restart unlinks the timer and links it at the end, in the same record. O(1).
// Next looks for the lowest number of ticks left, and Advance takes that many off
// every timer at once. O(n).
//
// Space: one record a timer, the least possible.
//
// Choose it for a handful of timers, or if nearly all are stopped within a few
// ticks. For anything else PerTick is too expensive.
//
// Where this deviates from the paper: nowhere, except that records are linked
// in both directions, as in all schemes here, so that Stop needs no search.
package unordered
