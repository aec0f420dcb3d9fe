package load

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"time"
)

// requestPause is the least time between two requests: 4,000 wake-ups a second take 13 % of a core without timers, and 1 to
// 2 % more or less from one part of the time to the next.
const requestPause = 250 * time.Microsecond

// Requests writes bytes at random times, as requests reach a program: one in each such time, on average. It ends when
// nothing reads them any more.
func Requests(w io.Writer, each time.Duration) error {
	signal.Ignore(os.Interrupt) // which is for the program that reads
	for next := time.Now(); ; {
		next = nextRequest(next, time.Now(), each)
		sleep(time.Until(next))
		if _, err := w.Write([]byte{1}); err != nil {
			return err
		}
	}
}

// nextRequest returns when the next request is sent.
func nextRequest(last, now time.Time, each time.Duration) time.Time {
	next := last.Add(time.Duration(rand.ExpFloat64() * float64(each)))
	if soonest := now.Add(requestPause); next.Before(soonest) {
		return soonest
	}
	return next
}

// requests waits for the requests of a process, in the netpoller, as servers do. The runtime's timers would wake a goroutine
// that sleeps, and run a service's timers with it; a goroutine that is woken at equal times falls in step with them. Nor is
// a timer of the kernel like requests: where 13,000 timers a second expired, Go's took twice as much with one.
func (p *population) requests() (wait func() error, end func(), err error) {
	sender := exec.CommandContext(p.ctx, p.Requests[0], append(slices.Clone(p.Requests[1:]), p.each.String())...)
	out, err := sender.StdoutPipe()
	if err == nil {
		err = sender.Start()
	}
	if err != nil {
		return nil, nil, err
	}
	wait = func() error {
		if _, err := out.Read(make([]byte, 64)); err != nil { // all that have come
			return fmt.Errorf("no more requests: %w", err)
		}
		return nil
	}
	end = func() {
		_ = sender.Process.Kill()
		_ = sender.Wait() // which says that it was killed
	}
	if err = wait(); err != nil { // a process takes a while to start, in which the driver would fall behind
		end()
		err = cmp.Or(context.Cause(p.ctx), err)
	}
	return wait, end, err
}
