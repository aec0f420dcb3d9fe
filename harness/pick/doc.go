// Package pick recommends a scheme and its sizes for a workload, by measuring alone: copies of the workload put the
// candidates in order, and the first six race; README.md has the rules. A candidate that did not race is not said to be
// slower. A Judgement of many Cases compares each pick, in a duel, with the winner of a thorough race of every candidate,
// also at sizes that pick does not consider.
package pick
