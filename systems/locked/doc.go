// Package locked is the simplest facility: any scheme of the registry under one lock, with one
// worker that sleeps until the earliest timer or, stepping, wakes up for every tick. Use it
// for a scheme and sizes of your own choice, or to measure how long a scheme blocks other
// clients of the lock.
//
// An action runs at most a tick late, plus the delays of scheduling and of earlier actions. A
// duration beyond the scheme's range is an error.
package locked
