package bench

import (
	"runtime"
	"slices"
	"time"

	"timerlab/harness/results/units"
	"timerlab/schemes"
	"timerlab/schemes/hashsorted"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/schemes/tree"
	"timerlab/systems"
	"timerlab/systems/locked"
	"timerlab/systems/sharded"
	"timerlab/systems/std"
	"timerlab/systems/study"
)

// service is a timer service that is measured.
type service struct {
	name   string
	tick   time.Duration // 0 if it has none
	open   opener
	fixed  bool // all its timers have one timeout
	queued bool // starts reach the wheel on later ticks, study.MostMoved on each

	scheme *schemes.Info // that is under one lock
	cfg    schemes.Config
}

// timers is what is measured of an open service. Go's own timers have it, too.
type timers interface {
	AfterFunc(d time.Duration, f func()) (systems.Timer, error)
	Close() (unexpired int, err error)
}

// opener opens a service. If all its timers have one timeout, it is this one.
type opener = func(timeout time.Duration) (timers, error)

// with returns an opener of services with these options.
func with[O any](open func(O) (systems.Service, error), o O) opener {
	return func(time.Duration) (timers, error) { return open(o) }
}

// Names that other files use.
const (
	goTimers   = "time.AfterFunc" // Go's own timers without anything around them
	ours       = "sharded"
	kafka      = "kafka"      // sleeps until the earliest slot
	multilevel = "multilevel" // the same wheels, woken up by every tick
	nothing    = "nothing"    // a process in which no timer is started
	lockPrefix = "locked-"    // of the names of schemes under one lock
	lockSlots  = 4096         // M of the hashed wheels under a lock
)

var msTick = systems.Options{Tick: time.Millisecond}

// services are Go's own timers and the services of package systems, one of them under two
// names: the difference is noise.
var services = []service{
	{name: goTimers, open: func(time.Duration) (timers, error) { return plain{}, nil }},
	{name: "std", open: with(std.New, systems.Options{})},
	{name: ours, tick: sharded.DefaultTick, open: with(sharded.New, sharded.Options{})},
	{name: ours + units.Again, tick: sharded.DefaultTick, open: with(sharded.New, sharded.Options{})},
	{name: "locked", tick: msTick.Tick, open: underLock(&hierarchical.Chunked, "", schemes.Config{}).open},
	{name: kafka, tick: study.KafkaTick, open: with(study.Kafka, systems.Options{})},
	{name: multilevel, tick: study.KafkaTick, open: with(study.Multilevel, systems.Options{})},
	{name: "netty", tick: study.NettyTick, queued: true, open: netty(0, systems.Options{})},
	{name: "netty-1ms", tick: msTick.Tick, queued: true, open: netty(16_384, msTick)},
	{name: "jdk-timer", open: with(study.JavaTimer, systems.Options{})},
	{name: "jdk-pool", open: with(pool, true)},
	{name: "jdk-pool-lazy", open: with(pool, false)},
	{name: "fixedtimeout", tick: msTick.Tick, fixed: true, open: func(timeout time.Duration) (timers, error) {
		return locked.FixedTimeout(timeout, msTick)
	}},
}

func netty(slots int, o systems.Options) opener {
	return func(time.Duration) (timers, error) { return study.Netty(slots, o) }
}

func pool(removeOnStop bool) (systems.Service, error) {
	return study.ScheduledExecutor(runtime.GOMAXPROCS(0), removeOnStop, systems.Options{})
}

// locks are schemes under one lock, one of them under two names.
var locks = []service{
	underLock(&ordered.Info, "", schemes.Config{}),
	underLock(&tree.Info, "", schemes.Config{}),
	underLock(&hashsorted.Info, "", schemes.Config{Slots: lockSlots}),
	underLock(&hashunsorted.Info, "", schemes.Config{Slots: lockSlots}),
	underLock(&hierarchical.Info, "", schemes.Config{}),
	underLock(&hierarchical.Info, units.Again, schemes.Config{}),
}

func underLock(info *schemes.Info, suffix string, cfg schemes.Config) service {
	return service{name: lockPrefix + info.Name + suffix, tick: msTick.Tick, scheme: info, cfg: cfg,
		open: func(time.Duration) (timers, error) {
			return locked.New(info, cfg, msTick)
		}}
}

// measured are all services.
var measured = slices.Concat(services, locks, []service{
	{name: nothing, open: func(time.Duration) (timers, error) { return none{}, nil }},
})

// find returns the service of a name.
func find(name string) service {
	return measured[slices.IndexFunc(measured, func(s service) bool { return s.name == name })]
}

func namesOf(services []service) (names []string) {
	for _, s := range services {
		names = append(names, s.name)
	}
	return names
}

// duration returns d, or the only duration that the service takes.
func (s service) duration(d, only time.Duration) time.Duration {
	if s.fixed {
		return only
	}
	return d
}

// plain is time.AfterFunc without anything around it.
type plain struct{}

func (plain) AfterFunc(d time.Duration, f func()) (systems.Timer, error) {
	return time.AfterFunc(d, f), nil
}

// Close does nothing: clients stop their timers.
func (plain) Close() (int, error) { return 0, nil }

// none starts no timers. It is its own timer.
type none struct{ plain }

func (none) AfterFunc(time.Duration, func()) (systems.Timer, error) { return none{}, nil }
func (none) Stop() bool                                             { return false }
func (none) Reset(time.Duration) bool                               { return false }
