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
	name string
	tick time.Duration // 0 if it has none
	open func() (systems.Facility, error)

	// openFixed opens a facility whose timers all have this timeout, instead of open.
	openFixed func(timeout time.Duration) (systems.Facility, error)

	queued bool // starts reach the wheel on later ticks, netty.MostMoved on each

	scheme *schemes.Info // that is under one lock
	cfg    schemes.Config
}

const (
	goTimers = "time.AfterFunc" // Go's own timers without anything around them
	ours     = "sharded"
)

// subjects are Go's own timers and the facilities of package systems.
var subjects = []subject{
	{name: goTimers, open: func() (systems.Facility, error) { return plain{}, nil }},
	{name: "std", open: func() (systems.Facility, error) { return std.New(nil), nil }},
	{name: ours, tick: sharded.DefaultTick, open: func() (systems.Facility, error) {
		return sharded.New(sharded.Options{})
	}},
	{name: "kafka", tick: kafka.DefaultTick, open: func() (systems.Facility, error) {
		return kafka.New(0, systems.Options{})
	}},
	{name: "multilevel", tick: kafka.DefaultTick, open: func() (systems.Facility, error) {
		return multilevel.New(0, systems.Options{})
	}},
	{name: "netty", tick: netty.DefaultTick, queued: true, open: func() (systems.Facility, error) {
		return netty.New(netty.Options{})
	}},
	{name: "netty-1ms", tick: time.Millisecond, queued: true, open: func() (systems.Facility, error) {
		return netty.New(netty.Options{Options: msTick, Slots: 16_384})
	}},
	{name: "jdk-timer", tick: jdk.Tick, open: func() (systems.Facility, error) { return jdk.NewTimer(nil) }},
	{name: "jdk-pool", tick: jdk.Tick, open: func() (systems.Facility, error) {
		return jdk.NewExecutor(runtime.GOMAXPROCS(0), true, nil)
	}},
	{name: "jdk-pool-lazy", tick: jdk.Tick, open: func() (systems.Facility, error) {
		return jdk.NewExecutor(runtime.GOMAXPROCS(0), false, nil)
	}},
	{name: "fixedtimeout", tick: msTick.Tick, openFixed: func(timeout time.Duration) (systems.Facility, error) {
		return fixedtimeout.New(timeout, msTick)
	}},
}

var msTick = systems.Options{Tick: time.Millisecond}

// locks are schemes under one lock.
var locks = []subject{
	underLock(&ordered.Info, schemes.Config{}),
	underLock(&tree.Info, schemes.Config{}),
	underLock(&hashsorted.Info, schemes.Config{Slots: lockSlots}),
	underLock(&hashunsorted.Info, schemes.Config{Slots: lockSlots}),
	underLock(&hierarchical.Info, schemes.Config{}),
	underLock(&hierarchical.Chunked, schemes.Config{}),
}

const (
	lockPrefix = "locked-" // of the names of locks
	lockSlots  = 4096      // M of the hashed wheels under a lock
)

func underLock(info *schemes.Info, cfg schemes.Config) subject {
	return subject{name: lockPrefix + info.Name, tick: msTick.Tick, scheme: info, cfg: cfg,
		open: func() (systems.Facility, error) {
			return locked.New(info, cfg, locked.Options{Options: msTick})
		}}
}

// nothing is a process without a facility.
var nothing = subject{name: "nothing", open: func() (systems.Facility, error) { return nil, nil }}

// measured are all subjects.
var measured = slices.Concat(subjects, locks, []subject{nothing})

func namesOf(subjects []subject) (names []string) {
	for _, s := range subjects {
		names = append(names, s.name)
	}
	return names
}

// start opens the facility. If that is for one duration, it is this one.
func (s subject) start(timeout time.Duration) (systems.Facility, error) {
	if s.openFixed != nil {
		return s.openFixed(timeout)
	}
	return s.open()
}

// duration returns d, or the only duration that the facility takes.
func (s subject) duration(d, only time.Duration) time.Duration {
	if s.openFixed != nil {
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
