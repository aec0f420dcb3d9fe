// Package jdk has the two timers of the JDK (as of OpenJDK 21). Both are a binary heap under
// one lock. In java.util.Timer one thread runs all actions, so a slow one delays all others.
// ScheduledThreadPoolExecutor has a pool of workers of which one, the leader, waits for the
// earliest timer. Both leave cancelled timers in the heap until their deadline; the executor
// can be configured to remove them at once.
//
// The JDK's clocks count ms and ns; here a tick is 1 µs. An action runs at most a tick late,
// plus the delay of scheduling and, with one worker, of earlier actions. java.util.Timer
// follows the wall clock and its steps; here both follow the monotonic clock. Periodic tasks,
// purge, futures, pools that grow and shrink, and the end of the timer when an action throws
// are left out.
package jdk
