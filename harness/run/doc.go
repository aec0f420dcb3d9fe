// Package run measures schemes. A Drive takes one scheme through one trace on the
// virtual clock and checks the outcome. A Plan runs cells in seeded, shuffled,
// interleaved rounds and hands each result to a Sink as it is made. A Contest does
// the same with one child process for each sample.
package run
