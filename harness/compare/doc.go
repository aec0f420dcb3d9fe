// Package compare sets raw files against each other: what changed from one to the
// next, which subject is fastest over many cells, whether a change passes a gate,
// whether a machine can measure one, and what several machines agree on.
//
// Times are compared as benchstat compares them: medians, and the Mann-Whitney U-test of
// package benchmath. The interval of a ratio is that of the same test. Counts are
// exact, so any difference is a change.
package compare
