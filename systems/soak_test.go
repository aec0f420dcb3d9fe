//go:build linux

package systems_test

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/run"
	"timerlab/systems"
	"timerlab/systems/sharded"
)

// soakTime is how long TestSoak runs, which is not part of a usual run:
//
//	go test ./systems -run TestSoak -soak 10m -timeout 20m -v
var soakTime = flag.Duration("soak", 0, "how long TestSoak runs; 0 skips it")

// soakChild is the environment variable that lets this test be the process that soaks.
const soakChild = "TIMERLAB_SOAK"

// TestSoak loads sharded at random with faults: actions that are slow, block or panic, and a
// process that the system stops and continues. Every start must end exactly once, none early,
// and memory and goroutines must be back at the end.
func TestSoak(t *testing.T) {
	if os.Getenv(soakChild) != "" {
		first := soak(t, *soakTime/10)
		last := soak(t, *soakTime-*soakTime/10)
		// Pages that the Go runtime keeps are there after the first service; what is lost by each of the second one's
		// starts, 20 million a minute, is not.
		assert.Less(t, last, first+4<<20)
		return
	}
	if *soakTime == 0 {
		t.Skip("no -soak")
	}
	child := exec.Command(os.Args[0], "-test.run=^TestSoak$", "-test.v", "-test.timeout=0", "-soak="+soakTime.String())
	child.Env = append(os.Environ(), soakChild+"=1")
	child.Stdout, child.Stderr = os.Stdout, os.Stdout
	require.NoError(t, child.Start())
	end, stalls := time.Now().Add(*soakTime), 0
	for time.Now().Before(end) {
		time.Sleep(rand.N(10 * time.Second))
		require.NoError(t, child.Process.Signal(syscall.SIGSTOP))
		time.Sleep(rand.N(2 * time.Second))
		require.NoError(t, child.Process.Signal(syscall.SIGCONT))
		stalls++
	}
	require.NoError(t, child.Wait())
	t.Logf("%d stalls by SIGSTOP", stalls)
}

// soakLedger counts starts and their ends, and sums up the numbers of their timers.
type soakLedger struct {
	starts, runs, stops, panics   atomic.Int64
	startSum, endSum, early, fail atomic.Int64
}

const (
	soakLongest = 5 * time.Second
	soakClients = 8
	soakTimers  = 20_000 // of each client
)

// soak loads a service for a time, closes it, and returns the resident set in bytes after it.
func soak(t *testing.T, d time.Duration) (after int) {
	var l soakLedger
	goroutines := runtime.NumGoroutine()
	o := systems.Options{Panic: func(any) { l.panics.Add(1) }}
	f, err := sharded.New(sharded.Options{Options: o})
	require.NoError(t, err)
	end := time.Now().Add(d)
	var all sync.WaitGroup
	for c := range soakClients {
		all.Go(func() { l.load(f, rand.New(rand.NewPCG(1, uint64(c))), end) })
	}
	for time.Now().Before(end) {
		time.Sleep(min(time.Minute, time.Until(end)))
		fmt.Printf("%d starts, %d runs, %d stops, %d panics, %d early: %+v\n",
			l.starts.Load(), l.runs.Load(), l.stops.Load(), l.panics.Load(), l.early.Load(), f.Stats())
	}
	all.Wait()
	time.Sleep(2 * soakLongest) // all that is pending runs, and blocked actions end
	st := f.Stats()
	fmt.Printf("at the end: %+v\n", st)
	assert.Zero(t, st.Pending+st.Due+st.Running)
	dropped, err := f.Close()
	assert.NoError(t, err)
	assert.Zero(t, dropped)
	assert.Equal(t, l.starts.Load(), l.runs.Load()+l.stops.Load())
	assert.Equal(t, l.startSum.Load(), l.endSum.Load(), "of the numbers of timers")
	assert.Zero(t, l.early.Load())
	assert.Zero(t, l.fail.Load())
	assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
	after, err = run.Resident()
	require.NoError(t, err)
	fmt.Printf("resident set %d KiB\n", after>>10)
	return after
}

// load starts, stops and resets timers until the end.
func (l *soakLedger) load(f systems.Service, r *rand.Rand, end time.Time) {
	timers, numbers := make([]systems.Timer, soakTimers), make([]int64, soakTimers)
	stopped := func(at int) {
		l.stops.Add(1)
		l.endSum.Add(numbers[at])
	}
	started := func(at int) {
		l.starts.Add(1)
		l.startSum.Add(numbers[at])
	}
	for left := 0; time.Now().Before(end); left-- {
		if left == 0 {
			time.Sleep(rand.N(2 * time.Millisecond))
			left = 1 + r.IntN(500) // of a burst
		}
		at := r.IntN(soakTimers)
		d := time.Duration(r.Int64N(int64(soakLongest)))
		if timer := timers[at]; timer != nil && at%2 == 0 { // the others are not reset: they may not be early
			pending, err := timer.(systems.Resetter).TryReset(d)
			if pending {
				stopped(at)
			}
			if err != nil {
				l.fail.Add(1)
				continue
			}
			started(at)
			continue
		} else if timer != nil && timer.Stop() {
			stopped(at)
		}
		numbers[at] = r.Int64N(1 << 40)
		number, deadline, fault := numbers[at], time.Now().Add(d), r.IntN(10_000)
		timer, err := f.AfterFunc(d, func() {
			l.runs.Add(1)
			l.endSum.Add(number)
			if at%2 == 1 && time.Now().Before(deadline) {
				l.early.Add(1)
			}
			l.misbehave(fault)
		})
		if err != nil {
			l.fail.Add(1)
			continue
		}
		timers[at] = timer
		started(at)
	}
}

// misbehave is what one in some actions does.
func (l *soakLedger) misbehave(fault int) {
	switch {
	case fault < 10:
		panic(io.EOF)
	case fault < 20:
		time.Sleep(rand.N(soakLongest)) // blocked
	case fault < 500:
		time.Sleep(rand.N(20 * time.Millisecond)) // slow
	case fault < 505:
		runtime.Goexit()
	}
}
