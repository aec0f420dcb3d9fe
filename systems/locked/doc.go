// Package locked is the plainest facility: any scheme of the registry under one lock, and
// one worker, which sleeps until the earliest timer or, stepping, wakes for every tick. It
// is for whoever has picked a scheme and its sizes, and shows what a scheme does to those
// who wait for the lock.
//
// An action is late by at most a tick, and what the worker's scheduling and earlier actions
// add. A duration beyond the scheme's range is an error.
package locked
