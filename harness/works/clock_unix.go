//go:build unix

package works

import (
	"syscall"
	"time"
)

// cpuTime returns the CPU time of the process, user and system. It is the
// system's, so it goes on where package time's clock is a test's.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // it cannot be refused
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
