package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"

	"timerlab/harness/report/picks"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
)

// Load is a workload on the real clock.
type Load struct {
	N     int             // timers pending
	Rate  float64         // lives begun a second
	Tick  time.Duration   // the unit of Lives
	Lives []workload.Life // shares sum to 1
	Loop  run.Subject     // the scheme of a loop of one's own
	Time  time.Duration   // that each service is measured, a loop half of it; of a million timers on, three fifths
}

const (
	loadParts  = 5         // of a service's time, for each way to wake up
	turnTimers = 350_000   // a turn has one part more for each of these, as filling takes longer
	turnParts  = 3         // at most, so that each service has two turns
	slowFill   = 1_000_000 // timers, which take half a second to fill: parts are shorter then
	leastRate  = 20        // lives a second, below which time is compressed

	// Wake-ups of the driver in a second, at most: each also runs the timers that are due, which takes a while, so there may be
	// as many as timers expire. Were there fewer than the least, timers would need more wake-ups of their own. At the
	// most, the driver takes 15 % of a core without timers, and 1 to 2 % more or less from one part of the time to the next.
	leastWakes, mostWakes = 2000, 4000

	enoughTimers = 10_000 // of FixedTimeout, to see what each of all would take
	enoughLives  = 100    // to see whether a service keeps up with the rate

	ownLoop  = "a loop of your own" // of the scheme that was picked, in one goroutine
	bareLoop = "a loop alone"       // without timers
	fixed    = "fixedtimeout"
)

// fineTick is the number of ticks in a mean interval from which a tick that is ten times as long would delay a timer
// by at most a hundredth of it.
const fineTick = 1000

// Shares measures what the timers of a workload cost with time.AfterFunc, sharded, FixedTimeout if all intervals are
// equal, and a loop of one's own, on the real clock at the workload's own rate.
//
// A timer that expires starts again in its action. The others are stopped or restarted by one goroutine, the driver,
// when their stay ends. The share of a core is
//
//	what the process takes, less what it takes if the same driver starts no timer,
//	but at least what the driver's operations take, less the same without timers.
//
// The first has all wake-ups in it, and collections that are as frequent as parts of the time, but its noise is a
// tenth of what the driver takes, or more. So it has the least and the most of five parts with their median: all five are
// above 0 by noise alone once in 32 times, if the parts are independent. The second hardly has noise, and is more if the
// driver falls behind, as it then wakes up less often than one without timers. A loop is the driver, too, and wakes up on
// each tick: all that its process takes counts but the operations of a loop without timers.
//
// The driver wakes up in two ways, and programs are between them: as by requests, for its operations only and at random, where
// the runtime wakes up again for timers; and by sleeping for a millisecond each time, where timers that are due run at the same time.
//
// What a wake-up takes, 20 µs to 0.2 ms, changes within seconds with what else runs on the machine. So services take
// turns, and what one saves is the difference to Go's timers in the same turns. In its turn, a service is filled as it
// would be in the steady state.
func (l Load) Shares(ctx context.Context, progress func(service string)) (all []picks.Service, err error) {
	names := []string{goTimers, ours, fixed, ownLoop}
	if l.varies() {
		names = []string{goTimers, ours, ownLoop}
	}
	// Those that are compared follow each other; Go's last, as the runtime keeps stopped timers for a while.
	turns := append(names[2:], bareLoop, ours, nothing, goTimers)
	used := map[string]*usage{}
	for _, name := range turns {
		used[name] = &usage{}
	}
	if l.N >= slowFill {
		l.Time = l.Time * 3 / 5
	}
	inTurn := min(1+l.N/turnTimers, turnParts)
	for left := loadParts; left > 0; left -= inTurn {
		for _, name := range turns {
			progress(name)
			if err := newPopulation(l, name).measure(ctx, min(inTurn, left), used[name]); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	idle, std := used[nothing], used[goTimers]
	stdWoken := std.woken.above(idle.woken, std.woken.scale(l.Rate))
	stdAwake := std.awake.above(idle.awake, std.awake.scale(l.Rate))
	for _, name := range names {
		u := used[name]
		s := picks.Service{Name: name}
		if u.timers >= min(l.N/2, enoughTimers) {
			s.Bytes = int64(u.bytes * float64(l.N))
		}
		if name == ownLoop { // whose ticks do not depend on the rate
			bare := used[bareLoop].woken
			s.Woken = useOf(u.woken.above(spent{shares: bare.within, within: bare.within}, 1), stdWoken)
			fine := workload.NumbersOf(l.N, l.Lives).Interval >= fineTick
			if fine && l.Tick >= time.Millisecond { // an idle runtime sleeps for no less
				s.Ticks = min(s.Woken.CPU, results.Median(minus(bare.shares, bare.within)))
			}
		} else {
			awake := useOf(u.awake.above(idle.awake, u.awake.scale(l.Rate)), stdAwake)
			s.Woken, s.Awake = useOf(u.woken.above(idle.woken, u.woken.scale(l.Rate)), stdWoken), &awake
		}
		all = append(all, s)
	}
	return all, nil
}

// varies reports whether there are intervals of several lengths.
func (l Load) varies() bool {
	return slices.ContainsFunc(l.Lives, func(life workload.Life) bool { return life.Interval != l.Lives[0].Interval })
}

// useOf returns what the parts of a service take, and what those of Go's timers take more.
func useOf(parts, std []float64) picks.Use {
	return picks.Use{Share: share(parts), Saves: share(minus(std, parts))}
}

func share(parts []float64) picks.Share {
	return picks.Share{CPU: results.Median(parts), Low: slices.Min(parts), High: slices.Max(parts)}
}

func minus(a, b []float64) []float64 { return floats.SubTo(make([]float64, len(a)), a, b) }

// usage is how many timers a service has, with how many bytes each, and what it takes by the way in which the driver wakes up.
type usage struct {
	timers       int
	bytes        float64
	woken, awake spent
}

// spent is the lives that have ended in the parts of a service's time and, of each part, the share of a core and that within
// the operations of the driver.
type spent struct {
	lives, seconds float64
	shares, within []float64
}

// above returns the share of a core above that without timers, of each part, times a scale.
func (u spent) above(idle spent, scale float64) []float64 {
	more, operations := minus(u.shares, idle.shares), minus(u.within, idle.within)
	for part := range more {
		more[part] = scale * max(0, more[part], operations[part])
	}
	return more
}

// scale returns the rate of lives over that which was measured.
func (u spent) scale(rate float64) float64 {
	if u.lives > enoughLives {
		return rate * u.seconds / u.lives
	}
	return rate / max(rate, leastRate)
}
