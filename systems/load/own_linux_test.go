package load_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"timerlab/systems/sharded"
)

// ownLoad is what own runs.
type ownLoad struct {
	Service string // "time.AfterFunc", "sharded" or "nothing"
	Fate    string // of all timers: "stop", "restart" or "expire"
	N       int
	Stay    time.Duration // mean. Stays are uniform up to twice that, but those of timers that expire are intervals
	Times   float64       // the mean interval in mean stays, 1 if timers expire
	Varied  bool          // intervals are uniform from half to one and a half times their mean, else constant
	Awake   bool          // the program sleeps for 1 ms each time, and is not woken by requests
	Length  time.Duration // for how long it is measured
}

// own is a program that uses timers, in a process of its own. It shares no code with package load, so that what both
// find is not the fault of one.
type own struct {
	ownLoad
	open                    func(time.Duration, func()) (timer, error)
	timers                  []atomic.Value
	started, ended, expired atomic.Int64 // lives; ended are stopped or restarted
	closing                 atomic.Bool
}

type timer interface {
	Stop() bool
	Reset(time.Duration) bool
}

// ownUse is what own prints.
type ownUse struct {
	CPU, Seconds   float64
	Ended, Expired int64 // lives that were stopped or restarted, and that expired
	Lost           int64 // lives that had not ended when all timers were stopped
}

const ownVariable = "TIMERLAB_OWN" // has an ownLoad, in the process of an own only

// TestOwnProcess is that process.
func TestOwnProcess(t *testing.T) {
	var o own
	if json.Unmarshal([]byte(os.Getenv(ownVariable)), &o.ownLoad) == nil {
		_ = json.NewEncoder(os.Stdout).Encode(o.run())
	}
}

func (o *ownLoad) expires() bool { return o.Fate == "expire" }

func uniform(from, to float64) float64 { return from + rand.Float64()*(to-from) }

// life returns an interval and how long the timer stays of it.
func (o *ownLoad) life() (interval, stay time.Duration) {
	interval = time.Duration(o.Times * float64(o.Stay))
	if o.Varied {
		interval = time.Duration(uniform(0.5, 1.5) * float64(interval))
	}
	if o.expires() {
		return interval, interval
	}
	return interval, time.Duration(uniform(0, 2) * float64(o.Stay))
}

// pending returns what is left of a life in the steady state, where one is pending for as likely as it is long.
func (o *ownLoad) pending() (interval, stay time.Duration) {
	for {
		if interval, stay = o.life(); uniform(0, 2) < float64(stay)/float64(o.Stay) {
			age := time.Duration(rand.Float64() * float64(stay))
			return interval - age, stay - age
		}
	}
}

func (o *own) start(i int, d time.Duration) {
	if o.open == nil {
		return
	}
	o.started.Add(1)
	t, err := o.open(d, func() {
		o.expired.Add(1)
		if o.expires() && !o.closing.Load() {
			again, _ := o.life()
			o.start(i, again)
		}
	})
	if err != nil {
		panic(err)
	}
	o.timers[i].Store(t)
}

// end ends the life of a timer that does not expire, and begins the next one.
func (o *own) end(i int, next time.Duration) {
	t, _ := o.timers[i].Load().(timer)
	if t == nil {
		return
	}
	pending := false // else it has expired, and is counted by its action
	if o.Fate == "restart" {
		o.started.Add(1)
		pending = t.Reset(next)
	} else {
		pending = t.Stop()
		o.start(i, next)
	}
	if pending {
		o.ended.Add(1)
	}
}

// fill starts the timers, on all processors as Go has a heap for each. A service looks at a timer that was restarted when
// an earlier deadline of it passes: in the steady state that is at any time from now on.
func (o *own) fill(left []time.Duration) {
	var all sync.WaitGroup
	procs := runtime.GOMAXPROCS(0)
	each := func(do func(i int)) {
		for p := range procs {
			all.Go(func() {
				for i := p; i < o.N; i += procs {
					do(i)
				}
			})
		}
		all.Wait()
	}
	each(func(i int) {
		d := left[i]
		if o.Fate == "restart" {
			d = rand.N(d)
		}
		o.start(i, d)
	})
	if o.Fate == "restart" {
		each(func(i int) { o.end(i, left[i]) })
	}
}

// run fills the program with timers, lets it run, and returns what it has used after a fourth of that time.
func (o *own) run() ownUse {
	switch o.Service {
	case "time.AfterFunc":
		o.open = func(d time.Duration, f func()) (timer, error) { return time.AfterFunc(d, f), nil }
	case "sharded":
		service, err := sharded.New(sharded.Options{})
		if err != nil {
			panic(err)
		}
		o.open = func(d time.Duration, f func()) (timer, error) { return service.AfterFunc(d, f) }
	}
	o.timers = make([]atomic.Value, o.N)
	// Until it is stopped or restarted, a timer is in one of these lists, of which the program takes one for each step.
	const lists = 1 << 20
	step, now := max(50*time.Microsecond, 2*o.Stay/(lists-2)), 0
	first, next, left := make([]int32, lists), make([]int32, o.N+1), make([]time.Duration, o.N)
	later := func(i int, stay time.Duration) {
		at := (now + 1 + int(stay/step)) % lists
		next[i+1], first[at] = first[at], int32(i+1)
	}
	for i := range left {
		interval, stay := o.pending()
		if left[i] = interval; !o.expires() {
			later(i, stay)
		}
	}
	o.fill(left)
	wait, begun, before := o.waking(), time.Now(), ownUse{}
	for {
		wait()
		for ; now < int(time.Since(begun)/step); now++ {
			due := first[now%lists]
			for first[now%lists] = 0; due != 0; {
				i := int(due) - 1
				due = next[due]
				interval, stay := o.life()
				later(i, stay)
				o.end(i, interval)
			}
		}
		var r syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
		u := ownUse{float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9, time.Since(begun).Seconds(), o.ended.Load(), o.expired.Load(), 0}
		switch {
		case before.Seconds == 0 && u.Seconds >= o.Length.Seconds()/4:
			before = u
		case before.Seconds > 0 && u.Seconds >= before.Seconds+o.Length.Seconds():
			return ownUse{u.CPU - before.CPU, u.Seconds - before.Seconds, u.Ended - before.Ended, u.Expired - before.Expired, o.lost()}
		}
	}
}

// waking returns what waits until the program wakes up. The runtime waits for requests as those of a server.
func (o *own) waking() func() {
	if o.Awake {
		return func() { time.Sleep(time.Millisecond) }
	}
	if err := syscall.SetNonblock(0, true); err != nil {
		panic(err)
	}
	requests, some := os.NewFile(0, "requests"), make([]byte, 64)
	return func() {
		if _, err := requests.Read(some); err != nil {
			panic(err)
		}
	}
}

// lost stops all timers and returns how many lives have not ended by then, after a minute at most.
func (o *own) lost() (lost int64) {
	if o.open == nil {
		return 0
	}
	o.closing.Store(true)
	for range 6000 {
		for i := range o.timers {
			if t, _ := o.timers[i].Load().(timer); t != nil && t.Stop() {
				o.ended.Add(1)
			}
		}
		if lost = o.started.Load() - o.expired.Load() - o.ended.Load(); lost == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond) // for actions that have begun
	}
	return lost
}
