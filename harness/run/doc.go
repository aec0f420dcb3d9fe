// Package run measures schemes. A Drive takes one scheme through one trace on the
// virtual clock and checks the outcome. A Cell is what is measured, and a Runner measures
// cells in seeded, shuffled, interleaved rounds: those of a Plan in this process, those of
// Children in one process per sample.
package run
