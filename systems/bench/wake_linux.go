package bench

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// requests waits in the netpoller, as servers do for requests, which come at random. A goroutine that sleeps would be woken by the runtime's timers, and those of services with it; one that is
// woken at equal times falls in step with them.
func requests(each, pause time.Duration) wakes {
	fd, _ := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC) // or -1, on which Read fails
	f := os.NewFile(uintptr(fd), "timerfd")
	wait := func() error {
		unix.TimerfdSettime(fd, 0, &unix.ItimerSpec{Value: unix.NsecToTimespec(next(each, pause).Nanoseconds())}, nil)
		_, err := f.Read(make([]byte, 8))
		return err
	}
	return wakes{wait, func() { f.Close() }}
}
