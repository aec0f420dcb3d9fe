package pick

import (
	"timerlab/harness/workload"
	"timerlab/schemes"
)

const (
	minLives    = 1_000     // fewer say nothing
	wantedLives = 300_000   // of a run, where possible
	mostLives   = 6_000_000 // 150 MB of operations
	wheelTicks  = 256       // a revolution of the lowest wheel of most hierarchies
	mostTicks   = 1 << 21   // some milliseconds if all are empty
)

// Length returns how many ticks a run of the race has: some hundred thousand lives, and two
// revolutions of the lowest wheel, so that it migrates, unless those are too many lives. A
// workload with fixed phases runs for its longest interval. The error wraps
// workload.ErrSpec if timers start too seldom.
func Length(w Workload) (schemes.Tick, error) {
	ticks := max(wantedLives/w.Rate, min(2*wheelTicks, mostLives/w.Rate))
	if w.Script != nil {
		ticks = max(ticks, min(float64(w.Longest), mostLives/w.Rate))
	}
	ticks = min(ticks, mostTicks)
	if lives := ticks * w.Rate; lives < minLives {
		return 0, badRequest("%.3g timers start a tick, and %d ticks have %.3g of the %d that a race needs "+
			"(use a longer tick)", w.Rate, mostTicks, lives, minLives)
	}
	whole := schemes.Tick(ticks)
	if whole > wheelTicks {
		whole -= whole % wheelTicks
	}
	return max(whole, 1), nil
}

// Trace makes the trace of a race.
func Trace(w Workload, seed uint64) (*workload.Trace, error) {
	ticks, err := Length(w)
	if err != nil {
		return nil, err
	}
	if w.Script != nil {
		script := *w.Script
		script.Ticks, script.Seed = ticks, seed
		return script.Trace()
	}
	return workload.Mixture{N: w.N, Lives: w.Lives, Ticks: ticks, Seed: seed}.Trace()
}
