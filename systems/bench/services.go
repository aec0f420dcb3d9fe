package bench

import (
	"slices"
	"time"

	"timerlab/harness/results/units"
	"timerlab/schemes"
	"timerlab/schemes/hashsorted"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/systems"
	"timerlab/systems/internal/subject"
	"timerlab/systems/locked"
	"timerlab/systems/std"
)

// service is a timer service that is measured.
type service struct {
	subject.Service
	workerless bool // it has Stats, but nothing that wakes up

	scheme *schemes.Info // under one lock
	cfg    schemes.Config
}

// Names of services that cells and targets name.
var (
	goTimers = subject.GoTimers.Name
	reused   = subject.Reused.Name
	ours     = subject.Sharded.Name
	owned    = subject.Owned.Name
	nothing  = subject.Nothing.Name
)

const lockedTick = time.Millisecond

// services are Go's own timers and the services of package systems, one of them under two
// names: the difference is noise.
var services = []service{
	{Service: subject.GoTimers},
	{Service: subject.Reused},
	{Service: subject.Service{Name: "std", Open: openStd}, workerless: true},
	{Service: subject.Sharded},
	again(service{Service: subject.Sharded}),
	{Service: subject.Owned},
	{Service: lock("locked", &hierarchical.Chunked, schemes.Config{})},
}

func openStd() (subject.Timers, error) { return std.New(systems.Options{}) }

func lock(name string, info *schemes.Info, cfg schemes.Config) subject.Service {
	return subject.Service{Name: name, Open: func() (subject.Timers, error) {
		return locked.New(info, cfg, systems.Options{Tick: lockedTick})
	}}
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
	return service{Service: lock("locked-"+info.Name, info, cfg), scheme: info, cfg: cfg}
}

func again(s service) service {
	s.Name += units.Again
	return s
}

// find returns the service of a name.
func find(name string) service {
	all := slices.Concat([]service{{Service: subject.Nothing}}, services, locks)
	return all[slices.IndexFunc(all, func(s service) bool { return s.Name == name })]
}

func namesOf(services []service) (names []string) {
	for _, s := range services {
		names = append(names, s.Name)
	}
	return names
}
