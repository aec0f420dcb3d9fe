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
	"timerlab/systems"
	"timerlab/systems/locked"
	"timerlab/systems/sharded"
	"timerlab/systems/std"
	"timerlab/systems/study"
)

// service is a timer service that is measured.
type service struct {
	name  string
	open  opener
	fixed bool          // all its timers have one timeout
	queue time.Duration // tick on which starts reach the wheel, study.MostMoved on each; 0: at once

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
	goTimers = "time.AfterFunc" // Go's own timers without anything around them
	ours     = "sharded"
	nothing  = "nothing" // a process in which no timer is started
)

var msTick = systems.Options{Tick: time.Millisecond}

// services are Go's own timers and the services of package systems, one of them under two
// names: the difference is noise.
var services = []service{
	{name: goTimers, open: func(time.Duration) (timers, error) { return plain{}, nil }},
	{name: "std", open: with(std.New, systems.Options{})},
	{name: ours, open: with(sharded.New, sharded.Options{})},
	{name: ours + units.Again, open: with(sharded.New, sharded.Options{})},
	{name: "locked", open: underLock(&hierarchical.Chunked, schemes.Config{}).open},
	{name: "kafka", open: with(study.Kafka, systems.Options{})},
	{name: "multilevel", open: with(study.Multilevel, systems.Options{})},
	{name: "netty", queue: study.NettyTick, open: with(netty, systems.Options{})},
	{name: "jdk-timer", open: with(study.JavaTimer, systems.Options{})},
	{name: "jdk-pool", open: with(pool, true)},
	{name: "jdk-pool-lazy", open: with(pool, false)},
	{name: "fixedtimeout", fixed: true, open: func(timeout time.Duration) (timers, error) {
		return locked.FixedTimeout(timeout, msTick)
	}},
}

func netty(o systems.Options) (systems.Service, error) { return study.Netty(0, o) }

func pool(removeOnStop bool) (systems.Service, error) {
	return study.ScheduledExecutor(runtime.GOMAXPROCS(0), removeOnStop, systems.Options{})
}

// locks are schemes under one lock, one of them under two names.
var locks = []service{
	underLock(&ordered.Info, schemes.Config{}),
	underLock(&hashsorted.Info, schemes.Config{Slots: 4096}),
	underLock(&hashunsorted.Info, schemes.Config{Slots: 4096}),
	underLock(&hierarchical.Info, schemes.Config{}),
	again(underLock(&hierarchical.Info, schemes.Config{})),
}

func underLock(info *schemes.Info, cfg schemes.Config) service {
	open := func(o systems.Options) (systems.Service, error) { return locked.New(info, cfg, o) }
	return service{name: "locked-" + info.Name, scheme: info, cfg: cfg, open: with(open, msTick)}
}

func again(s service) service {
	s.name += units.Again
	return s
}

// find returns the service of a name.
func find(name string) service {
	if name == nothing || name == ownLoop {
		return service{name: name, open: func(time.Duration) (timers, error) { return none{}, nil }}
	}
	all := slices.Concat(services, locks)
	return all[slices.IndexFunc(all, func(s service) bool { return s.name == name })]
}

func namesOf(services []service) (names []string) {
	for _, s := range services {
		names = append(names, s.name)
	}
	return names
}

// plain is time.AfterFunc without anything around it.
type plain struct{}

func (plain) AfterFunc(d time.Duration, f func()) (systems.Timer, error) {
	return time.AfterFunc(d, f), nil
}

// Close does nothing: clients stop their timers.
func (plain) Close() (int, error) { return 0, nil }

// none starts no timers. It is its own timer, which pretends to be pending.
type none struct{ plain }

func (none) AfterFunc(time.Duration, func()) (systems.Timer, error) { return none{}, nil }
func (none) Stop() bool                                             { return true }
func (none) Reset(time.Duration) bool                               { return true }
