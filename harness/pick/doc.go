// Package pick finds the scheme, and its sizes, that serve a workload at the least
// cost: candidates that the workload's numbers suggest, without those that cannot serve
// it, are hopeless by the paper's table of costs or predicted to be far too slow, and a
// race of the others on the workload itself at its real n. Every round runs all that are
// still in the race, in a shuffled order, each while nothing else computes on the same core;
// who is clearly behind drops out; what is left is ranked by the lower quartile of its runs,
// and compared round by round.
//
// A Model predicts: steps of a timer's life, from the formulas of package cost, at prices
// that a Calibration found on this machine. It decides who runs, and where another
// candidate would win (Flips), not who wins. A sweep of Cases compares picks with the
// measurement of all candidates.
package pick
