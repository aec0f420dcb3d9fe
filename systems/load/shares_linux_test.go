package load_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems/load"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	shares = flag.Int("shares", 0, "compare package load with a program of our own, on this many random workloads of 3 minutes each")
	seed   = flag.Uint64("seed", uint64(time.Now().Unix()), "of the workloads")
)

// measure runs the program and sends it requests: at random, as often as it stops and restarts timers, but a quarter of
// a millisecond apart.
func (o *own) measure(t *testing.T, service string, awake bool, length float64) (u used) {
	o.Service, o.Awake, o.Length = service, awake, length
	spec, err := json.Marshal(o)
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOwnProcess$")
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
	o.Mean = float64(o.N) / o.Rate
	if o.Fate != "expire" {
		o.Least, o.Mean = 8*o.Mean, o.Mean*between(8, 80)
	}
	if r.IntN(2) > 0 {
		o.Least = o.Mean
	}
	return o
}

// costs measures the same with package load, in ticks of 1 ms.
func (o *own) costs(t *testing.T) load.Costs {
	l := load.Load{N: o.N, Rate: o.Rate, Tick: time.Millisecond, OneInterval: o.Least == o.Mean, Time: 2500 * time.Millisecond,
		Loop: run.NewSubject(&hierarchical.Chunked, 1024, 4), Requests: []string{os.Args[0], "requests"}}
	const many = 4096
	for range many {
		life := workload.Life{Interval: ticks(o.interval()), Share: 1. / many, Restarts: o.Fate == "restart"}
		if life.Stay = life.Interval; o.Fate != "expire" {
			life.Stay = min(life.Interval, ticks(rand.ExpFloat64()*float64(o.N)/o.Rate))
		}
		l.Lives = append(l.Lives, life)
	}
	c, err := l.Costs(t.Context(), func(string) {})
	require.NoError(t, err)
	return c
}

func ticks(s float64) schemes.Tick { return max(1, schemes.Tick(math.Round(s*1000))) }

// The program has the lives that it is asked for, and loses none. With -shares N, package load is judged by it: see the
// README of package pick.
func TestOwnProgram(t *testing.T) {
	if *shares > 0 {
		compare(t)
		return
	}
	for _, service := range []string{"time.AfterFunc", "sharded", "nothing"} {
		for _, fate := range []string{"stop", "restart", "expire"} {
			t.Run(service+"/"+fate, func(t *testing.T) {
				t.Parallel()
				o := own{Fate: fate, N: 500, Rate: 5000, Least: 0.1, Mean: 0.1}
				if fate != "expire" {
					o.Least, o.Mean = 0.8, 1
				}
				u := o.measure(t, service, service == "sharded", 0.5)
				lives, others := u.Ended, u.Expired
				if fate == "expire" {
					lives, others = others, lives
				}
				if service != "nothing" || fate != "expire" {
					assert.InEpsilon(t, o.Rate, float64(lives)/u.Seconds, 0.5)
				}
				assert.LessOrEqual(t, others, lives/10)
				assert.Zero(t, u.Lost)
				assert.Positive(t, u.CPU)
			})
		}
	}
}

// compare prints the program's shares of a core, in percent, and those that package load measures between them.
func compare(t *testing.T) {
	ways, r := []string{"AfterFunc, woken", "AfterFunc, awake", "sharded, woken", "sharded, awake"}, rand.New(rand.NewPCG(*seed, 0))
	near, far := make([]int, len(ways)), make([]int, len(ways))
	fmt.Println("seed", *seed)
	for done := 0; done < *shares; {
		o := random(r, done%len(fates))
		above := func(service string, awake bool, length float64) float64 {
			idle, u := o.measure(t, "nothing", awake, length), o.measure(t, service, awake, length)
			return 100 * (u.CPU/u.Seconds - idle.CPU/idle.Seconds)
		}
		if above("time.AfterFunc", false, 3) < 3 { // too little to tell 1.5 times
			continue
		}
		done++
		fmt.Printf("%d: %s, %d timers, %.0f a second, intervals of %.3g s, the least %.3g\n", done, o.Fate, o.N, o.Rate, o.Mean, o.Least)
		program, c := make([][]float64, len(ways)), load.Costs{}
		for turn := range 3 {
			for i := range ways {
				program[i] = append(program[i], above([]string{"time.AfterFunc", "sharded"}[i/2], i%2 > 0, 4))
			}
			if turn == 0 {
				c = o.costs(t)
			}
		}
		for i, share := range []float64{c.Std.Woken.CPU, c.Std.Awake.CPU, c.Others[0].Woken.CPU, c.Others[0].Awake.CPU} {
			mean := (program[i][0] + program[i][1] + program[i][2]) / 3
			within := func(times, percent float64) bool {
				return mean/times <= 100*share && 100*share <= mean*times || mean < 3 && math.Abs(100*share-mean) <= percent
			}
			verdict := "not within 2 times"
			if within(2, 3) {
				verdict, far[i] = "within 2 times", far[i]+1
			}
			if within(1.5, 1.5) {
				verdict, near[i] = "within 1.5 times", near[i]+1
			}
			fmt.Printf("   %-16s %6.2f (%.2f to %.2f), load %6.2f: %s\n", ways[i], mean, slices.Min(program[i]), slices.Max(program[i]), 100*share, verdict)
		}
	}
	fmt.Println("within 1.5 times:", near, "within 2 times:", far, "of", *shares, "each:", strings.Join(ways, "; "))
}
