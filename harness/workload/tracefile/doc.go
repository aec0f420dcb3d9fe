// Package tracefile reads what the timers of a real program did: traces in a text
// format of ours, and what Linux prints of its timer tracepoints. It reads a line at a
// time, so a trace may be larger than memory; what is kept are the timers outstanding.
//
// Ours begins with header lines, and then has a line for each operation:
//
//	# tick: 1ms
//	# source: gateway, 2026-11-03
//	0 start 17 30000
//	4 restart 17 30000
//	9 stop 17
//
// The columns are the tick, what was done, the timer, and for a start or restart the
// interval in ticks. Timers are numbers, which may be used again when a timer has ended.
// Ticks do not decrease. A timer expires by itself when its interval has passed, before
// the operations of that tick: no line says so, and a stop on that tick is an error.
//
// Linux's are lines of ftrace or of perf script with the events timer_start,
// timer_cancel and timer_expire_entry, which kernel.go explains.
//
// Either may be compressed with gzip. A line that is not right is an error that has its
// number; nothing is guessed.
package tracefile
