package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

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

	// Requests is the command of a process that calls Requests with its standard output and its last argument, a duration.
	Requests []string

	Loop run.Subject   // the scheme of a loop of one's own
	Time time.Duration // that each service is measured, a loop half of it; of a million timers on, three fifths
}

const (
	loadParts  = 5         // of a service's time, for each way to wake up
	turnTimers = 350_000   // a turn has one part more for each of these, as filling takes longer
	turnParts  = 3         // at most, so that each service has two turns
	slowFill   = 1_000_000 // timers, which take half a second to fill: parts are shorter then
	leastRate  = 20        // lives a second, below which time is compressed

	enoughTimers = 10_000 // of FixedTimeout, to see what each of all would take
	enoughLives  = 400    // to see whether a service keeps up with the rate: chance changes their number by 5 %

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
	// Go's are last, as the runtime keeps stopped timers for a while.
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
	idle := used[nothing]
	for _, name := range names {
		u := used[name]
		s := picks.Service{Name: name, Kept: u.woken.kept(l.Rate)}
		if u.timers >= min(l.N/2, enoughTimers) {
			s.Bytes = int64(u.bytes * float64(l.N))
		}
		if name == ownLoop {
			bare, ticks := spent(nil), []float64(nil) // without timers, its operations only and its ticks only
			for _, p := range used[bareLoop].woken {
				ticks = append(ticks, p.share-p.within)
				p.share = p.within
				bare = append(bare, p)
			}
			s.Woken = picks.NewShare(u.woken.above(bare, l.Rate, 1)...)
			fine := workload.NumbersOf(l.N, l.Lives).Interval >= fineTick
			if fine && l.Tick >= time.Millisecond { // an idle runtime sleeps for no less
				s.Ticks = min(s.Woken.CPU, results.Median(ticks))
			}
		} else {
			compressed := l.Rate / max(l.Rate, leastRate)
			awake := picks.NewShare(u.awake.above(idle.awake, l.Rate, compressed)...)
			s.Woken, s.Awake = picks.NewShare(u.woken.above(idle.woken, l.Rate, compressed)...), &awake
		}
		all = append(all, s)
	}
	return all, nil
}

// varies reports whether there are intervals of several lengths.
func (l Load) varies() bool {
	return slices.ContainsFunc(l.Lives, func(life workload.Life) bool { return life.Interval != l.Lives[0].Interval })
}

// usage is how many timers a service has, with how many bytes each, and what it takes by the way in which the driver wakes up.
type usage struct {
	timers       int
	bytes        float64
	woken, awake spent
}

// spent is what a service takes in each part of its time.
type spent []part

// part is the lives that ended in some seconds, the share of a core that the process took, and that within the operations of
// the driver.
type part struct{ lives, seconds, share, within float64 }

// above returns the share of a core above that without timers, of each part, at a rate of lives: all that was measured times
// a factor, or more if the driver fell behind. It then woke up less often than without timers, but there it had all operations
// to make.
func (u spent) above(idle spent, rate, factor float64) (shares []float64) {
	for i, p := range u {
		scale := factor
		if p.lives > enoughLives {
			scale = rate * p.seconds / p.lives
		}
		shares = append(shares, max(0, scale*(p.share-idle[i].share), scale*p.within-factor*idle[i].within))
	}
	return shares
}

// kept returns the lives that ended over those of a rate.
func (u spent) kept(rate float64) float64 {
	lives, should := 0., 0.
	for _, p := range u {
		lives, should = lives+p.lives, should+rate*p.seconds
	}
	if lives <= enoughLives {
		return 1
	}
	return lives / should
}
