//go:build unix

package run

import (
	"syscall"
	"time"
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
