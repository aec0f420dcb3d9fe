package adapter

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the CPU time of a process, all threads together, to nanoseconds. false: unknown.
func cpuTime(pid int) (time.Duration, bool) {
	var t unix.Timespec
	err := unix.ClockGettime(int32(^pid<<3|2), &t) // what clock_getcpuclockid(3) returns
	return time.Duration(t.Nano()), err == nil
}
