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
	shares = flag.Int("shares", 0, "compare package load with a program of our own, on this many random workloads of 2 minutes each")
	seed   = flag.Uint64("seed", uint64(time.Now().Unix()), "of the workloads of -shares")
)

// each is the mean time between the stops and restarts of a workload, or for how long the program sleeps without them.
func (o *ownLoad) each() time.Duration {
	if o.expires() {
		return 50 * time.Millisecond
	}
	return max(250*time.Microsecond, o.Stay/time.Duration(o.N))
}

// measure runs the program. Requests come at random, at most 4,000 a second.
func (o ownLoad) measure(t *testing.T) (use ownUse) {
	spec, err := json.Marshal(o)
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOwnProcess$")
	c.Env, c.Stderr = append(os.Environ(), ownVariable+"="+string(spec)), os.Stderr
	in, err := c.StdinPipe()
	require.NoError(t, err)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	go func() {
		for err := error(nil); err == nil; _, err = in.Write([]byte{1}) {
			wait := syscall.NsecToTimespec(max(250_000, int64(rand.ExpFloat64()*float64(o.each()))))
			_ = syscall.Nanosleep(&wait, nil) // as Go's timers wait for whole milliseconds
		}
	}()
	require.NoError(t, json.NewDecoder(out).Decode(&use))
	_ = c.Wait()
	return use
}

// The program runs the lives that it is asked for, and loses none.
func TestOwnProgram(t *testing.T) {
	if *shares > 0 {
		compare(t)
		return
	}
	for _, fate := range fates {
		for _, service := range []string{"time.AfterFunc", "sharded", "nothing"} {
			t.Run(fate.name+"/"+service, func(t *testing.T) {
				t.Parallel()
				o := ownLoad{Service: service, Fate: fate.name, N: 1000, Stay: 100 * time.Millisecond, Times: fate.times, Awake: service == "sharded", Length: time.Second}
				use := o.measure(t)
				lives, none := float64(use.Ended), float64(use.Expired)
				if o.expires() {
					lives, none = none, lives
				}
				if service == "nothing" {
					lives = 10_000 * use.Seconds
				}
				assert.InDelta(t, 10_000, lives/use.Seconds, 5000)
				assert.Less(t, none, 0.1*lives, "few end in another way")
				assert.Zero(t, use.Lost)
				assert.Positive(t, use.CPU)
			})
		}
	}
}

// fates has how lives end, and how many begin in a second: from the least to the most.
var fates = []struct {
	name               string
	least, most, times float64
}{{"stop", 1000, 80_000, 5}, {"expire", 300, 30_000, 1}, {"restart", 5000, 200_000, 5}}

// between returns a number at random whose logarithm is uniform.
func between(r *rand.Rand, least, most float64) float64 {
	return least * math.Pow(most/least, r.Float64())
}

// random returns a workload: up to a million timers that stay for 50 ms or more.
func random(r *rand.Rand, fate int) ownLoad {
	f := fates[fate]
	rate := between(r, f.least, f.most)
	n := between(r, max(1000, rate/20), 1e6)
	o := ownLoad{Fate: f.name, N: int(n), Stay: time.Duration(n / rate * 1e9), Times: 1, Varied: r.IntN(2) > 0}
	if !o.expires() {
		o.Times = between(r, 5, 50) // so that no interval ends before its stay
	}
	return o
}

// lives returns the workload for package load, in ticks of 1 ms.
func (o ownLoad) lives() (lives []workload.Life) {
	const many = 1000
	for range many {
		interval, stay := o.life()
		lives = append(lives, workload.Life{Interval: ticks(interval), Stay: ticks(stay), Share: 1. / many, Restarts: o.Fate == "restart"})
	}
	return lives
}

func ticks(d time.Duration) schemes.Tick {
	return max(1, schemes.Tick(d.Round(time.Millisecond)/time.Millisecond))
}

func mean(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += v / float64(len(x))
	}
	return sum
}

// within reports whether a share is within some times of the program's. Below 3 % of a core, both vary too much for that.
func within(share, program, times, difference float64) bool {
	return share >= program/times && share <= program*times || program < 0.03 && math.Abs(share-program) <= difference
}

// compare judges package load by a rule that was written before its data: of the workloads, of which each takes 3 % of a core
// with time.AfterFunc, each of four shares should be within 1.5 times in 10 of 12, and within 2 times in all.
func compare(t *testing.T) {
	r, ways := rand.New(rand.NewPCG(*seed, 0)), []string{"AfterFunc woken", "AfterFunc awake", "sharded woken", "sharded awake"}
	near, far := make([]int, len(ways)), make([]int, len(ways))
	fmt.Printf("seed %d; shares in %% of a core: the program's mean (least to most), and what package load finds\n", *seed)
	for done := 0; done < *shares; {
		o := random(r, done%len(fates))
		share := func(service string, awake bool, length time.Duration) float64 {
			o := o
			o.Service, o.Awake, o.Length = service, awake, length
			use := o.measure(t)
			return use.CPU / use.Seconds
		}
		if share("time.AfterFunc", false, 3*time.Second)-share("nothing", false, 3*time.Second) < 0.03 {
			continue
		}
		done++
		program := make([][]float64, len(ways))
		var found []float64
		for turn := range 3 {
			for way := range 2 {
				idle := share("nothing", way > 0, 4*time.Second)
				for i, service := range []string{"time.AfterFunc", "sharded"} {
					program[2*i+way] = append(program[2*i+way], share(service, way > 0, 4*time.Second)-idle)
				}
			}
			if turn == 1 {
				c := o.costs(t)
				found = []float64{c.Std.Woken.CPU, c.Std.Awake.CPU, c.Others[0].Woken.CPU, c.Others[0].Awake.CPU}
			}
		}
		fmt.Printf("%d. %s: %d timers, %.0f a second, intervals of %.3g mean stays, varied: %t\n", done, o.Fate, o.N, float64(o.N)/o.Stay.Seconds(), o.Times, o.Varied)
		for i, way := range ways {
			m := mean(program[i])
			verdict := "not within 2 times"
			if within(found[i], m, 2, 0.03) {
				verdict, far[i] = "within 2 times", far[i]+1
			}
			if within(found[i], m, 1.5, 0.015) {
				verdict, near[i] = "within 1.5 times", near[i]+1
			}
			fmt.Printf("   %s  %6.2f (%.2f to %.2f)  %6.2f  %s\n", way, 100*m, 100*slices.Min(program[i]), 100*slices.Max(program[i]), 100*found[i], verdict)
		}
	}
	for i, way := range ways {
		fmt.Printf("%s: within 1.5 times in %d of %d, within 2 in %d\n", way, near[i], *shares, far[i])
	}
}

func (o ownLoad) costs(t *testing.T) load.Costs {
	c, err := load.Load{N: o.N, Rate: float64(o.N) / o.Stay.Seconds(), Tick: time.Millisecond, Lives: o.lives(), OneInterval: !o.Varied,
		Loop: run.NewSubject(&hierarchical.Chunked, 1024, 4), Time: 2500 * time.Millisecond, Requests: []string{os.Args[0], "requests"}}.
		Costs(t.Context(), func(string) {})
	require.NoError(t, err)
	return c
}
