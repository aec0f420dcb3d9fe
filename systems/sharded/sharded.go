package sharded

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// DefaultTick is selected by an Options.Tick of 0.
const DefaultTick = time.Millisecond

// MostShards is the largest number of wheels of a service.
const MostShards = 1 << 12

// The default number of wheels is two for each processor: with one, goroutines that run at the same
// time would often meet at a lock. Few processors get more wheels, since all that is due on a tick is
// taken from a wheel at once, under its lock, and a crowd is spread over all wheels: of a million
// timers on one tick, a sixteenth takes less than 1 ms.
const (
	wheelsPerProc = 2
	leastWheels   = 16
)

const (
	slackShare = 4                     // of a tick is engine.Design.Slack
	leastSlack = 50 * time.Microsecond // with less, the alarm would cost more than the clock
)

// Options configure a service. Zero values select the defaults.
type Options struct {
	systems.Options
	Shards int // number of wheels; 0 selects two for each of GOMAXPROCS, at least 16
}

// levels returns wheels that reach all durations. The lowest one turns once in 256 ticks, since a service that sleeps
// wakes up when it wraps. The upper ones are small: their slots are most of what a shard without timers holds.
func levels(tick time.Duration) []int {
	const lowest, upper = 256, 64
	all := []int{lowest}
	for ticks := math.MaxInt64 / tick / lowest; ticks > 0; ticks /= upper {
		all = append(all, upper)
	}
	return all
}

// Service implements systems.Service. It is safe for concurrent use, also by actions.
type Service struct{ *engine.Service }

// Timer is a timer of the client's own, such as a field of a connection, of 32 bytes. Start, Reset and Stop allocate nothing. It
// must not be copied after Init, which go vet checks. While it is pending, the service refers to it, and so to all of
// the value that it is part of.
//
// It may be started again as often as one likes, also in its own action. It may go to a sync.Pool when Stop has returned true,
// or at the end of its action.
type Timer struct{ t engine.Timer }

// Init prepares the timer t, whose action is f. It must be called before t's other methods, and not at the same time as any
// of them. A timer that is not pending may be prepared again, also for another service. Init panics if t is pending or f
// is nil.
func (s *Service) Init(t *Timer, f func()) { s.Service.Init(&t.t, f) }

// Start lets the action run after the duration d, as AfterFunc does, also if the timer is pending. The errors are
// AfterFunc's; with any error the timer is not pending afterwards. Without Init, it panics.
func (t *Timer) Start(d time.Duration) error { return t.t.Start(d) }

// Reset is Start, and reports whether the timer was pending, as time.Timer.Reset does. With an error it returns false.
func (t *Timer) Reset(d time.Duration) (pending bool) { return t.t.Reset(d) }

// TryReset is Reset with the errors of Start.
func (t *Timer) TryReset(d time.Duration) (pending bool, err error) { return t.t.TryReset(d) }

// Stop reports whether it prevented the action from running, as time.Timer.Stop does. Without Init, it returns false.
func (t *Timer) Stop() bool { return t.t.Stop() }

// New starts a service. If an option is negative, or Shards is above MostShards, it returns an
// error wrapping schemes.ErrConfig.
func New(o Options) (*Service, error) {
	o.Tick = cmp.Or(o.Tick, DefaultTick)
	o.Shards = cmp.Or(o.Shards, min(max(wheelsPerProc*runtime.GOMAXPROCS(0), leastWheels), MostShards))
	if o.Shards < 0 || o.Shards > MostShards {
		return nil, fmt.Errorf("%w: Shards %d (must be 0 to %d)", schemes.ErrConfig, o.Shards, MostShards)
	}
	slack := o.Tick / slackShare
	if slack < leastSlack {
		slack = 0
	}
	o.Tick -= slack
	// hierarchical.AheadChunked would bound the timers that migrate in one hold of a lock only where the
	// service wakes up on every tick: of 60,000 in one upper slot, 2 then do instead of 60,000. A service
	// that sleeps until the slot begins moves all at once, and each operation takes 0.94 to 1.10 times the
	// CPU time, two equal services 0.99 to 1.11.
	v, err := engine.Open(engine.Design{
		Scheme: &hierarchical.Chunked, Config: schemes.Config{Levels: levels(o.Tick)},
		Shards: o.Shards, Slack: slack,
	}, o.Options)
	if err != nil {
		return nil, err
	}
	return &Service{v}, nil
}
