package load_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
	"timerlab/systems/load"
	"timerlab/systems/sharded"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// own is a program that uses timers, in a process of its own. It shares no code with package load, so that they have no
// fault in common: its methods up to waking use package sharded and Go's. Timers expire, or any at random is stopped or
// restarted, so that stays are exponential.
type own struct {
	Service     string        // "time.AfterFunc", "sharded" or "nothing"
	Fate        string        // "stop", "restart" or "expire"
	N           int           // timers
	Rate        float64       // lives a second
	Least, Mean time.Duration // intervals: the least, and for the rest of their mean exponential
	Awake       bool          // the program sleeps for 1 ms each time, and is not woken by requests
	Length      float64       // seconds that are measured, after a fourth of that

	open   func(time.Duration, func()) (systems.Timer, error)
	timers []atomic.Value
	lives  atomic.Int64 // that have ended as their fate says
}

type none struct{} // in a program without timers

func (none) Stop() bool               { return true }
func (none) Reset(time.Duration) bool { return true }

// used is what own prints.
type used struct {
	CPU, Seconds float64
	Lives        int64
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func (o *own) interval() time.Duration {
	return o.Least + time.Duration(rand.ExpFloat64()*float64(o.Mean-o.Least))
}

// stay returns for how long a timer stays that does not expire.
func (o *own) stay() time.Duration {
	return time.Duration(rand.ExpFloat64() * float64(o.N) / o.Rate * 1e9)
}

func (o *own) start(i int, d time.Duration) systems.Timer {
	t, err := o.open(d, func() {
		if o.Fate == "expire" {
			o.lives.Add(1)
			o.timers[i].Store(o.start(i, o.interval()))
		}
	})
	check(err)
	return t
}

// end ends the life of a timer that does not expire, and begins the next one.
func (o *own) end(i int) {
	t, pending := o.timers[i].Load().(systems.Timer), false
	if o.Fate == "restart" {
		pending = t.Reset(o.interval())
	} else {
		pending = t.Stop()
		o.timers[i].Store(o.start(i, o.interval()))
	}
	if pending {
		o.lives.Add(1)
	}
}

// fill starts all timers with what is left of their intervals in the steady state. Services look at a timer that was
// restarted when an earlier deadline of it passes, at any time. Go then looks at all others, too, up to one that was not
// restarted, so one in 1,000 is not.
func (o *own) fill() {
	o.timers = make([]atomic.Value, o.N)
	left := make([]time.Duration, o.N)
	for i := range left {
		left[i] = o.interval() // what is exponential does not depend on its past
		if o.Fate != "expire" {
			left[i] = max(time.Millisecond, left[i]-o.stay())
		} else if o.Least > 0 {
			left[i] = rand.N(o.Least)
		}
		first := left[i]
		if o.Fate == "restart" {
			first = rand.N(first)
		}
		o.timers[i].CompareAndSwap(nil, o.start(i, first)) // else it has expired, and started again
	}
	for i := range left {
		if o.Fate == "restart" && i%1000 > 0 {
			o.timers[i].Load().(systems.Timer).Reset(left[i])
		}
	}
}

func (o *own) run() used {
	o.open = func(d time.Duration, f func()) (systems.Timer, error) { return time.AfterFunc(d, f), nil }
	switch o.Service {
	case "sharded":
		service, err := sharded.New(sharded.Options{})
		check(err)
		o.open = func(d time.Duration, f func()) (systems.Timer, error) { return service.AfterFunc(d, f) }
	case "nothing":
		o.open = func(time.Duration, func()) (systems.Timer, error) { return none{}, nil }
	}
	o.fill()
	wait, begun, before := o.waking(), time.Now(), used{}
	for made := 0.; ; {
		wait()
		for due := o.Rate * time.Since(begun).Seconds(); o.Fate != "expire" && made < due; made++ {
			o.end(rand.IntN(o.N))
		}
		var r syscall.Rusage
		check(syscall.Getrusage(syscall.RUSAGE_SELF, &r))
		now := used{float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9, time.Since(begun).Seconds(), o.lives.Load()}
		switch {
		case before.Seconds == 0 && now.Seconds > o.Length/4:
			before = now
		case before.Seconds > 0 && now.Seconds > before.Seconds+o.Length:
			return used{now.CPU - before.CPU, now.Seconds - before.Seconds, now.Lives - before.Lives}
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

const ownVariable = "TIMERLAB_OWN" // has an own, in its process

// measure runs the program and sends it requests: at random, as often as it stops and restarts timers, but a quarter of
// a millisecond apart.
func (o *own) measure(t *testing.T, service string, awake bool, length float64) (u used) {
	o.Service, o.Awake, o.Length = service, awake, length
	spec, err := json.Marshal(o)
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOwnProgram$")
	c.Env, c.Stderr = append(os.Environ(), ownVariable+"="+string(spec)), os.Stderr
	in, err := c.StdinPipe()
	require.NoError(t, err)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	each := 1e9 / o.Rate
	if o.Fate == "expire" {
		each = 5e7 // to read the clock only
	}
	go func() {
		for err := error(nil); err == nil; _, err = in.Write([]byte{1}) {
			wait := syscall.NsecToTimespec(max(250_000, int64(rand.ExpFloat64()*each)))
			_ = syscall.Nanosleep(&wait, nil) // Go's timers would wait for whole milliseconds
		}
	}()
	require.NoError(t, c.Start())
	require.NoError(t, json.NewDecoder(out).Decode(&u))
	_ = c.Wait()
	return u
}

// above returns the program's share of a core in percent, above the same without timers.
func (o *own) above(t *testing.T, service string, awake bool, length float64) float64 {
	idle, u := o.measure(t, "nothing", awake, length), o.measure(t, service, awake, length)
	return 100 * (u.CPU/u.Seconds - idle.CPU/idle.Seconds)
}

// costs measures the same with package load, in ticks of 1 ms.
func (o *own) costs(t *testing.T) load.Costs {
	l := load.Load{N: o.N, Rate: o.Rate, Tick: time.Millisecond, OneInterval: o.Least == o.Mean, Budget: 30 * time.Second,
		Loop: run.NewSubject(&hierarchical.Chunked, 1024, 4), Requests: []string{os.Args[0], "requests"}}
	ticks := func(d time.Duration) schemes.Tick { return max(1, schemes.Tick(d.Round(l.Tick)/l.Tick)) }
	const many = 4096
	for range many {
		life := workload.Life{Interval: ticks(o.interval()), Share: 1. / many, Restarts: o.Fate == "restart"}
		if life.Stay = life.Interval; o.Fate != "expire" {
			life.Stay = min(life.Interval, ticks(o.stay()))
		}
		l.Lives = append(l.Lives, life)
	}
	c, err := l.Costs(t.Context(), func(string, int, int) {})
	require.NoError(t, err)
	return c
}

// fates has how lives end, and how many begin in a second.
var fates = []struct {
	name        string
	least, most float64
}{{"stop", 1000, 80_000}, {"expire", 300, 30_000}, {"restart", 5000, 200_000}}

// random returns a workload of up to a million timers. Logarithms are uniform, and half of the intervals constant. Where
// timers do not expire, intervals are eight mean stays or more, of which one stay in 3,000 is longer.
func random(r *rand.Rand, fate int) *own {
	between := func(least, most float64) float64 { return least * math.Pow(most/least, r.Float64()) }
	o := &own{Fate: fates[fate].name, Rate: between(fates[fate].least, fates[fate].most)}
	o.N = int(between(max(1000, o.Rate/20), 1e6)) // which stay for 50 ms or more
	mean := float64(o.N) / o.Rate * 1e9
	o.Mean = time.Duration(mean)
	if o.Fate != "expire" {
		o.Least, o.Mean = 8*o.Mean, time.Duration(mean*between(8, 80))
	}
	if r.IntN(2) > 0 {
		o.Least = o.Mean
	}
	return o
}

var (
	shares = flag.Int("shares", 0, "compare package load with a program of our own, on this many random workloads of 3 minutes each")
	seed   = flag.Uint64("seed", uint64(time.Now().Unix()), "of the workloads, of which those that take less than 3 % of a core are left out")
)

// The program has the lives that it is asked for. With -shares N, package load is judged by it: see the README of package
// pick.
func TestOwnProgram(t *testing.T) {
	if spec, is := os.LookupEnv(ownVariable); is {
		var o own
		check(json.Unmarshal([]byte(spec), &o))
		check(json.NewEncoder(os.Stdout).Encode(o.run()))
		return
	}
	if *shares > 0 {
		compare(t)
		return
	}
	for _, service := range []string{"time.AfterFunc", "sharded", "nothing"} {
		for _, fate := range fates {
			t.Run(service+"/"+fate.name, func(t *testing.T) {
				t.Parallel()
				o := own{Fate: fate.name, N: 500, Rate: 5000, Least: time.Second / 10, Mean: time.Second / 10}
				if o.Fate != "expire" {
					o.Least, o.Mean = 8*time.Second, 10*time.Second // so long that none expires if the machine is busy
				}
				u := o.measure(t, service, service == "sharded", 0.2)
				assert.Positive(t, u.CPU)
				if service == "nothing" && o.Fate == "expire" {
					o.Rate = 0
				}
				assert.InDelta(t, o.Rate, float64(u.Lives)/u.Seconds, 0.9*o.Rate, "fewer expire if the machine is busy")
			})
		}
	}
}

// compare prints the program's shares of a core in percent, their mean, the share that package load measures between them
// with its parts, and within how many times of the mean that is.
func compare(t *testing.T) {
	r, services, within := rand.New(rand.NewPCG(*seed, 0)), []string{"time.AfterFunc", "sharded"}, [2][4]int{}
	fmt.Println("seed", *seed, "of workloads; woken and awake, with", services)
	for done := 0; done < *shares; {
		o := random(r, done%len(fates))
		if o.above(t, "time.AfterFunc", false, 3) < 3 { // too little to tell 1.5 times
			continue
		}
		done++
		fmt.Printf("%d: %s, %d timers, %.0f a second, intervals of %v, the least %v\n", done, o.Fate, o.N, o.Rate, o.Mean, o.Least)
		var program [4][]float64
		var c load.Costs
		for turn := range 3 {
			for way := range program {
				program[way] = append(program[way], o.above(t, services[way/2], way%2 > 0, 4))
			}
			if turn == 0 {
				c = o.costs(t)
			}
		}
		for way, p := range program {
			measured := load.Resets{Costs: c}.Share(services[way/2], way%2 > 0)
			mean, share, verdict := (p[0]+p[1]+p[2])/3, 100*measured.CPU, "not within 2 times"
			for i, most := range []float64{2, 1.5} { // or 3 and 1.5 % of a core, where 3 % are too little to tell
				if mean/most <= share && share <= mean*most || mean < 3 && math.Abs(share-mean) <= 3*(most-1) {
					verdict = fmt.Sprintf("within %v times", most)
					within[i][way]++
				}
			}
			fmt.Printf("   %5.2f: mean %.2f, package load %.2f (%.4f), %s\n", p, mean, share, measured.Parts, verdict)
		}
	}
	fmt.Println("within 2 times:", within[0], "within 1.5 times:", within[1], "of", *shares)
}
