//go:build linux || darwin || freebsd

package run

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime returns the CPU time of the process, user and system. It advances even in a
// bubble of testing/synctest, where package time's clock is fake.
func CPUTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err) // getrusage of the own process does not fail
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// ThreadTime returns the CPU time of the present thread, which a goroutine must be locked to between two readings. It is
// exact to nanoseconds, and a reading is a system call of some 0.3 µs.
func ThreadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // the clock of the own thread does not fail
	}
	return time.Duration(t.Nano())
}
