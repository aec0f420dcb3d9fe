// Package std provides Go's own timers as a facility. The runtime (runtime/time.go as of Go
// 1.26) has a four-ary heap for each processor and runs each action on a goroutine of its own.
// The package adds Close, for which it lists all pending timers: in one of many lists each, so
// that processors seldom contend for a lock.
//
// There are no ticks. An action runs late by the runtime's scheduling delay.
package std
