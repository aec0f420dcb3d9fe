package bench

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// requests wakes a goroutine up through the netpoller, as requests do. One that sleeps would be woken by the runtime's
// timers, and with it those of services: 5,000 Resets a second then take 0.3 % of a core instead of 1.6 %.
type requests struct{ *os.File }

func newRequests(every time.Duration) requests {
	at := unix.NsecToTimespec(max(1, every.Nanoseconds()))
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err == nil {
		err = unix.TimerfdSettime(fd, 0, &unix.ItimerSpec{Interval: at, Value: at}, nil)
	}
	if err != nil {
		panic(err) // no file is left
	}
	return requests{os.NewFile(uintptr(fd), "timerfd")}
}

func (r requests) wait() error {
	_, err := r.Read(make([]byte, 8))
	return err
}
