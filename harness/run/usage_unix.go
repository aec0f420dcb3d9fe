//go:build unix

package run

import (
	"syscall"
	"time"
)

// CPUTime returns the CPU time of the process, user and system. It is the system's, so
// it goes on where package time's clock is a test's.
func CPUTime() time.Duration {
	r := rusage()
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// Switches returns how often a thread of the process went to sleep, which each wake-up
// ends with; false where the system does not tell.
func Switches() (n int64, ok bool) { return int64(rusage().Nvcsw), true }

func rusage() (r syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err) // it cannot be refused
	}
	return r
}
