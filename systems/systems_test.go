package systems_test

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/simplewheel"
	"timerlab/systems"
	"timerlab/systems/facilitytest"
	"timerlab/systems/locked"
	"timerlab/systems/netty"
	"timerlab/systems/sharded"
	"timerlab/systems/std"
)

// goes runs each action on a goroutine of its own.
func goes(action func()) { go action() }

// with returns options with another tick, executor or both.
func with(o systems.Options, tick time.Duration, execute func(func())) systems.Options {
	o.Tick, o.Execute = tick, execute
	return o
}

type opener = func(o systems.Options) (systems.Facility, error)

// kinds are all facilities that take any duration, except multilevel.
var kinds = []facilitytest.Kind{
	{Name: "std", Untimed: true, New: std.New},
	{Name: "kafka", Tick: time.Millisecond, Workers: 1, New: func(o systems.Options) (systems.Facility, error) {
		return locked.Kafka(0, o)
	}},
	{Name: "kafka with an executor", Tick: time.Millisecond, New: func(o systems.Options) (systems.Facility, error) {
		return locked.Kafka(7, with(o, 0, goes))
	}},
	{Name: "kafka with an executor that waits", Tick: time.Millisecond, Workers: 1, New: func(o systems.Options) (systems.Facility, error) {
		return locked.Kafka(0, with(o, 0, func(action func()) { action() }))
	}},
	{Name: "JavaTimer", Tick: locked.JavaTick, Workers: 1, Lazy: true, New: locked.JavaTimer},
	{Name: "ScheduledExecutor, one worker", Tick: locked.JavaTick, Workers: 1, New: executor(1, true)},
	{Name: "ScheduledExecutor, lazy", Tick: locked.JavaTick, Workers: 4, Lazy: true, New: executor(4, false)},
	{Name: "sharded", Tick: time.Millisecond, New: func(o systems.Options) (systems.Facility, error) {
		return sharded.New(sharded.Options{Shards: 4, Options: o})
	}},
	{Name: "sharded with an executor", Tick: time.Millisecond, New: func(o systems.Options) (systems.Facility, error) {
		return sharded.New(sharded.Options{Shards: 4, Options: with(o, 0, goes)})
	}},
	{Name: "netty", Tick: 20 * time.Millisecond, Workers: 1, Stepping: true, New: func(o systems.Options) (systems.Facility, error) {
		return netty.New(netty.Options{Options: with(o, 20*time.Millisecond, nil)})
	}},
	{Name: "netty with an executor", Tick: 10 * time.Millisecond, Stepping: true, New: func(o systems.Options) (systems.Facility, error) {
		return netty.New(netty.Options{Options: with(o, 10*time.Millisecond, goes), Slots: 8192})
	}},
	{Name: "locked, hashed wheel", Tick: time.Second, Workers: 1, New: lock(&hashunsorted.Chunked, schemes.Config{Slots: 64})},
	{Name: "locked, simple wheel", Tick: time.Second, Workers: 1, Longest: 8191 * time.Second,
		New: lock(&simplewheel.Info, schemes.Config{Slots: 8192})},
	{Name: "locked, picked", Tick: time.Second, Workers: 1, Longest: 8191 * time.Second,
		New: lock(&hierarchical.Chunked, schemes.Config{Levels: []int{128, 64}})},
}

func executor(workers int, removeOnStop bool) opener {
	return func(o systems.Options) (systems.Facility, error) {
		return locked.ScheduledExecutor(workers, removeOnStop, o)
	}
}

func lock(info *schemes.Info, cfg schemes.Config) opener {
	return func(o systems.Options) (systems.Facility, error) {
		return locked.New(info, cfg, locked.Options{Options: with(o, time.Second, nil)})
	}
}

// stepping wakes up for every tick, of which an hour of the fake clock has many.
var stepping = facilitytest.Kind{Name: "multilevel", Tick: time.Second, Workers: 1, Stepping: true, New: func(o systems.Options) (systems.Facility, error) {
	return locked.Multilevel(0, with(o, time.Second, nil))
}}

// quickNetty passes as many ticks in a race as the others.
var quickNetty = facilitytest.Kind{Name: "netty, 1 ms", New: func(o systems.Options) (systems.Facility, error) {
	return netty.New(netty.Options{Options: with(o, time.Millisecond, nil)})
}}

func TestRules(t *testing.T) {
	for _, k := range append(kinds, stepping) {
		t.Run(k.Name, func(t *testing.T) { facilitytest.Run(t, k) })
	}
}

func TestRaces(t *testing.T) {
	timers := 1_000_000
	if testing.Short() {
		timers = 40_000
	}
	for _, k := range append(kinds, stepping, quickNetty) {
		t.Run(k.Name, func(t *testing.T) { facilitytest.Race(t, k, timers) })
	}
}

func TestBadOptions(t *testing.T) {
	for text, open := range map[string]func() (systems.Facility, error){
		"Tick -1ns (must be above 0)": func() (systems.Facility, error) { return locked.Kafka(0, systems.Options{Tick: -1}) },
		"-3":                          func() (systems.Facility, error) { return locked.Kafka(-3, systems.Options{}) },
		"Tick 0s (must be above 0)": func() (systems.Facility, error) {
			return locked.New(&hashunsorted.Chunked, schemes.Config{}, locked.Options{})
		},
		"(must be exact)": func() (systems.Facility, error) {
			return locked.New(&hierarchical.NoMigrate, schemes.Config{}, locked.Options{Options: systems.Options{Tick: 1}})
		},
		"0 workers (must be 1 or more)": func() (systems.Facility, error) { return locked.ScheduledExecutor(0, true, systems.Options{}) },
		"Tick -4ns (must be above 0)": func() (systems.Facility, error) {
			return locked.FixedTimeout(time.Second, systems.Options{Tick: -4})
		},
		"timeout 0s (must be above 0)": func() (systems.Facility, error) { return locked.FixedTimeout(0, systems.Options{}) },
		"Tick -2ns (must be above 0)": func() (systems.Facility, error) {
			return sharded.New(sharded.Options{Options: systems.Options{Tick: -2}})
		},
		"Shards -2 (must":                 func() (systems.Facility, error) { return sharded.New(sharded.Options{Shards: -2}) },
		"Shards 4097 (must be 0 to 4096)": func() (systems.Facility, error) { return sharded.New(sharded.Options{Shards: sharded.MostShards + 1}) },
		"Slots -1":                        func() (systems.Facility, error) { return netty.New(netty.Options{Slots: -1}) },
		"MaxPending -5":                   func() (systems.Facility, error) { return netty.New(netty.Options{MaxPending: -5}) },
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
		i := slices.IndexFunc(kinds, func(k facilitytest.Kind) bool { return k.Name == name })
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
