//go:build unix

package run

import (
	"syscall"
	"time"
)

// CPUTime returns the CPU time of the process, user and system. It advances even in a
// bubble of testing/synctest, where package time's clock is fake.
func CPUTime() time.Duration {
	r := rusage()
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// Switches returns how often a thread of the process went to sleep, once per wake-up, and
// whether the system reports it.
func Switches() (n int64, ok bool) { return int64(rusage().Nvcsw), true }

func rusage() (r syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err) // getrusage of the own process does not fail
	}
	return r
}
