// Package jdk has the timers of the JDK (as of OpenJDK 21): java.util.Timer, a binary heap
// under one lock whose one thread runs the actions, so that a slow one delays all others,
// and ScheduledThreadPoolExecutor, the same heap with a pool of workers of which one leads,
// waiting for the earliest. Both leave cancelled timers in the heap until they would have
// been due; the executor can be told to remove them.
//
// The JDK counts in ms and in ns; here a tick is 1 µs, which is how late an action may be
// beyond scheduling and, with one worker, the actions before it. java.util.Timer follows the
// wall clock and its steps; here both follow the monotonic one. Left out: periodic tasks,
// purge, futures, growing and shrinking pools, and threads that outlive their actions'
// panics by ending the timer.
package jdk
