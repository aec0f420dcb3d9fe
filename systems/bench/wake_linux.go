package bench

import (
	"math/rand/v2"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// requests waits in the netpoller, as servers do for requests, which come at random; some that come together are served
// together. A goroutine that sleeps would be woken by the runtime's timers, and those of services with it; one that is
// woken at equal times falls in step with them.
func requests(each, together time.Duration) wakes {
	fd, _ := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC) // or -1, on which Read fails
	f := os.NewFile(uintptr(fd), "timerfd")
	wait := func() error {
		next := max(together, time.Duration(rand.ExpFloat64()*float64(each)))
		unix.TimerfdSettime(fd, 0, &unix.ItimerSpec{Value: unix.NsecToTimespec(next.Nanoseconds())}, nil)
		_, err := f.Read(make([]byte, 8))
		return err
	}
	return wakes{wait, func() { f.Close() }}
}
