// Package load measures what the timers of a workload cost in a running program: on the real clock, at
// the workload's own rate, with time.AfterFunc, with timers that need no library, with services that may replace them, and in a
// loop of one goroutine. From the costs it decides what a change is worth.
//
// What needs no library are reused timers, where some are stopped or expire, and stored time, where some are restarted.
//
// A timer that expires starts again in its action. The others are stopped or restarted by one goroutine, the
// driver, when their stay ends. With time.AfterFunc and services, a timer that expires or is stopped is followed by a new one.
// The share of a core is
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
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/systems/internal/subject"
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

	Loop   run.Subject   // the scheme of a loop of one's own; zero: no loop is measured
	Budget time.Duration // of all turns together, filling included

	partTime time.Duration // of a part of a service's time
	drawn    []drawing     // the timers, the same in all turns
}

// service is what the timers of a workload run on, with what a population must know to begin in its steady state.
type service struct {
	subject.Service
	clocked       bool // the driver wakes up for each tick, as the loop that it is
	scheme        bool // the driver's loop runs the scheme that was picked
	none          bool // it has no timers
	movesTimers   bool // timers that are reset are moved in a heap, many at once: see newPopulation
	looksTogether bool // restarted timers are looked at together, on 16 to 32 ticks of an interval
}

var (
	goTimers   = service{Service: subject.GoTimers, movesTimers: true}
	reused     = service{Service: subject.Reused, movesTimers: true}
	storedTime = service{Service: subject.StoredTime} // looked at one by one, when they fire: no heap has to move them
	sharded    = service{Service: subject.Sharded, looksTogether: true}
	noTimers   = service{Service: subject.Nothing, none: true}
	ownLoop    = service{clocked: true, scheme: true,
		Service: subject.Service{Name: "a loop of your own", Open: subject.Nothing.Open}}
	bareLoop = service{clocked: true, none: true,
		Service: subject.Service{Name: "a loop without timers", Open: subject.Nothing.Open}}
)

const (
	loadTurns = 5  // of each service, with one part of its time for each way to wake up
	leastRate = 20 // lives a second, below which time is compressed

	// Reused timers are measured if at least this share of the lives is stopped or expires, stored time if as many are
	// restarted: with fewer there is nothing to save.
	enoughEnds = 0.01

	enoughLives = 400 // to see whether a service keeps up with the rate: chance changes their number by 5 %

	// A service with more expiries a second than trialRate runs at that rate first, with fewer timers. If by that it needs more
	// than trialShare times the processors at its own rate, it is not measured: where more timers expire at once each takes
	// less, but not half.
	trialRate, trialShare = 50_000, 2
)

// Causes for which measuring ends: the deadline of all turns, the deadline of one turn, and a service that does not keep up.
var errLate, errSlow, errBehind = errors.New("load: no time"), errors.New("load: no end"), errors.New("load: behind")

// Tests make these less.
var (
	mostWarm  = 100 * time.Millisecond // for which a population runs before it is measured
	mostPart  = 250 * time.Millisecond // of the time of a service
	leastPart = 50 * time.Millisecond  // 200 requests, at the rate at which they come at most

	// Go runs each action in a goroutine of its own. Above this number of goroutines, which hold 250 MiB, it does not keep up.
	mostGoroutines = 100_000
)

// others returns the services that are compared with time.AfterFunc, those that need no library first.
func (l Load) others() (all []service) {
	ends := workload.NumbersOf(l.N, l.Lives)
	if ends.Stopped+ends.Expired >= enoughEnds {
		all = append(all, reused)
	}
	if ends.Restarted >= enoughEnds {
		all = append(all, storedTime)
	}
	return append(all, sharded)
}

