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
//	A timer of 50 min 45 s, started now, expires at 11 d 11:15:15:
//
//	  level 2   ... [10] 11 ...        it waits in hour 11, the highest digit
//	                      |            in which expiry and clock differ;
//	  level 1   ... 15 ...             at 11:00:00 it migrates to minute 15,
//	                 |
//	  level 0   ... 15 ...             at 11:15:00 to second 15,
//	                 |                 and at 11:15:15 it is due.
//
// Start writes the timer's absolute expiry and the clock as numbers in the
// wheels' radices and puts the timer on the level of the highest digit that
// differs, in the slot of the expiry's digit there. O(m).
//
// Stop unlinks the record that the handle names. O(1).
//
// PerTick moves the lowest pointer by one slot; all timers in that slot are due.
// A wheel that comes round moves the next pointer on by one slot, and the timers
// in that slot migrate: each goes to the level of its next differing digit, or is
// due if none is left. A digit of 0 skips its level. O(1) on average plus at most
// m-1 migrations for a timer's whole life; at worst O(n) when many timers share
// an upper slot.
//
// Expire hands out the due list. O(1) a timer.
//
// Restart moves the timer to its new slot, in the same record. O(m). Next looks on
// each level for the next occupied slot, which a bit a slot tells, and at the
// timers of those that may hold the first. Advance goes there in one step: a timer
// migrates at most once on the way, however many levels that leaves out. O(m +
// M/64), and O(1) for each timer of a slot that begins meanwhile.
//
// Space: a record a timer, and one of 32 bytes and a bit a slot: 244 slots reach
// as far as 8.64 million of scheme 4.
//
// Choose it if intervals range widely or T is long against the slots that memory
// allows. If T is near M, scheme 6 does without migrations.
//
// Where this deviates from the paper: the upper pointers are moved by the wheel
// below them, not by timers of their own. An expiry beyond the highest wheel's
// present time round waits on that wheel, also where its digit equals the clock's.
//
// # Variants
//
// Level l has radix r(l); its weight w(l) is the product of the radices below it,
// and w(0) = 1. J is the interval. The variants differ in Start alone: in the
// level that it chooses, and in what it makes of the expiry before it puts the
// timer into the slot of that level's digit. Where the expiry becomes a multiple
// of the level's weight, the timer is due when its slot comes and never migrates.
// The example is the timer above, which should expire at 11:15:15.
//
//	hierarchical-        level by  expiry rounded    worst error, early  late      due at    moves
//	  (this)             digit     not               0             0         11:15:15  2
//	  interval           interval  not               0             0         11:15:15  1
//	  ondemand           digit     not               0             0         11:15:15  1
//	  nomigrate          interval  up to w(l)        0             w(l)-1    11:16:00  0
//	  nomigrate-nearest  interval  nearest w(l)      (w(l)-1)/2    w(l)/2    11:15:00  0
//	  nomigrate-down     interval  down to w(l)      w(l)-1        0         11:15:00  0
//	  nomigrate-digit    digit     down to w(l)      min(J,w)-1    0         11:00:00  0
//	  once               interval  nearest w(l-1)    (w'-1)/2      w'/2      11:15:15  1
//	  once-digit         digit     down to w(l-1)    min(J,w')-1   0         11:15:00  1
//
// Quotients are rounded down; w' is w(l-1), or 1 on level 0; by digit, w and w'
// are those of the highest level, whatever J is. The errors are what Bound tells.
//
// hierarchical-interval puts the timer on the lowest level whose span, w(l)r(l),
// is at least J; J of exactly the span is the pointer's own slot, which it comes
// to again after one time round. Many implementations choose so. A timer within a
// wheel's span never migrates to it, where by digit it does whenever the clock
// passes the beginning of a slot above it meanwhile: fewer migrations of short
// timers for the same O(m) Start. The slot is still that of the absolute expiry.
// To count the interval's own digits from the pointers is a known mistake: such a
// timer expires early by as much as the lower pointers have turned.
//
// hierarchical-ondemand has the lowest wheel only until a Start needs a higher
// one, and then for good: the radices of the Config, then its last one again (at
// least 2), up to the clock's end. There is no range to choose beforehand and no
// memory for wheels that no timer needs, at the cost of O(slots made) in the few
// Starts that make wheels. Until there is a higher wheel, timers wait for the
// next time round of the highest, so some migrate less than with all wheels there.
//
// hierarchical-chunked is the paper's own scheme with arrays for slots, in place of
// lists: a slot is a chain of chunks full of entries, each the lower half of an expiry
// and the index of a record.
//
//	level 1   [.|a|b|c|..]          minute 15: the entries of all its timers
//	            |  \___ \__
//	level 0   [.|a] [.|c] [.|b]     go to seconds, told by the entries alone
//
// A timer of a list that migrates must have come from memory before the place of the
// next is known. Entries are read one after the other and migrate without their
// records, which are read when their slot of the lowest wheel comes up, together with
// those of the slots after it. Start is O(1) if the radices are powers of two, else
// O(m). Stop is O(1): it leaves the entry, which serves the record's next timer if
// that expires no earlier, and otherwise is discarded when it comes up, or by a sweep
// of 8 entries for every Stop and expiry as long as such entries are more than half
// as many as the timers that wait; more than n of them, and a chunk, there are not.
// Restart is one write if the timer now expires later, else what Start is. PerTick,
// Next and Advance are as above, Advance from one occupied slot to the next: O(m +
// M/4096) for each. Where a slot lasts more than 2^32 ticks, half an expiry does not
// tell, and its records are read when it comes up; a timer so far away takes over no
// entry, and leaves one that serves no other.
//
// Its space: a record of 20 bytes, with 2 to return it by, and an entry of 8 a timer;
// a chunk of 256 bytes for 31 entries, and one of 64 a slot that serves its first 7.
// What is beyond what was reserved is given back after a peak. On Linux stores of a
// megabyte and more are mapped, not in Go's heap: the runtime does not count them, and
// OffHeap does. There are at most 2^28 - 2^16 timers, after which Start
// returns ErrFull, and fewer than 2^28 slots.
// Choose it if n records are more than the cache holds. If they fit, lists do as well
// with half the memory a slot, and of what is stopped nothing stays.
//
// hierarchical-nomigrate and its like are Nichols' variant (section 6.2 of the
// paper): precision falls with the interval, and what is saved is every migration.
// PerTick is O(1 + timers due) plus the pointers. By interval the error is in
// proportion to J: rounded down it is less than J, to the nearest at most about
// half of J; rounded up a timer is never early, and late by about J at most (by
// less than J r/(r-1), where r is the radix of the level below). By digit, as the
// paper's own example has it, the level says nothing of J: 20 minutes started at
// 10:59:59 are on the level of hours and over after a second.
//
// hierarchical-once and hierarchical-once-digit are the paper's way between: one
// migration, to the level below, whose weight then is the error's measure. By
// interval that is at most about J/(2r(l-1)); by digit again nearly all of J.
//
// Rounding up or to the nearest needs a slot to round into, so a level takes
// intervals only up to its span less what rounding may add, and Range is the
// largest that any level takes: less than the product of the radices by w-1
// (nomigrate), w/2 (nomigrate-nearest) or w'/2 (once) of the highest level. That
// level takes everything if its span exceeds the clock. An expiry so near
// the clock's end that rounding might lead past it is not rounded, and its timer
// is exact and migrates by digit.
package hierarchical
