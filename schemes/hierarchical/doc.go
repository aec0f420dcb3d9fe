// Package hierarchical is scheme 7: a hierarchy of wheels, like the hands of a
// clock (section 6.2 of the paper), one of the two schemes that the paper
// recommends.
//
//	level  a slot is    slots  reaches     now 11 d 10:24:30
//	  0    1 second        60  1 minute    pointer at 30
//	  1    1 minute        60  1 hour      pointer at 24
//	  2    1 hour          24  1 day       pointer at 10
//	  3    1 day          100  100 days    pointer at 11
//
//	A timer of 50 min 45 s, started now, is due at 11 d 11:15:15:
//
//	  level 2   ... [10] 11 ...        it waits in hour 11, the highest digit
//	                      |            in which deadline and clock differ;
//	  level 1   ... 15 ...             at 11:00:00 it migrates to minute 15,
//	                 |
//	  level 0   ... 15 ...             at 11:15:00 to second 15,
//	                 |                 and at 11:15:15 it is due.
//
//	Ahead of time (hierarchical-ahead), every wheel but the highest has slots for two
//	revolutions. With revolutions of 4, now 21:
//
//	  level 1   |      20..23 |      24..27 |      28..31 |
//	              its present   its next      from tick 24 on
//	              slot          slot          it is the next
//	                            |  |  |
//	  level 0   | 20 [21] 22 23 | 24 25 26 27 |
//	              present         next revolution: the timers of level 1's
//	              revolution      next slot come down one by one until tick 23
//
// Start writes the timer's deadline and the clock as numbers in the wheels' radices.
// It puts the timer on the level of the highest digit that differs, in the slot of
// the deadline's digit there. O(m); where all radices are powers of two, O(1) from a
// table of the levels.
//
// Stop unlinks the record that the handle names. O(1).
//
// PerTick moves the lowest pointer by one slot; all timers in that slot are due.
// When a wheel wraps, the next wheel advances by one slot and the timers in that
// slot migrate: each goes to the level of its next differing digit, or is due if
// none is left. A digit of 0 skips its level. O(1) on average, plus at most m-1
// migrations in a timer's whole life; at worst O(n), when many timers share an upper
// slot.
//
// Expire hands out the due list. O(1) a timer.
//
// Restart moves the timer to its new slot, in the same record. O(m). Next looks on
// each level for the next occupied slot, which one bit a slot marks, and at the
// timers of the slots that may hold the earliest. Advance goes there in one step: a
// timer migrates at most once on the way, however many levels that leaves out. O(m +
// M/64), and O(1) for each timer of a slot that begins meanwhile.
//
// Space: a record a timer, and one of 32 bytes and a bit a slot: 244 slots reach
// as far as 8.64 million of scheme 4.
//
// Choose it if intervals range widely or T is long against the slots that memory
// allows. If T is near M, scheme 6 needs no migrations. If the records outgrow the
// cache, choose hierarchical-chunked, and if the longest tick matters, hierarchical-ahead: variants.md
// describes them.
//
// Where this deviates from the paper: the upper pointers are moved by the wheel
// below them, not by timers of their own. A deadline beyond the highest wheel's
// present revolution waits on that wheel, also where its digit equals the clock's.
package hierarchical
