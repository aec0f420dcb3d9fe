package systems_test

import (
	"cmp"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/schemes/simplewheel"
	"timerlab/schemes/tree"
	"timerlab/systems"
	"timerlab/systems/locked"
	"timerlab/systems/servicetest"
	"timerlab/systems/sharded"
	"timerlab/systems/std"
	"timerlab/systems/study"
)

// goes runs each action on a goroutine of its own.
func goes(action func()) { go action() }

// waits runs each action on the worker.
func waits(action func()) { action() }

// with returns options with another tick, executor or both.
func with(o systems.Options, tick time.Duration, execute func(func())) systems.Options {
	o.Tick, o.Execute = tick, execute
	return o
}

type opener = func(o systems.Options) (systems.Service, error)

// kinds are the services to use that take any duration.
var kinds = []servicetest.Kind{
	{Name: "std", New: std.New},
	{Name: "sharded", Tick: time.Millisecond, New: shards(0, nil)},
	{Name: "sharded, one wheel", Tick: time.Millisecond, New: shards(1, nil)},
	{Name: "sharded with an executor", Tick: time.Millisecond, New: shards(4, goes)},
	{Name: "sharded with an executor that waits", Tick: time.Millisecond, Workers: 1, New: shards(1, waits)},
	{Name: "locked, hashed wheel", Tick: time.Second, New: lock(&hashunsorted.Chunked, schemes.Config{Slots: 64})},
	{Name: "locked, heap", Tick: time.Second, New: lock(&tree.Info, schemes.Config{})},
	{Name: "locked, list as of FixedTimeout", Tick: time.Second, New: lock(&ordered.Rear, schemes.Config{})},
	{Name: "locked, simple wheel", Tick: time.Second, Longest: 8191 * time.Second,
		New: lock(&simplewheel.Info, schemes.Config{Slots: 8192})},
	{Name: "locked, picked", Tick: time.Second, Longest: 8191 * time.Second,
		New: lock(&hierarchical.Chunked, schemes.Config{Levels: []int{128, 64}})},
}

// studied are the models of package study with the rules that their originals break.
var studied = []servicetest.Kind{
	{Name: "kafka", Tick: time.Millisecond, Workers: 1, New: study.Kafka},
	{Name: "multilevel", Tick: time.Second, Workers: 1, Stepping: true, Except: []string{"asleep"},
		New: func(o systems.Options) (systems.Service, error) {
			return study.Multilevel(with(o, time.Second, nil))
		}},
	{Name: "JavaTimer", Workers: 1, Except: []string{"panics", "nothing piles up"}, New: study.JavaTimer},
	{Name: "ScheduledExecutor", Workers: 1, New: executor(1, true)},
	{Name: "ScheduledExecutor, lazy", Workers: 4, Except: []string{"nothing piles up"}, New: executor(4, false)},
	{Name: "netty", Tick: 20 * time.Millisecond, Workers: 1, Stepping: true, New: netty(20 * time.Millisecond),
		Except: []string{"at once", "asleep", "nothing piles up"}},
}

func shards(n int, execute func(func())) opener {
	return func(o systems.Options) (systems.Service, error) {
		return sharded.New(sharded.Options{Shards: n, Options: with(o, 0, execute)})
	}
}

func lock(info *schemes.Info, cfg schemes.Config) opener {
	return func(o systems.Options) (systems.Service, error) {
		return locked.New(info, cfg, with(o, time.Second, nil))
	}
}

func executor(workers int, removeOnCancel bool) opener {
	return func(o systems.Options) (systems.Service, error) {
		return study.ScheduledExecutor(workers, removeOnCancel, o)
	}
}

func netty(tick time.Duration) opener {
	return func(o systems.Options) (systems.Service, error) {
		return study.Netty(0, with(o, tick, nil))
	}
}

func TestRules(t *testing.T) {
	for _, k := range slices.Concat(kinds, studied) {
		t.Run(k.Name, func(t *testing.T) { servicetest.Run(t, k) })
	}
}

func TestRaces(t *testing.T) {
	timers := 1_000_000
	if testing.Short() {
		timers = 200_000
	}
	quick := servicetest.Kind{Name: "netty, 1 ms", New: netty(time.Millisecond)} // as many ticks as the others
	for _, k := range append(slices.Concat(kinds, studied), quick) {
		t.Run(k.Name, func(t *testing.T) { servicetest.Race(t, k, timers) })
	}
}

