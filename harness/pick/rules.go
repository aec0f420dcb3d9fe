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
	thoroughAll    = 7    // rounds of all candidates within thoroughRatio of the best
	thoroughRounds = 13   // six on which the best is chosen, and seven on which it is compared with
	slackParts     = 4    // parts of the time of a race of which one may be lost to neighbours
	minFinalists   = 2    // that stay when there is no time for all: one alone would be no race
	finalists      = 4    // few enough for six rounds within a minute at two million timers

	// The multiples of the best one's time above which a candidate drops out.
	firstRatio    = 2.5  // after one round, in which either may have been disturbed
	secondRatio   = 1.5  // after two; nothing that slow was seen to win
	thirdRatio    = 1.25 // after three
	thoroughRatio = 2    // in a thorough race, until thoroughAll rounds are over
	noiseRatio    = 3    // times the noise, within which nothing drops out
)

// elapsed is for how long the race has run, without what neighbours cost.
func (s *raceState) elapsed() time.Duration { return time.Since(s.began) - s.quiet.lost }

// converged reports whether further rounds would not change the outcome.
func (s *raceState) converged() bool {
	if s.Thorough > 0 {
		return s.rounds >= thoroughRounds && s.elapsed() > s.Thorough || s.rounds >= mostRounds
	}
	return s.rounds >= enoughRounds && s.elapsed() > s.Budget/enoughParts && !s.undecided() || s.rounds >= mostRounds
}

// undecided reports whether another candidate may still be clearly faster than the best.
func (s *raceState) undecided() bool {
	at := s.racing()
	return slices.ContainsFunc(at, func(i int) bool {
		return results.Summarize(ratios(s.all[i].lives, s.all[at[0]].lives)).Lo < 1-worthSaving
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
	at := s.racing()
	runs := 0 // that there is time for
	if mean := s.meanRunTime(at); mean > 0 {
		runs = int((s.Budget - time.Since(s.began)) / mean)
	}
	if s.Limits.Tail == 0 { // else ticks were timed at the beginning
		runs -= min(len(at), finalists)
	}
	room := runs/2 - 1 // the best one runs twice
	if s.rounds < 3 && room >= minFinalists && room < len(at) {
		for _, i := range at[room:] {
			s.all[i].Dropped = fmt.Sprintf("there was time for more rounds of the first %d only", room)
			s.all[i].NoTime = true
		}
		return true
	}
	return runs > len(at)
}

// meanRunTime returns how long a run takes, its filling included.
func (s *raceState) meanRunTime(at []int) time.Duration {
	sum := time.Duration(0)
	for _, i := range at {
		sum += s.all[i].runTime
	}
	return sum / time.Duration(max(1, len(at)))
}

// drop ends the race for those that are clearly slower than the best and, once there is enough
// data, for all but the finalists.
func (s *raceState) drop() {
	at := s.racing()
	unclear := 1 + noiseRatio*noise(s.all)
	for place, i := range at {
		c := &s.all[i]
		switch ratio := lowerQuartile(c.lives) / lowerQuartile(s.all[at[0]].lives); {
		case slices.Contains(s.Keep, c.Subject.String()) || ratio <= unclear:
		case ratio > s.dropRatio():
			c.Dropped = fmt.Sprintf("%.2g times the time of the best after %s", ratio, roundsText(s.rounds))
		case s.enoughData() && place >= finalists && s.Thorough == 0:
			c.Dropped = fmt.Sprintf("not among the first %d after %s", finalists, roundsText(s.rounds))
		}
	}
}

// dropRatio is the multiple of the best one's time above which a candidate drops out now:
// without enough data never less than after two rounds.
func (s *raceState) dropRatio() float64 {
	if s.Thorough == 0 && !s.enoughData() {
		return dropRatioAfter(min(s.rounds, 2), false)
	}
	return dropRatioAfter(s.rounds, s.Thorough > 0)
}

func dropRatioAfter(rounds int, thorough bool) float64 {
	switch {
	case rounds <= 1:
		return firstRatio
	case thorough && rounds < thoroughAll:
		return thoroughRatio
	case rounds == 2:
		return secondRatio
	}
	return thirdRatio
}

func roundsText(n int) string {
	if n == 1 {
		return "one round"
	}
	return fmt.Sprintf("%d rounds", n)
}
