// Package demand describes what a program asks of its timers in its own terms: so many
// timers, intervals in seconds, timers that are stopped or restarted after a time, the
// length of a tick. From that come the lives that a workload.Mixture is made of, and what
// the paper's formulas need: n, λ and R, which Little's law ties, n = λ·R.
//
// Presets are demands of known programs and kinds of program. Each field has a source,
// or is marked as assumed.
package demand
