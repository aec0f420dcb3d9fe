//go:build linux

package systems_test

import (
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/run"
	"timerlab/systems"
)

// soakTime is how long TestSoak runs, which is not part of a usual run:
//
//	go test ./systems -run TestSoak -soak 10m -timeout 20m -v
var soakTime = flag.Duration("soak", 0, "how long TestSoak runs; 0 skips it")

// soakChild is the environment variable that lets this test be the process that soaks.
const soakChild = "TIMERLAB_SOAK"

// TestSoak loads sharded with actions that are slow, block, panic or exit, in a process that the system stops
// and continues. No start is lost and no action early, and memory and goroutines are back at the end.
func TestSoak(t *testing.T) {
	if os.Getenv(soakChild) != "" {
		first := soak(t, *soakTime/10)
		last := soak(t, *soakTime-*soakTime/10)
		// Pages of a heap that is free again are there after the first service, too; what is lost by each of the
		// second one's starts, 20 million a minute, is not.
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
	for end := time.Now().Add(*soakTime); time.Now().Before(end); {
		time.Sleep(rand.N(10 * time.Second))
		require.NoError(t, child.Process.Signal(syscall.SIGSTOP))
		time.Sleep(rand.N(2 * time.Second))
		require.NoError(t, child.Process.Signal(syscall.SIGCONT))
	}
	require.NoError(t, child.Wait())
}

// soak loads a service for a time, and returns the resident set in bytes after it, without what the Go runtime
// keeps about the largest heap so far: a process that was stopped for longer had more blocked actions.
func soak(t *testing.T, d time.Duration) int {
	goroutines := runtime.NumGoroutine()
	l := &load{lasts: d, recent: 20_000, longest: 5 * time.Second, action: misbehave}
	require.NoError(t, l.race(kinds[1], systems.Options{Panic: func(any) {}}))
	t.Logf("%d starts, %d runs, %d stops", l.started.Load(), l.run.Load(), l.stopped.Load())
	assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
	after, err := run.Resident()
	require.NoError(t, err)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return after - int(m.MSpanSys+m.MCacheSys+m.GCSys+m.BuckHashSys+m.OtherSys)
}

// misbehave is an action that one time in some does harm.
func misbehave() {
	switch fault := rand.IntN(10_000); {
	case fault < 10:
		panic(io.EOF)
	case fault < 20:
		time.Sleep(rand.N(5 * time.Second)) // blocked
	case fault < 500:
		time.Sleep(rand.N(20 * time.Millisecond)) // slow
	case fault < 505:
		runtime.Goexit()
	}
}
