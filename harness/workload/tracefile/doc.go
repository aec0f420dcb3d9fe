// Package tracefile reads what the timers of a real program did: traces in a text
// format of its own, and the output of Linux's timer tracepoints. It reads line by
// line, so a trace may be larger than memory; it keeps only the outstanding timers.
//
// The text format has header lines, then a line for each operation:
//
//	# tick: 1ms
//	# source: gateway, 2026-11-03
//	0 start 17 30000
//	4 restart 17 30000
//	9 stop 17
//
// The columns are the tick, the operation, the number of the timer, and for a start or
// restart the interval in ticks. A number may be reused when its timer has ended.
// Ticks do not decrease. A timer expires by itself when its interval has passed, before
// the operations of that tick: no line says so, and a stop on that tick is an error.
//
// Linux's traces are lines of ftrace or of perf script with the events timer_start,
// timer_cancel and timer_expire_entry; see kernel.go.
//
// Either may be compressed with gzip. A bad line is an error with its line number;
// nothing is guessed.
package tracefile
