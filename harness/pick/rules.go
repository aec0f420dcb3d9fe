package pick

import (
	"fmt"
	"slices"
	"time"

	"timerlab/harness/results"
)

const (
	enoughRounds   = 12   // twice what an interval needs, if they take time enough
	enoughTime     = 4    // part of the budget: shorter races go on, as what disturbs a machine lasts for seconds
	undecided      = 0.05 // of its time that another one may save: half of what a good pick may be off; above it the race goes on
	mostRounds     = 100  // of the shortest runs, some ten seconds
	thoroughAll    = 7    // rounds of all within twice the best, then of all that are not farther
	thoroughRounds = 13   // six on which the best is chosen, and six or more on which it is compared with, enough for an interval
	thoroughMost   = 100  // and as many more as there is time for
	farBehind      = 2.5  // times the best after one round, in which either may have been disturbed: out
	behind         = 1.5  // times the best after two; nothing that far behind was seen to win
	atMost         = 2    // the same in a thorough race, until it has its rounds of all
	farther        = 1.25 // times the best after three
	clearly        = 3    // times the noise that was seen: below it nobody drops out
	spareParts     = 4    // parts of a race's time of which one may be spent on waiting for a quiet core
	leastFew       = 2    // that go on when there is no time for all: one alone would be no race
	finalists      = 4    // few enough for six rounds within a minute at two million timers
)

// spare is how much time the race may lose to neighbours.
func (r Race) spare() time.Duration {
	if r.Thorough > 0 {
		return r.Thorough / spareParts
	}
	return r.Budget / spareParts
}

// raced is for how long the race has gone on, without what it lost.
func (x *running) raced() time.Duration { return time.Since(x.began) - x.quiet.lost }

// settled reports whether there were rounds enough.
func (x *running) settled() bool {
	took := x.raced()
	if x.Thorough > 0 {
		return x.rounds >= thoroughRounds && took > x.Thorough || x.rounds >= thoroughMost
	}
	return x.rounds >= enoughRounds && took > x.Budget/enoughTime && !x.open() || x.rounds >= mostRounds
}

// open reports whether somebody may still be clearly faster than the first.
func (x *running) open() bool {
	at := x.racing()
	for _, i := range at {
		if results.Summarize(ratios(x.all[i].lives, x.all[at[0]].lives)).Lo < 1-undecided {
			return true
		}
	}
	return false
}

// sure reports whether the rounds tell enough to leave only the best: after three, in a
// part of the time that is enough.
func (x *running) sure(round int) bool {
	return round >= 2 && x.raced() > x.Budget/(2*enoughTime)
}

// another reports whether there is time for another round, and the latencies. If there
// is not for two, with all, those that are behind leave while two remain or more: a
// second and a third round of the best say more than one of all.
func (x *running) another() bool {
	at := x.racing()
	left := x.Budget - time.Since(x.began)
	runs := 0 // that there is time for
	if took := x.took(at); took > 0 {
		runs = int(left / took)
	}
	if x.Limits.Tail == 0 { // else ticks were timed at the beginning
		runs -= min(len(at), finalists)
	}
	fit := runs/2 - 1 // the best one runs twice
	if x.rounds < 3 && fit >= leastFew && fit < len(at) {
		for _, i := range at[fit:] {
			x.all[i].Dropped, x.all[i].Cut = fmt.Sprintf("there was time for more rounds of the first %d only", fit), true
		}
		return true
	}
	return runs > len(at)
}

// took returns how long a run takes, its filling included, on average.
func (x *running) took(at []int) time.Duration {
	sum := time.Duration(0)
	for _, i := range at {
		sum += x.all[i].took
	}
	return sum / time.Duration(max(1, len(at)))
}

// drop ends the race for those that are clearly behind and, after three rounds, all but the first few.
func (x *running) drop(round int) {
	at := x.racing()
	if len(at) == 0 {
		return
	}
	unclear := 1 + clearly*noise(x.all)
	for place, i := range at {
		c := &x.all[i]
		switch times := c.quartile() / x.all[at[0]].quartile(); {
		case slices.Contains(x.Keep, c.Candidate.String()):
		case times > x.tolerates(round) && times > unclear:
			c.Dropped = fmt.Sprintf("%.2g times the time of the best after %s", times, rounds(round+1))
		case x.sure(round) && place >= finalists && times > unclear && x.Thorough == 0:
			c.Dropped = fmt.Sprintf("not among the first %d after %s", finalists, rounds(round+1))
		}
	}
}

// tolerates is tolerated, while nothing is sure at most as after two rounds.
func (x *running) tolerates(round int) float64 {
	if x.Thorough == 0 && !x.sure(round) {
		round = min(round, 1)
	}
	return tolerated(round, x.Thorough > 0)
}

// tolerated returns how many times the best a candidate may take after a round, counted
// from 0.
func tolerated(round int, thorough bool) float64 {
	switch {
	case round <= 0:
		return farBehind
	case thorough && round < thoroughAll-1:
		return atMost
	case round == 1:
		return behind
	}
	return farther
}

func rounds(n int) string {
	if n == 1 {
		return "a round"
	}
	return fmt.Sprintf("%d rounds", n)
}
