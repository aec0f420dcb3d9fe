package bench

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
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

// Entrant is a facility that is measured.
type Entrant struct {
	Name string
	Tick time.Duration                    // 0: none
	New  func() (systems.Facility, error) // nil: fixed has it

	// What a table of facilities says of it: its package and what it is, who takes its timers
	// over and who runs actions, which empty ticks it wakes for, when a stopped timer leaves
	// the scheme, and how late an action is at most, beside scheduling.
	Package, Is, Scheme, HandOff, Executor, Empty, Stop, Bound string

	info   *schemes.Info // of a scheme under one lock
	cfg    schemes.Config
	fixed  func(timeout time.Duration) (systems.Facility, error) // for one duration; nil: it takes any
	settle func(timers int) time.Duration                        // after which so many starts are where they belong; nil: at once
}

// Bare is the name of Go's timers without anything around them.
const Bare = "time.AfterFunc"

// Entrants are Go's own timers and the facilities of package systems.
var Entrants = []Entrant{
	{
		Name: Bare, New: func() (systems.Facility, error) { return bare{}, nil },
		Package: "", Is: "Go's own timers", Scheme: "4-ary heap for each processor", HandOff: "the heap's lock", Executor: "a goroutine for each action", Empty: "none", Stop: "lazy", Bound: "scheduling",
	},
	{
		Name: "std", New: func() (systems.Facility, error) { return std.New(nil), nil },
		Package: "std", Is: "the same, with a Close", Scheme: "4-ary heap for each processor", HandOff: "the heap's lock, and one of 64 for Close", Executor: "a goroutine for each action", Empty: "none", Stop: "lazy", Bound: "scheduling",
	},
	{
		Name: "sharded", Tick: sharded.DefaultTick, New: func() (systems.Facility, error) { return sharded.New(sharded.Options{}) },
		Package: "sharded", Is: "ours", Scheme: "7, chunked, two for each processor", HandOff: "the wheel's lock, or another's that is free", Executor: "a crew: one runner, more where actions are slow", Empty: "none", Stop: "lazy, bounded", Bound: "1 tick",
	},
	{
		Name: "kafka", Tick: kafka.DefaultTick, New: func() (systems.Facility, error) { return kafka.New(0, systems.Options{}) },
		Package: "kafka", Is: "Kafka's SystemTimer", Scheme: "7, levels on demand", HandOff: "one lock", Executor: "the worker, or yours", Empty: "none", Stop: "at once", Bound: "1 tick",
	},
	{
		Name: "multilevel", Tick: kafka.DefaultTick, New: func() (systems.Facility, error) { return multilevel.New(0, systems.Options{}) },
		Package: "multilevel", Is: "the same, stepping", Scheme: "7, levels on demand", HandOff: "one lock", Executor: "the worker, or yours", Empty: "all", Stop: "at once", Bound: "1 tick",
	},
	{
		Name: "netty", Tick: netty.DefaultTick, New: func() (systems.Facility, error) { return netty.New(netty.Options{}) }, settle: nettySettles(netty.DefaultTick),
		Package: "netty", Is: "Netty's HashedWheelTimer", Scheme: "6, M = 512", HandOff: "queues of starts and stops", Executor: "the worker, or yours", Empty: "all", Stop: "by the next tick", Bound: "1 tick, and 1 for each 100,000 starts in one",
	},
	{
		Name: "netty-1ms", Tick: time.Millisecond, settle: nettySettles(time.Millisecond), New: func() (systems.Facility, error) {
			return netty.New(netty.Options{Options: options(time.Millisecond), Slots: 16_384})
		},
		Package: "netty", Is: "the same, finer", Scheme: "6, M = 16,384", HandOff: "queues of starts and stops", Executor: "the worker, or yours", Empty: "all", Stop: "by the next tick", Bound: "as netty",
	},
	{
		Name: "jdk-timer", Tick: jdk.Tick, New: func() (systems.Facility, error) { return jdk.NewTimer(nil) },
		Package: "jdk", Is: "java.util.Timer", Scheme: "3, a binary heap", HandOff: "one lock", Executor: "the worker", Empty: "none", Stop: "when due", Bound: "1 µs",
	},
	{
		Name: "jdk-pool", Tick: jdk.Tick, New: func() (systems.Facility, error) { return jdk.NewExecutor(runtime.GOMAXPROCS(0), true, nil) },
		Package: "jdk", Is: "ScheduledThreadPoolExecutor, remove on cancel", Scheme: "3, a binary heap", HandOff: "one lock", Executor: "a pool, one of it the leader", Empty: "none", Stop: "at once, O(log n)", Bound: "1 µs",
	},
	{
		Name: "jdk-pool-lazy", Tick: jdk.Tick, New: func() (systems.Facility, error) { return jdk.NewExecutor(runtime.GOMAXPROCS(0), false, nil) },
		Package: "jdk", Is: "the same, by default", Scheme: "3, a binary heap", HandOff: "one lock", Executor: "a pool, one of it the leader", Empty: "none", Stop: "when due", Bound: "1 µs",
	},
	{
		Name: "fixedtimeout", Tick: time.Millisecond, fixed: func(timeout time.Duration) (systems.Facility, error) {
			return fixedtimeout.New(timeout, options(time.Millisecond))
		},
		Package: "fixedtimeout", Is: "one timeout for all", Scheme: "2, from the rear", HandOff: "one lock", Executor: "the worker, or yours", Empty: "none", Stop: "at once", Bound: "1 tick",
	},
}