func TestBadOptions(t *testing.T) {
	for text, open := range map[string]func() (systems.Service, error){
		"Tick -1ns (must be above 0)": func() (systems.Service, error) { return study.Kafka(systems.Options{Tick: -1}) },
		"Tick 0s (must be above 0)": func() (systems.Service, error) {
			return locked.New(&hashunsorted.Chunked, schemes.Config{}, systems.Options{})
		},
		"no scheme": func() (systems.Service, error) { return locked.New(nil, schemes.Config{}, systems.Options{Tick: 1}) },
		"(must be exact)": func() (systems.Service, error) {
			return locked.New(&hierarchical.NoMigrate, schemes.Config{}, systems.Options{Tick: 1})
		},
		"0 workers (must be 1 to 65536)": func() (systems.Service, error) { return study.ScheduledExecutor(0, true, systems.Options{}) },
		"Tick -4ns (must be above 0)": func() (systems.Service, error) {
			return locked.FixedTimeout(time.Second, systems.Options{Tick: -4})
		},
		"timeout 0s (must be above 0)": func() (systems.Service, error) { return locked.FixedTimeout(0, systems.Options{}) },
		"Tick -2ns (must be above 0)": func() (systems.Service, error) {
			return sharded.New(sharded.Options{Options: systems.Options{Tick: -2}})
		},
		"Shards -2 (must":                 func() (systems.Service, error) { return sharded.New(sharded.Options{Shards: -2}) },
		"Shards 4097 (must be 0 to 4096)": func() (systems.Service, error) { return sharded.New(sharded.Options{Shards: sharded.MostShards + 1}) },
		"Slots -1":                        func() (systems.Service, error) { return study.Netty(-1, systems.Options{}) },
	} {
		f, err := open()
		assert.Nil(t, f, text)
		assert.ErrorIs(t, err, schemes.ErrConfig)
		assert.ErrorContains(t, err, text)
	}
}

// childKind is the environment variable that lets this test be a program with a panicking action.
const childKind = "TIMERLAB_PANIC"

// Without a handler, a panic of an action ends the program.
func TestPanicEndsTheProgram(t *testing.T) {
	if name := os.Getenv(childKind); name != "" {
		i := slices.IndexFunc(kinds, func(k servicetest.Kind) bool { return k.Name == name })
		f, err := kinds[i].New(systems.Options{})
		require.NoError(t, err)
		_, err = f.AfterFunc(0, func() { panic("the action's") })
		require.NoError(t, err)
		time.Sleep(time.Minute)
		return
	}
	for _, k := range kinds {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPanicEndsTheProgram$")
		cmd.Env = append(os.Environ(), childKind+"="+k.Name)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, k.Name)
		assert.Equal(t, 2, exit.ExitCode(), k.Name)
		assert.Contains(t, string(out), "panic: the action's", k.Name)
	}
}

// After a peak, a service with an engine keeps at most 5 % of its memory.
func TestPeak(t *testing.T) {
	for _, k := range kinds[1:] { // the heap of std is Go's
		synctest.Test(t, func(t *testing.T) {
			f, err := k.New(systems.Options{})
			require.NoError(t, err)
			memory := func() int64 {
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return int64(m.HeapAlloc) + f.Stats().OffHeap
			}
			const peak = 500_000
			longest := cmp.Or(k.Longest, 1000*time.Hour)
			before := memory()
			timers := make([]systems.Timer, peak)
			for i := range timers {
				// Few goroutines at a time, which Go keeps; in the order of deadlines, which a list takes at once.
				timers[i], _ = f.AfterFunc(longest/2+time.Duration(i/1000)*k.Tick, func() {})
			}
			time.Sleep(k.Tick)
			synctest.Wait()
			full := memory() - before - int64(unsafe.Sizeof(timers[0]))*peak
			for i, timer := range timers {
				if i%20 != 0 {
					timer.Stop()
				}
			}
			timers = nil
			time.Sleep(longest/2 + 500*k.Tick)
			synctest.Wait()
			assert.LessOrEqual(t, memory()-before, full/20, "%s: of %d B at the peak", k.Name, full)
			_, err = f.Close()
			assert.NoError(t, err)
		})
	}
}

// A Reset of a timer that has fired allocates no more than AfterFunc.
func TestAllocations(t *testing.T) {
	for _, k := range kinds {
		f, err := k.New(systems.Options{})
		require.NoError(t, err)
		ran := make(chan bool, 1)
		action := func() { ran <- true }
		var timer systems.Timer
		after := testing.AllocsPerRun(20, func() {
			timer, err = f.AfterFunc(0, action)
			require.NoError(t, err)
			<-ran
		})
		reset := testing.AllocsPerRun(20, func() {
			timer.Reset(0)
			<-ran
		})
		assert.LessOrEqual(t, reset, after, k.Name)
		_, err = f.Close()
		require.NoError(t, err)
	}
}
