// Package std is Go's own timers behind the interface of the others: a heap with four
// children a node for each processor, whose actions run each on a goroutine of its own
// (runtime/time.go as of go1.26). What is added is Close, for which the facility knows every
// timer that waits: in one of many lists, so that processors seldom meet at a lock.
//
// An action is late by what the runtime's scheduling takes; there are no ticks.
package std