// locks are schemes under one lock, which is watched.
var locks = []Entrant{
	underLock(&ordered.Info, schemes.Config{}),
	underLock(&tree.Info, schemes.Config{}),
	underLock(&hashsorted.Info, schemes.Config{Slots: lockSlots}),
	underLock(&hashunsorted.Info, schemes.Config{Slots: lockSlots}),
	underLock(&hierarchical.Info, schemes.Config{}),
	underLock(&hierarchical.Chunked, schemes.Config{}),
}

// lockSlots is M of the hashed wheels under a lock.
const lockSlots = 4096

func underLock(info *schemes.Info, cfg schemes.Config) Entrant {
	return Entrant{Name: lockPrefix + info.Name, Tick: time.Millisecond, info: info, cfg: cfg, New: func() (systems.Facility, error) {
		return locked.New(info, cfg, locked.Options{Options: options(time.Millisecond)})
	}}
}

// lockPrefix begins the names of schemes under one lock.
const lockPrefix = "locked-"

// sparse are the facilities whose wake-ups are counted: a list with a single-shot timer set
// to its head, and one that wakes for every tick.
var sparse = []Entrant{
	{Name: lockPrefix + "ordered", Tick: time.Millisecond, New: locks[0].New},
	{Name: "multilevel", Tick: time.Millisecond, New: func() (systems.Facility, error) { return multilevel.New(0, systems.Options{}) }},
}

// nobody is the process without any facility.
var nobody = Entrant{Name: "nothing", New: func() (systems.Facility, error) { return nil, nil }}

// fixedDuration is that of pending timers where a facility has but one.
const fixedDuration = time.Hour

func options(tick time.Duration) systems.Options { return systems.Options{Tick: tick} }

// nettySettles is when Netty's worker has moved so many starts into its wheel.
func nettySettles(tick time.Duration) func(int) time.Duration {
	return func(timers int) time.Duration { return time.Duration(timers/netty.MostMoved+3) * tick }
}

// open starts the facility; one for a fixed duration is for this one.
func (e Entrant) open(timeout time.Duration) (systems.Facility, error) {
	if e.fixed != nil {
		return e.fixed(timeout)
	}
	return e.New()
}

// entrant returns the one of this name.
func entrant(name string) (Entrant, error) {
	all := slices.Concat(Entrants, locks, []Entrant{nobody})
	var names []string
	for _, e := range all {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return Entrant{}, fmt.Errorf("facility %q, allowed %s", name, strings.Join(names, ", "))
}

// bare is time.AfterFunc without anything around it.
type bare struct{}

func (bare) AfterFunc(d time.Duration, f func()) (systems.Timer, error) {
	return time.AfterFunc(d, f), nil
}

// Close has nothing to close: whoever started timers stops them.
func (bare) Close() int { return 0 }
