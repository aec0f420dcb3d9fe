package pick

import (
	"fmt"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

const (
	fewestLives = 1_000     // that a run needs to say anything
	someLives   = 300_000   // that a run has if it can
	mostLives   = 6_000_000 // 150 MB of operations
	turn        = 256       // ticks of the lowest wheel of most hierarchies
	mostTicks   = 1 << 21   // some milliseconds if all are empty
)

// Length returns how many ticks a run of the race has: some hundred thousand lives, and
// at least a turn of the lowest wheels, in which they migrate, if that is not too many.
// A workload that is written down, with its phases, has its longest interval in it.
func Length(n Workload) (schemes.Tick, error) {
	ticks := someLives / n.Rate
	ticks = max(ticks, min(2*turn, mostLives/n.Rate))
	if n.Script != nil {
		ticks = max(ticks, min(float64(n.Longest), mostLives/n.Rate))
	}
	ticks = min(ticks, mostTicks)
	if lives := ticks * n.Rate; lives < fewestLives {
		return 0, fmt.Errorf("%w: %.3g timers begin in a tick, so %d ticks have %.3g of them, and a race needs %d; want a longer tick", workload.ErrSpec, n.Rate, mostTicks, lives, fewestLives)
	}
	whole := schemes.Tick(ticks)
	if whole > turn {
		whole -= whole % turn
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
