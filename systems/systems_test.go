package systems_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
	"timerlab/systems/facilitytest"
	"timerlab/systems/fixedtimeout"
	"timerlab/systems/jdk"
	"timerlab/systems/kafka"
	"timerlab/systems/locked"
	"timerlab/systems/multilevel"
	"timerlab/systems/netty"
	"timerlab/systems/sharded"
	"timerlab/systems/std"
)

// options returns options with a handler of panics.
func options(handler func(any), tick time.Duration) systems.Options {
	return systems.Options{Tick: tick, Panic: handler}
}

// kinds are all facilities that take any duration, except multilevel.
var kinds = []facilitytest.Kind{
	{Name: "std", Tick: 0, New: func(h func(any)) (systems.Facility, error) { return std.New(h), nil }},
	{Name: "kafka", Tick: time.Millisecond, Workers: 1, New: func(h func(any)) (systems.Facility, error) {
		return kafka.New(0, options(h, 0))
	}},
	{Name: "kafka with an executor", Tick: time.Millisecond, New: func(h func(any)) (systems.Facility, error) {
		return kafka.New(7, systems.Options{Panic: h, Execute: func(action func()) { go action() }})
	}},
	{Name: "jdk.Timer", Tick: jdk.Tick, Workers: 1, New: func(h func(any)) (systems.Facility, error) { return jdk.NewTimer(h) }},
	{Name: "jdk.Executor, one worker", Tick: jdk.Tick, Workers: 1, New: func(h func(any)) (systems.Facility, error) { return jdk.NewExecutor(1, true, h) }},
	{Name: "jdk.Executor, lazy", Tick: jdk.Tick, Workers: 4, New: func(h func(any)) (systems.Facility, error) { return jdk.NewExecutor(4, false, h) }},
	{Name: "sharded", Tick: time.Millisecond, New: func(h func(any)) (systems.Facility, error) {
		return sharded.New(sharded.Options{Shards: 4, Panic: h})
	}},
	{Name: "netty", Tick: 20 * time.Millisecond, Workers: 1, New: func(h func(any)) (systems.Facility, error) {
		return netty.New(netty.Options{Options: options(h, 20*time.Millisecond)})
	}},
	{Name: "netty with an executor", Tick: 10 * time.Millisecond, New: func(h func(any)) (systems.Facility, error) {
		o := netty.Options{Options: options(h, 10*time.Millisecond), Slots: 8192}
		o.Execute = func(action func()) { go action() }
		return netty.New(o)
	}},
	{Name: "locked, hashed wheel", Tick: 10 * time.Millisecond, Workers: 1, New: func(h func(any)) (systems.Facility, error) {
		o := locked.Options{Options: options(h, 10*time.Millisecond), OnUnlock: func(locked.Operation, time.Duration) {}}
		return locked.New(&hashunsorted.Chunked, schemes.Config{Slots: 64}, o)
	}},
}

// stepping wakes up for every tick, of which an hour of the fake clock has many.
var stepping = facilitytest.Kind{Name: "multilevel", Tick: 50 * time.Millisecond, Workers: 1, New: func(h func(any)) (systems.Facility, error) {
	return multilevel.New(0, systems.Options{Tick: 50 * time.Millisecond, Panic: h})
}}

// quickNetty passes as many ticks in a race as the others.
var quickNetty = facilitytest.Kind{Name: "netty, 1 ms", New: func(h func(any)) (systems.Facility, error) {
	return netty.New(netty.Options{Options: options(h, time.Millisecond)})
}}

func TestRules(t *testing.T) {
	for _, k := range append(kinds, stepping) {
		t.Run(k.Name, func(t *testing.T) { facilitytest.Run(t, k) })
	}
}

func TestRaces(t *testing.T) {
	timers := 1_000_000
	if testing.Short() {
		timers = 80_000
	}
	for _, k := range append(kinds, stepping, quickNetty) {
		t.Run(k.Name, func(t *testing.T) { facilitytest.Race(t, k, timers) })
	}
}

func TestBadOptions(t *testing.T) {
	_, err := kafka.New(0, systems.Options{Tick: -1})
	assert.ErrorIs(t, err, schemes.ErrConfig)
	assert.ErrorContains(t, err, "Tick -1ns (must be above 0)")
	_, err = kafka.New(-3, systems.Options{})
	assert.ErrorIs(t, err, schemes.ErrConfig)
	_, err = locked.New(&hashunsorted.Chunked, schemes.Config{}, locked.Options{})
	assert.ErrorContains(t, err, "Tick 0s (must be above 0)")
	_, err = locked.New(&hierarchical.NoMigrate, schemes.Config{}, locked.Options{})
	assert.ErrorIs(t, err, schemes.ErrConfig)
	assert.ErrorContains(t, err, "(must be exact)")
	_, err = jdk.NewExecutor(0, true, nil)
	assert.ErrorContains(t, err, "0 workers (must be 1 to 32768)")
	_, err = fixedtimeout.New(0, systems.Options{})
	assert.ErrorContains(t, err, "timeout 0s (must be above 0)")
	f, err := fixedtimeout.New(time.Second, systems.Options{})
	require.NoError(t, err)
	defer f.Close()
	_, err = f.AfterFunc(2*time.Second, func() {})
	assert.True(t, errors.Is(err, fixedtimeout.ErrTimeout))
	assert.ErrorContains(t, err, "(must be 1s)")
}

// OnUnlock is called once for every operation.
func TestOnUnlock(t *testing.T) {
	calls := map[locked.Operation]int{}
	onUnlock := func(op locked.Operation, d time.Duration) {
		assert.Positive(t, d)
		calls[op]++
	}
	f, err := locked.New(&hashunsorted.Info, schemes.Config{}, locked.Options{Options: options(nil, time.Millisecond), OnUnlock: onUnlock})
	require.NoError(t, err)
	done := make(chan bool)
	first, err := f.AfterFunc(time.Hour, func() { close(done) })
	require.NoError(t, err)
	assert.True(t, first.Reset(0))
	<-done
	second, err := f.AfterFunc(time.Hour, func() {})
	require.NoError(t, err)
	assert.True(t, second.Stop())
	f.Close()
	assert.Positive(t, calls[locked.Tick])
	delete(calls, locked.Tick)
	assert.Equal(t, map[locked.Operation]int{locked.Start: 2, locked.Stop: 1, locked.Reset: 1}, calls)
}
