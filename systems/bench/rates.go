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
	Loop  run.Subject     // the scheme of a loop of one's own
	Time  time.Duration   // that each service is measured, a loop half of it
}

const (
	loadParts  = 5       // of a service's time, for each way to wake up
	turnTimers = 350_000 // a turn has one part more for each of these, as filling takes longer
	turnParts  = 3       // at most, so that each service has two turns
	leastRate  = 20      // lives a second, below which time is compressed

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
// tenth of what the driver takes, or more. So it counts only if it is above 0 in all five parts, as noise alone is once
// in 32 times; else it is an upper bound, the largest of the parts. The second hardly has noise. A loop is the driver,
// too, and wakes up on each tick: all that its process takes counts but the operations of a loop without timers.
//
// The driver wakes up in two ways, and programs are between them: as by requests, for its operations only, where the runtime
// wakes up again for timers; and by sleeping, at least each millisecond, where timers that are due run at the same time.
//
// What a wake-up takes, 20 µs to 0.2 ms, changes within seconds with what else runs on the machine. So services take
// turns, and what one saves is the difference to Go's timers in the same turns, by the same rule of five parts. In its
// turn, a service is filled as it would be in the steady state.
func (l Load) Shares(ctx context.Context, progress func(service string)) (all []picks.Service, err error) {
	names := []string{goTimers, ours, fixed, ownLoop}
	if slices.ContainsFunc(l.Lives, func(life workload.Life) bool { return life.Interval != l.Lives[0].Interval }) {
		names = []string{goTimers, ours, ownLoop}
	}
	turns := append(names[1:], nothing, bareLoop, goTimers) // Go's last: the runtime keeps stopped timers for a while
	used := map[string]*usage{}
	for _, name := range turns {
		used[name] = &usage{}
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
	for _, name := range names {
		u := used[name]
		s := picks.Service{Name: name}
		if u.timers >= min(l.N/2, enoughTimers) {
			s.Bytes = int64(u.bytes * float64(l.N))
		}
		if name == ownLoop { // whose ticks do not depend on the rate
			bare := used[bareLoop].woken
			operations := results.Median(bare.within)
			s.CPU = max(0, results.Median(u.woken.shares)-operations)
			fine := workload.NumbersOf(l.N, l.Lives).Interval >= fineTick
			if fine && l.Tick >= time.Millisecond { // an idle runtime sleeps for no less
				s.Ticks = min(s.CPU, results.Median(bare.shares)-operations)
			}
		} else {
			awake := u.awake.above(used[nothing].awake, l.Rate)
			s.Share, s.Awake = u.woken.above(used[nothing].woken, l.Rate), &awake
			std := used[goTimers]
			s.Saves, s.AwakeSaves = std.woken.over(u.woken, l.Rate), std.awake.over(u.awake, l.Rate)
		}
		all = append(all, s)
	}
	return all, nil
}

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

// above returns the share of a core above that without timers, at this rate of lives. If that is within the noise, it is what
// the operations take, with the most that it may be.
func (u spent) above(idle spent, rate float64) picks.Share {
	s := u.over(idle, rate)
	operations := max(0, results.Median(u.within)-results.Median(idle.within)) * u.scale(rate)
	if s.CPU == 0 {
		s.Most = max(s.Most, operations)
	}
	s.CPU = max(s.CPU, operations)
	return s
}

// over returns how much more of a core this takes than another: the median of the parts if it is more in all of them, else
// the most that it may be.
func (u spent) over(other spent, rate float64) (s picks.Share) {
	more := slices.Clone(u.shares)
	for i := range more {
		more[i] -= other.shares[i]
	}
	slices.Sort(more)
	if more[0] > 0 {
		return picks.Share{CPU: results.Median(more) * u.scale(rate)}
	}
	return picks.Share{Most: max(0, more[len(more)-1]) * u.scale(rate)}
}

// scale returns the rate of lives over that which was measured.
func (u spent) scale(rate float64) float64 {
	if u.lives > enoughLives {
		return rate * u.seconds / u.lives
	}
	return rate / max(rate, leastRate)
}
