package sharded

import (
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

// bubble runs a test on a fake clock with a service, which it closes.
func bubble(t *testing.T, o Options, test func(f *Service, start func(time.Duration, func()))) {
	synctest.Test(t, func(t *testing.T) {
		f, err := New(o)
		require.NoError(t, err)
		test(f, func(d time.Duration, action func()) {
			_, err := f.AfterFunc(d, action)
			require.NoError(t, err)
		})
		_, err = f.Close()
		require.NoError(t, err)
	})
}

// wait lets time pass, and everything happen that is due.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// If actions block, others on their wheel are a few ms late for each factor of two.
func TestBlockedActions(t *testing.T) {
	bubble(t, Options{Shards: 1}, func(_ *Service, start func(time.Duration, func())) {
		began, late := time.Now(), time.Duration(0)
		for range 1 << 10 {
			start(time.Second, func() { time.Sleep(time.Hour) })
		}
		start(time.Second+DefaultTick, func() { late = time.Since(began) - time.Second })
		wait(time.Minute)
		assert.Positive(t, late)
		assert.LessOrEqual(t, late, 3*10*time.Millisecond)
		time.Sleep(2 * time.Hour)
	})
}

// What becomes due while ticks are missed runs afterwards, each action once, after one wake-up.
func TestMissedTicks(t *testing.T) {
	first := true
	o := Options{Shards: 1, Options: systems.Options{Execute: func(action func()) {
		if first {
			first = false
			time.Sleep(time.Hour)
		}
		go action()
	}}}
	bubble(t, o, func(f *Service, start func(time.Duration, func())) {
		const n = 1000 // one due every 3 s
		began, runs, latest := time.Now(), atomic.Int32{}, atomic.Int64{}
		for i := range time.Duration(n) {
			start(time.Second+i*3*time.Second, func() {
				runs.Add(1)
				latest.Store(int64(time.Since(began)))
			})
		}
		wait(2 * time.Second)
		woken := f.Stats().Wakeups
		wait(time.Hour)
		assert.EqualValues(t, n, runs.Load())
		assert.LessOrEqual(t, time.Duration(latest.Load()), time.Hour+time.Second+DefaultTick)
		assert.LessOrEqual(t, f.Stats().Wakeups, woken+1)
		wait(2 * time.Hour)
		assert.EqualValues(t, n, runs.Load())
	})
}

// Of ten million timers each takes about 75 bytes besides its action, and none wakes the service up
// before it is due. TestCrowds of package engine is about their wheels.
func TestTenMillionTimers(t *testing.T) {
	n := 10_000_000
	if testing.Short() {
		n = 1_000_000
	}
	f, err := New(Options{})
	require.NoError(t, err)
	for i := range n {
		_, err := f.AfterFunc(time.Hour+time.Duration(i)*time.Microsecond, func() {})
		require.NoError(t, err)
	}
	st := f.Stats()
	want := map[int]float64{32: 64, 64: 75}[strconv.IntSize]
	assert.InDelta(t, want, float64(st.Bytes)/float64(n), 5, "bytes of a timer")
	assert.Less(t, st.Wakeups, uint64(n)/100, "to read the clock for starts that follow fast")
	dropped, err := f.Close()
	assert.NoError(t, err)
	assert.Equal(t, n, dropped)
}

// An opened service is small, and Stats returns what it holds.
func TestBytes(t *testing.T) {
	held := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what the first one has finalized
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for n, services := range map[int]int{0: 100, 1: 100, 10_000: 2, 300_000: 1} {
		all, timers := make([]*Service, services), make([]Timer, services*n)
		before := held()
		for i := range all {
			f, err := New(Options{Shards: leastWheels}) // as on up to eight processors
			require.NoError(t, err)
			for k := range timers[i*n : (i+1)*n] {
				timer := &timers[i*n+k]
				f.Init(timer, func() {})
				require.NoError(t, timer.Start(time.Hour+time.Duration(k)*time.Millisecond))
			}
			all[i] = f
		}
		want, bytes := held()-before+int64(unsafe.Sizeof(Timer{}))*int64(len(timers)), int64(0)
		for _, f := range all {
			st := f.Stats()
			want, bytes = want+st.OffHeap, bytes+st.Bytes
		}
		tables := 4 << 10 // of a first wheel, and of a few more
		assert.InDelta(t, want, bytes, max(float64(services*tables), 0.05*float64(want)), "%d timers", n)
		if n == 0 {
			assert.LessOrEqual(t, want, int64(services)*16<<10)
		}
		for _, f := range all {
			dropped, err := f.Close()
			assert.NoError(t, err)
			assert.Equal(t, n, dropped)
		}
		runtime.KeepAlive(timers)
	}
}

// A program that uses the service gets x/sys and the histogram, and nothing else that is not ours.
func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	require.NoError(t, err)
	for _, path := range strings.Fields(string(out)) {
		ours := strings.HasPrefix(path, "timerlab/schemes") || strings.HasPrefix(path, "timerlab/systems")
		assert.True(t, ours || strings.HasPrefix(path, "golang.org/x/sys/") || strings.HasPrefix(path, "github.com/HdrHistogram/"), path)
	}
}
