package bench

import (
	"runtime"
	"slices"
	"time"

	"timerlab/harness/results"
	"timerlab/schemes"
	"timerlab/schemes/hashsorted"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/schemes/tree"
	"timerlab/systems"
	"timerlab/systems/locked"
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

// service is what is measured of a facility. Go's own timers have it, too.
type service interface {
	AfterFunc(d time.Duration, f func()) (systems.Timer, error)
	Close() (unexpired int, err error)
}

// opener opens a facility. If all its timers have one timeout, it is this one.
type opener = func(timeout time.Duration) (service, error)

// with returns an opener of facilities with these options.
func with[O any](open func(O) (systems.Facility, error), o O) opener {
	return func(time.Duration) (service, error) { return open(o) }
}

const (
	goTimers   = "time.AfterFunc" // Go's own timers without anything around them
	ours       = "sharded"
	lockPrefix = "locked-" // of the names of schemes under one lock
	lockSlots  = 4096      // M of the hashed wheels under a lock
)

var msTick = systems.Options{Tick: time.Millisecond}

// subjects are Go's own timers and the facilities of package systems, one of them under two
// names: the difference is noise.
var subjects = []subject{
	{name: goTimers, open: func(time.Duration) (service, error) { return plain{}, nil }},
	{name: "std", open: with(std.New, systems.Options{})},
	{name: ours, tick: sharded.DefaultTick, open: with(sharded.New, sharded.Options{})},
	{name: ours + results.Again, tick: sharded.DefaultTick, open: with(sharded.New, sharded.Options{})},
	{name: "kafka", tick: locked.DefaultTick, open: func(time.Duration) (service, error) {
		return locked.Kafka(0, systems.Options{})
	}},
	{name: "multilevel", tick: locked.DefaultTick, open: func(time.Duration) (service, error) {
		return locked.Multilevel(0, systems.Options{})
	}},
	{name: "netty", tick: netty.DefaultTick, queued: true, open: with(netty.New, netty.Options{})},
	{name: "netty-1ms", tick: msTick.Tick, queued: true,
		open: with(netty.New, netty.Options{Options: msTick, Slots: 16_384})},
	{name: "jdk-timer", tick: locked.JavaTick, open: with(locked.JavaTimer, systems.Options{})},
	{name: "jdk-pool", tick: locked.JavaTick, open: with(pool, true)},
	{name: "jdk-pool-lazy", tick: locked.JavaTick, open: with(pool, false)},
	{name: "fixedtimeout", tick: msTick.Tick, fixed: true, open: func(timeout time.Duration) (service, error) {
		return locked.FixedTimeout(timeout, msTick)
	}},
}

func pool(removeOnStop bool) (systems.Facility, error) {
	return locked.ScheduledExecutor(runtime.GOMAXPROCS(0), removeOnStop, systems.Options{})
}

// locks are schemes under one lock, one of them under two names.
var locks = []subject{
	underLock(&ordered.Info, schemes.Config{}),
	underLock(&tree.Info, schemes.Config{}),
	underLock(&hashsorted.Info, schemes.Config{Slots: lockSlots}),
	underLock(&hashunsorted.Info, schemes.Config{Slots: lockSlots}),
	underLock(&hierarchical.Info, schemes.Config{}),
	underLock(&hierarchical.Chunked, schemes.Config{}),
	again(underLock(&hierarchical.Info, schemes.Config{})),
}

func again(s subject) subject {
	s.name += results.Again
	return s
}

func underLock(info *schemes.Info, cfg schemes.Config) subject {
	return subject{name: lockPrefix + info.Name, tick: msTick.Tick, scheme: info, cfg: cfg,
		open: func(time.Duration) (service, error) {
			return locked.New(info, cfg, locked.Options{Options: msTick})
		}}
}

// nothing is a process in which no timer is started.
var nothing = subject{name: "nothing", open: subjects[0].open}

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
func (plain) Close() (int, error) { return 0, nil }
