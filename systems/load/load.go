// Package load measures what the timers of a workload cost in a running program: on the real clock, at
// the workload's own rate, with time.AfterFunc, with services that may replace it, and in a loop of one
// goroutine. From the costs it decides what leaving time.AfterFunc is worth.
//
// A timer that expires starts again in its action. The others are stopped or restarted by one goroutine, the
// driver, when their stay ends. The share of a core is
//
//	what the process takes, less what it takes if the same driver starts no timer,
//	but at least what the driver's operations take, less the same without timers.
//
// The first has all wake-ups in it, and collections that are as frequent as parts of the time, but its noise is a
// tenth of what the driver takes, or more. So a Share has the least and the most of five parts with their median. The
// second hardly has noise, and is more if the driver falls behind, as it then wakes up less often than one without
// timers. A loop is the driver, too, and wakes up on each tick: all that its process takes counts but the
// operations of a loop without timers.
//
// The driver wakes up in two ways, and programs are between them: for its operations only and at random, as a server
// does for requests, so that the runtime wakes up again for timers; and each millisecond, where timers that are due
// run at the same time.
//
// What a wake-up takes, 20 µs to 0.2 ms, changes within seconds with what else runs on the machine. So services take
// turns, and what one saves is the difference to Go's timers in the same turns. In its turn, a service begins in the
// workload's steady state.
package load

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/ordered"
	"timerlab/systems"
	"timerlab/systems/internal/subject"
	"timerlab/systems/locked"
)

// Load is a workload on the real clock.
type Load struct {
	N     int             // timers pending
	Rate  float64         // lives begun a second
	Tick  time.Duration   // the unit of Lives
	Lives []workload.Life // shares sum to 1

	// OneInterval is true if all timers ask for one interval. The intervals of Lives do not tell: rounded to ticks,
	// different ones may be equal.
	OneInterval bool

	// Requests is the command of a process that calls Requests with its standard output and its last argument, a duration.
	Requests []string

	Loop   run.Subject   // the scheme of a loop of one's own
	Budget time.Duration // of all turns together, filling included
	Time   time.Duration // how long each service is measured; a loop half as long, from a million timers on three fifths
}

// service is what the timers of a workload run on, with what a population must know to begin in its steady state.
type service struct {
	subject.Service
	clocked       bool // the driver wakes up for each tick, as the loop that it is
	scheme        bool // the driver's loop runs the scheme that was picked
	movesTimers   bool // restarted timers are moved in a heap, many at once: see newPopulation
	looksTogether bool // restarted timers are looked at together, on 16 to 32 ticks of an interval
	inOrder       bool // all timers have one timeout, and start in the order of their deadlines
}

var (
	goTimers     = service{Service: subject.GoTimers, movesTimers: true}
	sharded      = service{Service: subject.Sharded, looksTogether: true}
	fixedTimeout = service{Service: subject.Service{Name: subject.FixedTimeout.Name, Open: anyTimeout}, inOrder: true}
	noTimers     = service{Service: subject.Nothing}
	ownLoop      = loop("a loop of your own", true)
	bareLoop     = loop("a loop without timers", false)
)

func loop(name string, scheme bool) service {
	return service{Service: subject.Service{Name: name, Open: subject.Nothing.Open}, clocked: true, scheme: scheme}
}

// anyTimeout opens the service that FixedTimeout is, but takes what is left of a timeout, too.
func anyTimeout(time.Duration) (subject.Timers, error) {
	return locked.New(&ordered.Rear, schemes.Config{}, systems.Options{Tick: time.Millisecond})
}

const (
	loadParts  = 5         // of a service's time, for each way to wake up
	turnTimers = 350_000   // a turn has one part more for each of these, as filling takes longer
	turnParts  = 3         // at most, so that each service has two turns
	slowFill   = 1_000_000 // timers, which take half a second to fill: parts are shorter then
	leastRate  = 20        // lives a second, below which time is compressed

	enoughLives = 400 // to see whether a service keeps up with the rate: chance changes their number by 5 %
)

// loadWarm is for how long a population runs before it is measured. Tests make it shorter.
var loadWarm = 100 * time.Millisecond

// Costs measures all services: FixedTimeout only if there is one interval. Progress is called before each turn.
func (l Load) Costs(ctx context.Context, progress func(service string, turn, turns int)) (c Costs, err error) {
	others := []service{sharded}
	turns := []service{ownLoop, bareLoop, sharded, noTimers, goTimers} // Go's last: the runtime keeps stopped timers for a while
	if l.OneInterval {
		others, turns = append(others, fixedTimeout), append([]service{fixedTimeout}, turns...)
	}
	used, done := map[string]*usage{}, 0
	for _, s := range turns {
		used[s.Name] = &usage{}
	}
	l.Time = cmp.Or(l.Time, l.Budget/12)
	if l.N >= slowFill {
		l.Time = l.Time * 3 / 5
	}
	inTurn := min(1+l.N/turnTimers, turnParts)
	all := (loadParts + inTurn - 1) / inTurn * len(turns)
	for left := loadParts; left > 0; left -= inTurn {
		for _, s := range turns {
			progress(s.Name, done, all)
			done++
			err := newPopulation(l, s).measure(ctx, min(inTurn, left), used[s.Name])
			switch {
			case ctx.Err() != nil:
				return c, ctx.Err()
			case err != nil:
				return c, fmt.Errorf("%s: %w", s.Name, err)
			}
		}
	}
	c.Turns = loadParts
	c.Std, c.Loop = l.cost(goTimers, used, noTimers), l.cost(ownLoop, used, bareLoop)
	for _, s := range others {
		c.Others = append(c.Others, l.cost(s, used, noTimers))
	}
	return c, nil
}

// cost returns what a service costs above one that starts no timers; a loop, its ticks included, above the operations
// of that one alone.
func (l Load) cost(s service, used map[string]*usage, bare service) Cost {
	u, idle, compressed := used[s.Name], used[bare.Name], l.Rate/max(l.Rate, leastRate)
	if s.clocked {
		operations := &usage{woken: slices.Clone(idle.woken)}
		for i := range operations.woken {
			operations.woken[i].share = operations.woken[i].within
		}
		idle, compressed = operations, 1
	}
	c := Cost{Name: s.Name, BytesLow: int64(u.bytes), BytesHigh: int64(u.bytes), Kept: u.woken.kept(l.Rate)}
	c.Woken = NewShare(u.woken.above(idle.woken, l.Rate, compressed)...)
	if !s.clocked {
		awake := NewShare(u.awake.above(idle.awake, l.Rate, compressed)...)
		c.Awake = &awake
	}
	return c
}
