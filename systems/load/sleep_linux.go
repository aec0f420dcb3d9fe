package load

import (
	"time"

	"golang.org/x/sys/unix"
)

// sleep sleeps for less than a millisecond, too: the runtime's timers wait for whole ones.
func sleep(d time.Duration) {
	t := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&t, nil) // or until a signal
}
