// Package hashunsorted is scheme 6: a hashed wheel whose slots are unsorted
// lists (section 6.1.2 of the paper), one of the two schemes that the paper
// recommends.
//
//	now 10, M = 8
//
//	  slot   0   1  [2]  3   4   5   6   7     [ ]: the pointer, now mod M
//	         |               |
//	       4(1)            5(11)               id(rounds left)
//	       9(3)            7(1)
//	                       2(2)
//
// Start puts the timer at the end of slot (pointer + interval) mod M, with the
// number of times that the pointer must come there: interval/M rounded up. O(1),
// at worst as on average.
//
// Stop unlinks the record that the handle names. O(1).
//
// PerTick moves the pointer by one slot and takes a round off every timer in it;
// those with none left are due. Where intervals are long against M that is n/M
// timers on average, whatever the hash does: it governs only how unevenly the
// ticks share them. Where they are at most M it is n/T, and every timer visited
// is due. O(n) at worst.
//
// Expire hands out the due list. O(1) a timer.
//
// Restart moves the timer to its new slot, in the same record. O(1). Next looks at
// the timers of the occupied slots, which a bit a slot tells, as far as one may be
// the first. Advance takes rounds off slot by slot for one time round at most;
// then it looks for the fewest rounds left and takes all but one of these off
// every timer at once. O(M/64 + n) at worst, however many ticks it passes.
//
// Space: a record a timer, and one of 32 bytes and a bit a slot.
//
// Choose it if memory allows M near T, or n/M is small: a timer that expires is
// visited interval/M times, rounded up. If T is long against M, choose scheme 7.
//
// Four variants, each with one thing changed:
//
// hashunsorted-absolute keeps the absolute expiry where the others count rounds,
// and compares it with the clock (section 3.1: every scheme can do either). It
// visits the same timers and expires them in the same order, but writes to none
// that stays, unless its neighbour leaves. It tells what the decrement costs. Its
// Advance looks for the earliest expiry and goes there at once.
//
// hashunsorted-mulhash puts an absolute expiry into the slot that a
// multiplicative hash gives, so PerTick must hash the clock on every tick, which
// is why the paper advises against any hash dearer than an AND (section 6.1.2).
// As the pointer jumps, a timer is visited interval/M times and up to about once
// more, even one of an interval below M. What a hash can improve is how evenly
// the ticks share the visits, where intervals have multiples of M in common; the
// mean stays n/M. Slots that are next to each other are not so in time: Next
// looks at all timers, and so does Advance after a few single ticks.
//
// hashunsorted-lazy only marks a timer at Stop, O(1) with one write, and PerTick
// discards it when its rounds are used up, as simulators do with cancelled
// events (section 4.2). Until then it is held and visited like the others: the
// records held are the starts of one whole interval, however soon they are
// stopped. Where nine timers in ten are stopped after a twentieth of it, that is
// 6.9 times the timers outstanding. A due timer is unlinked by Stop at once,
// and a restarted one leaves no record behind.
//
// hashunsorted-chunked keeps a slot as an array in place of a list: the entries of
// its timers, each the lower half of an expiry and the index of a record.
//
//	slot   0   1  [2]  3   4   5   6   7     [ ]: the pointer, now mod M
//	       |               |
//	  [.|4|9|.|..]      [.|5|7|2|..]         a chunk: its link, then entries;
//	                                         7 fit into the first, 31 into others
//
// Where a list is a chain of records, each of which must have come from memory
// before the place of the next is known, PerTick here reads the slot from end to
// end, and the records of what is due all at once. Start is O(1). Stop too: it
// leaves the entry, which serves the record's next timer if that expires no earlier,
// and otherwise is discarded when it comes up, or by a sweep of 8 entries for every
// Stop and expiry as long as such entries are more than half as many as the timers
// that wait; more than n of them, and a chunk, there are not. Restart is one write
// if the timer now expires later, else O(1) too. PerTick compares n/M entries on
// average, 2n/M at worst where many timers are stopped. Next and Advance are as
// above, O(M/64 + n) a time round. Beyond 2^32 ticks half an expiry does not tell:
// the entry comes up every 2^32 ticks and is put back, a stopped timer's serves no
// other, and such a timer takes over none. Order within a tick is not that of the
// starts.
//
// Space: a record of 20 bytes, with 2 to return it by, and an entry of 8 a timer; a
// chunk of 256 bytes for 31 entries, and one of 64 a slot that serves its first 7.
// What is beyond what was reserved is given back after a peak. On Linux stores of a
// megabyte and more are mapped, not in Go's heap: the runtime does not count them, and
// OffHeap does. There are at most 2^28 - 2^16 timers, after which Start
// returns ErrFull, and 2^28 slots.
//
// Choose it if n records are more than the cache holds. If they fit, lists do as
// well with half the memory a slot, and of what is stopped nothing stays.
//
// Where this deviates from the paper: the pointer's visits are counted, the last
// one included, so that a round count of 0 marks a timer as due; timers enter a
// slot at its end, not its head. The variants mulhash and lazy are what the paper
// argues against.
package hashunsorted
