// Package pick recommends a scheme and its sizes for a workload.
//
//  1. Candidates lists the schemes of the registry at sizes that suit the workload, and
//     rejects those that cannot serve it or keep its limits.
//  2. A CostModel, calibrated on this machine, rejects those that are predicted to be far
//     slower than the best.
//  3. A Race measures the rest on the workload itself, at its real n, in interleaved rounds.
//     Candidates that are clearly slower drop out; the others are ranked by lower quartile.
//
// The model decides which candidates run and where the break-even points are. The winner is
// always one that was measured. A sweep of Cases compares picks with a measurement of every
// candidate.
package pick
