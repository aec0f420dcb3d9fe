// Package pick recommends a scheme and its sizes for a workload, by measuring alone.
//
//  1. The candidates are the schemes of the registry at sizes that suit the workload. Pick
//     rejects what cannot serve it.
//  2. Copies of the workload, of fewer timers, predict what a timer costs with each candidate.
//  3. The first six of that order race with all timers: each round takes them through the same
//     operations, on fresh schemes, by CPU time. One that is clearly slower leaves.
//  4. The race ends when the intervals of the ratios decide, to a tenth, or when its time is up.
//
// A candidate that did not race is not said to be slower; the outcome has what the copies
// predict of it. A Judgement of many Cases compares each pick, in a duel, with the winner of a
// thorough race of every candidate, also at sizes that pick does not consider.
package pick
