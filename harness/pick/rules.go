package pick

import (
	"fmt"
	"slices"
	"time"

	"timerlab/harness/results"
)

const (
	enoughRounds   = 12   // twice what an interval needs
	enoughParts    = 4    // parts of the budget of which one must pass: disturbances last for seconds
	worthSaving    = 0.05 // of the best one's time: if another may save more, the race continues
	mostRounds     = 100  // of the shortest runs, some ten seconds
	thoroughRounds = 13   // six on which the best is chosen, and seven on which it is compared with
	slackParts     = 4    // parts of the time of a race of which one may be lost to neighbours
	minFinalists   = 2    // that stay when there is no time for all: one alone would be no race
	finalists      = 4    // few enough for six rounds within a minute at two million timers
	noiseRatio     = 3    // times the noise, within which nothing drops out
)

// The multiples of the best one's time above which a candidate drops out: after one round, in
// which either may have been disturbed, after two, and so on. The last holds from then on.
var (
	dropRatios     = []float64{2.5, 1.5, 1.25} // nothing 1.5 times as slow after two rounds was seen to win
	thoroughRatios = []float64{2.5, 2, 2, 2, 2, 2, 1.25}
)

func ratioAfter(rounds int, ratios []float64) float64 {
	return ratios[min(max(rounds, 1), len(ratios))-1]
}

// elapsed is for how long the race has run, without what neighbours cost.
func (s *raceState) elapsed() time.Duration { return time.Since(s.began) - s.quiet.lost }

// outOfTime reports whether the race has run for longer than this and need not continue. A
// thorough race must, and one in which no run has ended.
func (s *raceState) outOfTime(budget time.Duration) bool {
	return s.Thorough == 0 && s.shortest > 0 && time.Since(s.began) > budget
}

// converged reports whether further rounds would not change the outcome.
func (s *raceState) converged() bool {
	switch {
	case s.rounds >= mostRounds:
		return true
	case s.Thorough > 0:
		return s.rounds >= thoroughRounds && s.elapsed() > s.Thorough
	}
	return s.rounds >= enoughRounds && s.elapsed() > s.Budget/enoughParts && !s.undecided()
}

// undecided reports whether another candidate may still be clearly faster than the best.
func (s *raceState) undecided() bool {
	in := s.racing()
	return slices.ContainsFunc(in, func(c *Result) bool {
		return results.Summarize(ratios(c.lives, in[0].lives)).Lo < 1-worthSaving
	})
}

// enoughData reports whether the rounds are enough to keep only the best: three, in half of
// the time that a race needs to converge.
func (s *raceState) enoughData() bool {
	return s.rounds >= 3 && s.elapsed() > s.Budget/(2*enoughParts)
}

// timeForAnotherRound reports whether the budget has room for another round and the timing of
// ticks. If it has none for two rounds of all, the slower ones drop out while minFinalists
// or more remain: further rounds of the best say more than one of all.
func (s *raceState) timeForAnotherRound() bool {
	if s.Thorough > 0 {
		return true
	}
	in, sum := s.racing(), time.Duration(0)
	for _, c := range in {
		sum += c.runTime
	}
	runs := 0 // that there is time for
	if sum > 0 {
		runs = int(float64(s.Budget-time.Since(s.began)) / float64(sum) * float64(len(in)))
	}
	if s.Limits.Tail == 0 { // else ticks were timed at the beginning
		runs -= min(len(in), finalists)
	}
	room := runs/2 - 1 // the best one runs twice
	if s.rounds < 3 && room >= minFinalists && room < len(in) {
		for _, c := range in[room:] {
			c.Dropped = fmt.Sprintf("there was time for more rounds of the first %d only", room)
			c.NoTime = true
		}
		return true
	}
	return runs > len(in)
}

// drop ends the race for those that are clearly slower than the best and, once there is enough
// data, for all but the finalists.
func (s *raceState) drop() {
	in, enough := s.racing(), s.enoughData()
	most := ratioAfter(s.rounds, dropRatios)
	switch {
	case s.Thorough > 0:
		most, enough = ratioAfter(s.rounds, thoroughRatios), false
	case !enough:
		most = ratioAfter(min(s.rounds, 2), dropRatios)
	}
	after := fmt.Sprintf("after %d rounds", s.rounds)
	if s.rounds == 1 {
		after = "after one round"
	}
	unclear := 1 + noiseRatio*noise(s.all)
	for place, c := range in {
		switch ratio := lowerQuartile(c.lives) / lowerQuartile(in[0].lives); {
		case slices.Contains(s.Keep, c.Subject.String()) || ratio <= unclear:
		case ratio > most:
			c.Dropped = fmt.Sprintf("%.2g times the time of the best %s", ratio, after)
		case enough && place >= finalists:
			c.Dropped = fmt.Sprintf("not among the first %d %s", finalists, after)
		}
	}
}
