package bench

import (
	"runtime"
	"slices"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hashsorted"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/schemes/tree"
	"timerlab/systems"
	"timerlab/systems/fixedtimeout"
	"timerlab/systems/jdk"
	"timerlab/systems/kafka"
	"timerlab/systems/locked"
	"timerlab/systems/multilevel"
	"timerlab/systems/netty"
	"timerlab/systems/sharded"
	"timerlab/systems/std"
)

// subject is a facility that is measured.
type subject struct {
	name   string
	tick   time.Duration // 0 if it has none
	open   opener
	fixed  bool // all its timers have one timeout
	queued bool // starts reach the wheel on later ticks, netty.MostMoved on each

	scheme *schemes.Info // that is under one lock
	cfg    schemes.Config
}

// opener opens a facility. If all its timers have one timeout, it is this one.
type opener = func(timeout time.Duration) (systems.Facility, error)

// with returns an opener of facilities with these options.
func with[O any, F systems.Facility](open func(O) (F, error), o O) opener {
	return func(time.Duration) (systems.Facility, error) { return open(o) }
}

const (
	goTimers   = "time.AfterFunc" // Go's own timers without anything around them
	ours       = "sharded"
	lockPrefix = "locked-" // of the names of schemes under one lock
	lockSlots  = 4096      // M of the hashed wheels under a lock
)

var msTick = systems.Options{Tick: time.Millisecond}

// subjects are Go's own timers and the facilities of package systems.
var subjects = []subject{
	{name: goTimers, open: func(time.Duration) (systems.Facility, error) { return plain{}, nil }},
	{name: "std", open: func(time.Duration) (systems.Facility, error) { return std.New(nil), nil }},
	{name: ours, tick: sharded.DefaultTick, open: with(sharded.New, sharded.Options{})},
	{name: "kafka", tick: kafka.DefaultTick, open: func(time.Duration) (systems.Facility, error) {
		return kafka.New(0, systems.Options{})
	}},
	{name: "multilevel", tick: kafka.DefaultTick, open: func(time.Duration) (systems.Facility, error) {
		return multilevel.New(0, systems.Options{})
	}},
	{name: "netty", tick: netty.DefaultTick, queued: true, open: with(netty.New, netty.Options{})},
	{name: "netty-1ms", tick: msTick.Tick, queued: true,
		open: with(netty.New, netty.Options{Options: msTick, Slots: 16_384})},
	{name: "jdk-timer", tick: jdk.Tick, open: with(jdk.NewTimer, nil)},
	{name: "jdk-pool", tick: jdk.Tick, open: with(jdkPool, true)},
	{name: "jdk-pool-lazy", tick: jdk.Tick, open: with(jdkPool, false)},
	{name: "fixedtimeout", tick: msTick.Tick, fixed: true, open: func(timeout time.Duration) (systems.Facility, error) {
		return fixedtimeout.New(timeout, msTick)
	}},
}

func jdkPool(removeOnStop bool) (jdk.Executor, error) {
	return jdk.NewExecutor(runtime.GOMAXPROCS(0), removeOnStop, nil)
}

// locks are schemes under one lock.
var locks = []subject{
	underLock(&ordered.Info, schemes.Config{}),
	underLock(&tree.Info, schemes.Config{}),
	underLock(&hashsorted.Info, schemes.Config{Slots: lockSlots}),
	underLock(&hashunsorted.Info, schemes.Config{Slots: lockSlots}),
	underLock(&hierarchical.Info, schemes.Config{}),
	underLock(&hierarchical.Chunked, schemes.Config{}),
}

func underLock(info *schemes.Info, cfg schemes.Config) subject {
	return subject{name: lockPrefix + info.Name, tick: msTick.Tick, scheme: info, cfg: cfg,
		open: func(time.Duration) (systems.Facility, error) {
			return locked.New(info, cfg, locked.Options{Options: msTick})
		}}
}

// nothing is a process without a facility.
var nothing = subject{name: "nothing", open: func(time.Duration) (systems.Facility, error) { return noFacility{}, nil }}

// measured are all subjects.
var measured = slices.Concat(subjects, locks, []subject{nothing})

func namesOf(subjects []subject) (names []string) {
	for _, s := range subjects {
		names = append(names, s.name)
	}
	return names
}

// duration returns d, or the only duration that the facility takes.
func (s subject) duration(d, only time.Duration) time.Duration {
	if s.fixed {
		return only
	}
	return d
}

// settle waits until n starts have reached the wheel.
func (s subject) settle(n int) {
	if s.queued {
		time.Sleep(time.Duration(n/netty.MostMoved+3) * s.tick)
	}
}

// plain is time.AfterFunc without anything around it.
type plain struct{}

func (plain) AfterFunc(d time.Duration, f func()) (systems.Timer, error) {
	return time.AfterFunc(d, f), nil
}

// Close does nothing: clients stop their timers.
func (plain) Close() int { return 0 }

// noFacility starts nothing.
type noFacility struct{ plain }

func (noFacility) AfterFunc(time.Duration, func()) (systems.Timer, error) {
	return (*noTimer)(nil), nil
}

type noTimer struct{}

func (*noTimer) Stop() bool               { return true }
func (*noTimer) Reset(time.Duration) bool { return true }
