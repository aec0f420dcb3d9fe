package systems_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/systems"
	"timerlab/systems/facilitytest"
	"timerlab/systems/fixedtimeout"
	"timerlab/systems/jdk"
	"timerlab/systems/kafka"
	"timerlab/systems/netty"
	"timerlab/systems/sharded"
	"timerlab/systems/std"
)

// kinds are all facilities that take any duration.
var kinds = []facilitytest.Kind{
	{Name: "std", Tick: 0, New: func(h func(any)) (systems.Facility, error) { return std.New(h), nil }},
	{Name: "kafka", Tick: time.Millisecond, New: func(h func(any)) (systems.Facility, error) {
		return kafka.New(0, kafka.Options{Panic: h})
	}},
	{Name: "kafka with an executor", Tick: time.Millisecond, New: func(h func(any)) (systems.Facility, error) {
		return kafka.New(7, kafka.Options{Panic: h, Execute: func(action func()) { go action() }})
	}},
	{Name: "jdk.Timer", Tick: jdk.Tick, New: func(h func(any)) (systems.Facility, error) { return jdk.NewTimer(h) }},
	{Name: "jdk.Executor, one worker", Tick: jdk.Tick, New: func(h func(any)) (systems.Facility, error) { return jdk.NewExecutor(1, true, h) }},
	{Name: "jdk.Executor, lazy", Tick: jdk.Tick, New: func(h func(any)) (systems.Facility, error) { return jdk.NewExecutor(4, false, h) }},
}

func init() {
	kinds = append(kinds,
		facilitytest.Kind{Name: "sharded", Tick: time.Millisecond, New: func(h func(any)) (systems.Facility, error) {
			return sharded.New(sharded.Options{Shards: 4, Options: kafka.Options{Panic: h}})
		}},
		facilitytest.Kind{Name: "netty", Tick: 20 * time.Millisecond, New: func(h func(any)) (systems.Facility, error) {
			return netty.New(netty.Options{Options: kafka.Options{Tick: 20 * time.Millisecond, Panic: h}})
		}},
	)
}

// stepping wakes for every tick, which an hour of the fake clock has many of.
var stepping = facilitytest.Kind{Name: "kafka, stepping", Tick: 50 * time.Millisecond, New: func(h func(any)) (systems.Facility, error) {
	return kafka.NewStepping(0, kafka.Options{Tick: 50 * time.Millisecond, Panic: h})
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
	for _, k := range append(kinds, stepping) {
		t.Run(k.Name, func(t *testing.T) { facilitytest.Race(t, k, timers) })
	}
}

func TestBadOptions(t *testing.T) {
	_, err := kafka.New(0, kafka.Options{Tick: -1})
	assert.ErrorIs(t, err, schemes.ErrConfig)
	assert.ErrorContains(t, err, "-1ns, allowed above 0")
	_, err = kafka.New(-3, kafka.Options{})
	assert.ErrorIs(t, err, schemes.ErrConfig)
	_, err = jdk.NewExecutor(0, true, nil)
	assert.ErrorContains(t, err, "0 workers, allowed 1 to 32768")
	_, err = fixedtimeout.New(0, fixedtimeout.Options{})
	assert.ErrorContains(t, err, "timeout 0s, allowed above 0")
	f, err := fixedtimeout.New(time.Second, fixedtimeout.Options{})
	require.NoError(t, err)
	defer f.Close()
	_, err = f.AfterFunc(2*time.Second, func() {})
	assert.True(t, errors.Is(err, fixedtimeout.ErrTimeout))
	assert.ErrorContains(t, err, "allowed 1s")
}