// Costs measures all services. It calls progress before each turn of a service, with the number of turns before it and of all
// turns. When ctx is done, or the budget is exceeded by a half, Costs returns what the whole turns have measured until then. It
// returns the context's error if ctx is done, and one if there is no such turn.
func (l Load) Costs(ctx context.Context, progress func(service string, turn, turns int)) (c Costs, err error) {
	others := l.others()
	turns := append([]service{goTimers}, others...)
	if l.Loop.Info != nil {
		turns = append(turns, bareLoop, ownLoop)
	}
	slices.Reverse(turns) // Go's last, and not before noTimers: the runtime keeps stopped timers for a while
	turns = slices.Insert(turns, 1, noTimers)
	within, cancel := context.WithTimeoutCause(ctx, l.Budget*3/2, errLate)
	defer cancel()
	began, used := time.Now(), map[string]*usage{}
	for _, s := range turns {
		used[s.Name] = &usage{}
	}
	l.partTime = max(leastPart, min(mostPart, l.Budget/time.Duration(4*loadTurns*len(turns))))
	first := newPopulation(l, goTimers)
	err = first.draw(within)
	l.drawn = first.drawn
	for done, all := 0, loadTurns*len(turns); err == nil && done < all; done++ {
		s := turns[done%len(turns)]
		progress(s.Name, done, all)
		if err = l.turn(within, s, used[s.Name]); err != nil {
			err = fmt.Errorf("%s: %w", s.Name, err)
		} else if whole := (done + 1) / len(turns); whole > c.Turns {
			c.Turns = whole
			l.partTime = l.nextPart(whole, len(turns), time.Since(began))
		}
	}
	if within.Err() != nil || errors.Is(err, errSlow) {
		if err = ctx.Err(); err == nil && c.Turns == 0 {
			err = fmt.Errorf("%w for one turn of all services in %v (use a larger budget, or a machine that is less busy)",
				errLate, l.Budget*3/2)
		}
	}
	if c.Turns == 0 {
		return Costs{}, err
	}
	for _, u := range used { // of whole turns
		u.woken, u.awake, u.bytes = u.woken[:min(c.Turns, len(u.woken))], u.awake[:min(c.Turns, len(u.awake))], u.bytes[:min(c.Turns, len(u.bytes))]
	}
	c.Std = l.cost(goTimers, used, noTimers, c.Turns)
	if l.Loop.Info != nil {
		c.Loop = l.cost(ownLoop, used, bareLoop, c.Turns)
	}
	for _, s := range others {
		c.Others = append(c.Others, l.cost(s, used, noTimers, c.Turns))
	}
	return c, err
}

// turn measures a service once. It cannot keep up if its trial says so, if too many actions wait, or if it uses the processors
// and its turn does not end: that is a result, not an error.
func (l Load) turn(ctx context.Context, s service, u *usage) (err error) {
	within, cancel := context.WithTimeoutCause(ctx, l.Budget/2, errSlow)
	defer cancel()
	began, used, all := time.Now(), run.CPUTime(), float64(runtime.GOMAXPROCS(0))
	expire := l.Rate * workload.NumbersOf(l.N, l.Lives).Expired
	if expire > trialRate && u.needs == 0 && !s.clocked && !s.none {
		u.needs, err = l.try(within, s, expire/trialRate)
		u.hopeless = u.needs > trialShare*all
	}
	if err == nil && !u.hopeless {
		err = newPopulation(l, s).measure(within, u)
	}
	share := (run.CPUTime() - used).Seconds() / time.Since(began).Seconds()
	slow := errors.Is(err, errSlow) && share > all/2 // else other programs are in the way
	if !s.none && ctx.Err() == nil && (slow || errors.Is(err, errBehind)) {
		u.hopeless, u.needs, err = true, max(u.needs, all), nil
	}
	return err
}

// try returns what a service needs of a core for the load, by fewer timers.
func (l Load) try(ctx context.Context, s service, scale float64) (needs float64, err error) {
	l.N, l.Rate, l.drawn = max(1, int(float64(l.N)/scale)), l.Rate/scale, nil
	u := &usage{}
	if err = newPopulation(l, s).measure(ctx, u); err == nil {
		needs = scale * u.awake[0].share
	}
	return needs, err
}

// nextPart returns how long the parts of the next turn take: what filling leaves of the budget.
func (l Load) nextPart(turns, services int, passed time.Duration) time.Duration {
	parts := time.Duration(2 * services)
	filling := passed/time.Duration(turns) - parts*l.partTime // of a turn, and warming up
	left := (l.Budget - passed) / time.Duration(max(1, loadTurns-turns))
	return max(leastPart, min(mostPart, (left-filling)/parts))
}

// cost returns what a service costs above one that starts no timers; a loop, its ticks included, above the operations
// of that one alone. A service that cannot keep up costs what its trial says.
func (l Load) cost(s service, used map[string]*usage, bare service, turns int) Cost {
	u, idle, compressed := used[s.Name], used[bare.Name], l.Rate/max(l.Rate, leastRate)
	if u.hopeless {
		share := NewShare(slices.Repeat([]float64{u.needs}, turns)...)
		return Cost{Name: s.Name, Woken: share, Awake: &share, Hopeless: true}
	}
	if s.clocked {
		operations := &usage{woken: slices.Clone(idle.woken)}
		for i := range operations.woken {
			operations.woken[i].share = operations.woken[i].within
		}
		idle, compressed = operations, 1
	}
	c := Cost{Name: s.Name, BytesLow: slices.Min(u.bytes), BytesHigh: slices.Max(u.bytes), Kept: u.woken.kept(l.Rate)}
	newShare := NewShare
	if s.movesTimers && !s.Reuse && workload.NumbersOf(l.N, l.Lives).Stopped > 0 {
		newShare = meanShare
	}
	c.Woken = newShare(u.woken.above(idle.woken, l.Rate, compressed)...)
	c.Hopeless = !s.clocked && c.Woken.CPU > float64(runtime.GOMAXPROCS(0)) // it fell behind, and would need more than there is
	if !s.clocked {
		awake := newShare(u.awake.above(idle.awake, l.Rate, compressed)...)
		c.Awake = &awake
	}
	return c
}
