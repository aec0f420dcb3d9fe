// Package tree is scheme 3: a tree of timers keyed by absolute expiry (section
// 4.1.1 of the paper). The scheme itself is a binary heap; the variants are
// wider heaps and the two other trees that the paper names.
//
//	now 3                      2(4)          id(expiry)
//	                         /      \
//	                     7(9)        9(7)
//	                    /    \
//	                5(250)  4(11)
//
// No timer of a heap expires before the one above it, so the first to expire is
// on top. The heap is an array, filled level by level, so going up or down is
// arithmetic. An entry holds the expiry beside the record's index, so comparing
// reads the array only.
//
// Start appends the timer and moves it up past later ones: O(log n) at worst,
// O(1) on average for most distributions.
//
// Stop finds the timer's place in its record, fills it with the last entry and
// moves that up or down: O(log n).
//
// PerTick compares the clock with the first timer to expire, O(1), and takes it
// off if it is due, O(log n) each.
//
// Expire hands out the due list. O(1) a timer.
//
// Restart moves the entry up or down from where it is to where it now belongs:
// O(log n). Next reads the first timer's expiry, O(1), and Advance goes there: O(1),
// and O(log n) for each timer due.
//
// Space: a record and an entry of 16 bytes a timer.
//
// # Wider heaps: tree-4ary, tree-256ary
//
// With d timers below each, a heap has log n / log d levels: Start passes fewer
// timers, while taking one out compares d on every level. Four siblings share a
// cache line, so a 4-ary heap reads half as many lines as a binary one. The
// 256-ary heap is for the comparison with a hierarchy of 256 slots a level, which
// has as many levels.
//
// # Unbalanced binary search tree: tree-bst
//
//	now 3          7(9)          to the left, earlier;
//	              /    \         to the right, later or on the same tick
//	          2(4)      4(11)
//	              \         \
//	              9(7)      5(250)
//
// Start goes down from the top to where a link leads nowhere, and hangs the timer
// there: O(depth). The depth is O(log n) on average if expiries come in random
// order, but nothing keeps it so. Unbalanced trees "easily degenerate into a
// linear list": with equal intervals each timer expires after all others, the
// tree is a list along the right, and Start compares with all n. Uniform
// intervals do not spare it either: timers leave on the left and enter on the
// right, and the depth grows as the square root of n. Exponential intervals do:
// about 1.3 log2 n.
//
// Stop closes the gap: in O(1) if the timer has at most one below it, as the paper
// has it; else its successor takes its place, which is O(depth) away.
//
// Restart takes the timer out and in again, in the same node.
//
// PerTick knows the leftmost timer, the first to expire. O(1), and O(1) on
// average for each timer due, which has none on its left. Timers due on one tick
// expire in the order of their starts.
//
// Space: a record and a node of 24 bytes a timer. Nodes made for a peak are kept.
//
// # Leftist heap: tree-leftist
//
//	now 3          2(4) 2
//	              /      \        behind each timer, the nodes on the shortest
//	          7(9) 2    9(7) 1    way down to a missing one
//	         /      \
//	    5(250) 1   4(11) 1
//
// A heap of linked nodes, not an array, whose shortest way down is always along
// the right, at most log2(n+1) nodes. All it does is to merge two heaps along
// that way.
//
// Start merges with a heap of one timer, and PerTick, for each timer due, the two
// heaps below the top: O(log n). Stop merges the two below the timer into its
// place and repairs the lengths above only as far as they change: O(log n).
// No distribution of the intervals makes it worse than that. Restart takes the
// timer out and in again, in the same node.
//
// Space: as tree-bst.
//
// # When to choose it
//
// Choose a heap where intervals may be anything, ticks are many and mostly idle,
// and n is moderate. Taking the top off reads log2 n levels and writes each moved
// timer's place into its record: for many timers a wheel is several times
// faster. The linked trees read a node a level, each a cache miss once they
// outgrow the cache; choose tree-bst only where intervals are known to spread.
//
// Where this deviates from the paper: it names post-order and end-order trees
// too, and balanced ones; heaps are what today's timer facilities use. Stop is
// O(log n) in a heap, as the paper has it for balanced trees, and not always O(1)
// in tree-bst.
package tree
