// Package multilevel is the hierarchical wheel as articles explain it first: the wheels of
// package kafka, of 20 slots each, the lowest of 1 ms, and a worker that wakes for every
// tick, empty or not. It is the contrast to package kafka: what the delay queue saves.
//
// An action is late by at most a tick, and what the worker's scheduling and earlier actions
// add.
package multilevel
