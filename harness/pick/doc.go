// Package pick recommends a scheme and its sizes for a workload, by measuring alone.
//
//  1. The candidates are the schemes of the registry at sizes that suit the workload. Pick
//     rejects what cannot serve it.
//  2. A Race probes every candidate on a short piece of the workload, at its real n. What it
//     costs there is a lower bound of what it costs later, when wheels have turned.
//  3. Batches of the best run into the steady state, until no other candidate is left whose
//     probe was about as fast as the best is there.
//  4. The finalists run in interleaved rounds, each on the same operations. A winner has six
//     rounds or more and an interval, or the outcome says how much time that takes.
//
// Nothing is predicted: a candidate is excluded because it cannot serve the workload or because
// it was measured to be slower. A Judgement of many Cases compares each pick, in a duel, with the winner of a
// thorough race of every candidate, also at sizes that pick does not consider.
package pick
