package load_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"timerlab/systems/sharded"
)

// own is a program that uses timers, in a process of its own. It shares no code with package load, so that they have no
// fault in common. Timers expire, or any at random is stopped or restarted, so that stays are exponential.
type own struct {
	Service     string  // "time.AfterFunc", "sharded" or "nothing"
	Fate        string  // "stop", "restart" or "expire"
	N           int     // timers
	Rate        float64 // lives a second
	Least, Mean float64 // intervals, in seconds: the least, and for the rest of their mean exponential
	Awake       bool    // the program sleeps for 1 ms each time, and is not woken by requests
	Length      float64 // seconds that are measured, after a fourth of that

	open                    func(time.Duration, func()) (timer, error)
	timers                  []atomic.Value
	started, ended, expired atomic.Int64 // lives; ended are stopped or restarted
}

type timer interface {
	Stop() bool
	Reset(time.Duration) bool
}

type none struct{} // in a program without timers

func (none) Stop() bool               { return true }
func (none) Reset(time.Duration) bool { return true }

// used is what own prints.
type used struct {
	CPU, Seconds         float64
	Ended, Expired, Lost int64 // lives; lost are those that have not ended when all timers are stopped
}

const ownVariable = "TIMERLAB_OWN" // has an own, in its process

// TestOwnProcess is that process.
func TestOwnProcess(t *testing.T) {
	var o own
	if json.Unmarshal([]byte(os.Getenv(ownVariable)), &o) == nil {
		_ = json.NewEncoder(os.Stdout).Encode(o.run())
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * 1e9) }

func (o *own) interval() float64 { return o.Least + rand.ExpFloat64()*(o.Mean-o.Least) }

// left returns what is left of an interval in the steady state. What is exponential does not depend on its past.
func (o *own) left() float64 {
	switch {
	case o.Fate != "expire":
		return max(1e-3, o.interval()-rand.ExpFloat64()*float64(o.N)/o.Rate)
	case o.Least > 0:
		return rand.Float64() * o.Least
	}
	return o.interval()
}

func (o *own) start(i int, s float64) {
	o.started.Add(1)
	t, err := o.open(seconds(s), func() {
		if o.expired.Add(1); o.Fate == "expire" {
			o.start(i, o.interval())
		}
	})
	check(err)
	o.timers[i].Store(t)
}

func (o *own) stop(i int) {
	if o.timers[i].Load().(timer).Stop() { // else its action has counted it
		o.ended.Add(1)
	}
}

func (o *own) restart(i int, s float64) {
	o.started.Add(1)
	if o.timers[i].Load().(timer).Reset(seconds(s)) {
		o.ended.Add(1)
	}
}

func (o *own) run() used {
	o.open = func(d time.Duration, f func()) (timer, error) { return time.AfterFunc(d, f), nil }
	switch o.Service {
	case "sharded":
		service, err := sharded.New(sharded.Options{})
		check(err)
		o.open = func(d time.Duration, f func()) (timer, error) { return service.AfterFunc(d, f) }
	case "nothing":
		o.open = func(time.Duration, func()) (timer, error) { return none{}, nil }
	}
	o.fill()
	wait, begun, before := o.waking(), time.Now(), used{}
	for made := 0.; ; {
		wait()
		for ; o.Fate != "expire" && made < o.Rate*time.Since(begun).Seconds(); made++ {
			if i := rand.IntN(o.N); o.Fate == "restart" {
				o.restart(i, o.interval())
			} else {
				o.stop(i)
				o.start(i, o.interval())
			}
		}
		var r syscall.Rusage
		check(syscall.Getrusage(syscall.RUSAGE_SELF, &r))
		now := used{float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9, time.Since(begun).Seconds(), o.ended.Load(), o.expired.Load(), 0}
		switch {
		case before.CPU == 0 && now.Seconds > o.Length/4:
			before = now
		case before.CPU > 0 && now.Seconds > before.Seconds+o.Length:
			return used{now.CPU - before.CPU, now.Seconds - before.Seconds, now.Ended - before.Ended, now.Expired - before.Expired, o.lost()}
		}
	}
}

// fill starts all timers. Services look at a timer that was restarted when an earlier deadline of it passes, in the steady
// state at any time. Go then looks at all others, too, up to one that was not restarted, so one in 1,000 is not.
func (o *own) fill() {
	o.timers = make([]atomic.Value, o.N)
	left := make([]float64, o.N)
	for i := range left {
		left[i] = o.left()
		first := left[i]
		if o.Fate == "restart" {
			first *= rand.Float64()
		}
		o.start(i, first)
	}
	for i := range left {
		if o.Fate == "restart" && i%1000 > 0 {
			o.restart(i, left[i])
		}
	}
}

// waking returns what waits until the program wakes up. The runtime waits for requests as in a server.
func (o *own) waking() func() {
	if o.Awake {
		return func() { time.Sleep(time.Millisecond) }
	}
	check(syscall.SetNonblock(0, true))
	requests, some := os.NewFile(0, "requests"), make([]byte, 64)
	return func() {
		_, err := requests.Read(some)
		check(err)
	}
}

// lost stops all timers and returns how many lives have not ended then, after half a minute at most.
func (o *own) lost() (lost int64) {
	for range 3000 {
		for i := range o.timers {
			o.stop(i)
		}
		if lost = o.started.Load() - o.ended.Load() - o.expired.Load(); lost == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond) // actions that have begun may start timers
	}
	return lost
}
