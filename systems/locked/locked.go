// Package locked has services of one scheme under one lock: the timers of Kafka (Kafka), the JDK
// (JavaTimer, ScheduledExecutor) and those that articles explain (Multilevel); lists of idle
// connections (FixedTimeout, Set); and any scheme of the registry (New), such as package pick's
// choice. Their workers pass ticks and run actions. A slow action delays all others, unless there
// are more workers or Options.Execute runs actions elsewhere.
//
// An action runs at most a tick late, plus the delays of scheduling and of earlier actions.
package locked

import (
	"cmp"
	"math"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/tree"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Options configure a service. The Tick must be set.
type Options struct {
	systems.Options
	Stepping bool // wake up for every tick
}

// New starts a service with any scheme of the registry but the variants that trade precision.
// Use it for a scheme and sizes of your own choice. It returns an error wrapping
// schemes.ErrConfig if the scheme rejects cfg or is such a variant, or if the Tick is not
// positive.
//
// Durations of up to one tick less than the scheme's range are accepted at any time. While the
// worker sleeps, the scheme's clock stands still; a start that would be out of range advances it.
// (In tokio, short sleeps were lost in a wheel after 12 days: tokio-rs/tokio#8334.)
func New(info *schemes.Info, cfg schemes.Config, o Options) (systems.Facility, error) {
	return engine.Open(engine.Design{Scheme: info, Config: cfg, Stepping: o.Stepping}, o.Options)
}

// Kafka's defaults.
const (
	DefaultTick  = time.Millisecond
	DefaultSlots = 20
)

// Kafka starts the timer of Apache Kafka's purgatory (SystemTimer and TimingWheel as of Kafka 3):
// hierarchical wheels of 20 slots each, the lowest with slots of 1 ms, as many as the longest
// time.Duration needs. Each wheel has the given number of slots; 0 selects
// DefaultSlots, and a Tick of 0 DefaultTick. If either is negative, Kafka returns an error
// wrapping schemes.ErrConfig. One worker, the reaper, sleeps until a slot may be due, so empty
// ticks cost nothing.
//
// Differences from Kafka:
//
//   - Kafka makes a higher wheel when an interval needs it; here all are there from the start.
//   - Kafka finds the earliest slot with a delay queue, a heap of slots; here the scheme
//     returns it (schemes.Sleeper).
//   - Kafka rounds the time of the start and the deadline down, so a timer may be early by up
//     to a tick; here none is early.
//   - Kafka's starts share a read lock and then lock their slot, and only the reaper takes the
//     write lock; here there is one lock.
//   - Kafka's reaper also wakes up every 200 ms to check for shutdown; this one does not.
//   - Kafka's executor is one thread; here it is the worker, or Options.Execute.
//   - In Kafka, completed operations stay in the purgatory's lists until they are purged
//     (apache/kafka#15902); here a stopped timer leaves at once.
func Kafka(slots int, o systems.Options) (systems.Facility, error) { return kafka(slots, o, false) }

// Multilevel starts the hierarchical wheel that articles explain first: the wheels of Kafka and
// a worker that wakes up for every tick, empty or not. Compared with Kafka it shows what
// sleeping until the earliest timer saves.
func Multilevel(slots int, o systems.Options) (systems.Facility, error) {
	return kafka(slots, o, true)
}

func kafka(slots int, o systems.Options, stepping bool) (systems.Facility, error) {
	o.Tick, slots = cmp.Or(o.Tick, DefaultTick), cmp.Or(slots, DefaultSlots)
	cfg := schemes.Config{Levels: []int{slots}}
	for reach := float64(slots); o.Tick > 0 && slots > 0 && reach <= float64(math.MaxInt64/o.Tick); {
		radix := max(slots, 2)
		cfg.Levels = append(cfg.Levels, radix)
		reach *= float64(radix)
	}
	return New(&hierarchical.Info, cfg, Options{o, stepping})
}

// JavaTick is the default tick of the JDK's timers, whose clocks count ms and ns.
const JavaTick = time.Microsecond

// JavaTimer starts java.util.Timer (as of OpenJDK 21): a binary heap under one lock, whose one
// thread runs all actions. Stopped timers stay in the heap until their deadline.
//
// Differences: java.util.Timer follows the wall clock and its steps, here the monotonic clock.
// Periodic tasks, purge, and the end of the timer when an action throws are left out.
func JavaTimer(o systems.Options) (systems.Facility, error) { return ScheduledExecutor(1, false, o) }

// ScheduledExecutor starts a ScheduledThreadPoolExecutor (as of OpenJDK 21): a binary heap under
// one lock, with a pool of workers of which one, the leader, waits for the earliest timer. With
// removeOnStop, a stopped timer leaves the heap at once, in O(log n); otherwise it stays until
// its deadline. If workers or the Tick are not positive, ScheduledExecutor returns an error
// wrapping schemes.ErrConfig.
//
// Differences: here the leader is a timer of Go's runtime. Periodic tasks, futures, and pools
// that grow and shrink are left out.
func ScheduledExecutor(workers int, removeOnStop bool, o systems.Options) (systems.Facility, error) {
	if workers < 1 {
		return nil, badConfig("%d workers (must be 1 or more)", workers)
	}
	o.Tick = cmp.Or(o.Tick, JavaTick)
	return engine.Open(engine.Design{Scheme: &tree.Info, Workers: workers, Lazy: !removeOnStop}, o)
}
