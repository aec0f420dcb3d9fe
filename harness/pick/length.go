package pick

import (
	"fmt"

	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"
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
func Length(n demand.Numbers) (schemes.Tick, error) {
	ticks := someLives / n.Rate
	ticks = max(ticks, min(2*turn, mostLives/n.Rate))
	ticks = min(ticks, mostTicks)
	if lives := ticks * n.Rate; lives < fewestLives {
		return 0, fmt.Errorf("%w: %.3g timers begin in a tick, so %d ticks have %.3g of them, and a race needs %d; want a longer tick", demand.ErrDemand, n.Rate, mostTicks, lives, fewestLives)
	}
	whole := schemes.Tick(ticks)
	if whole > turn {
		whole -= whole % turn
	}
	return max(whole, 1), nil
}

// Trace makes the trace of a race.
func Trace(n demand.Numbers, lives []workload.Life, seed uint64) (*workload.Trace, error) {
	ticks, err := Length(n)
	if err != nil {
		return nil, err
	}
	return workload.Mixture{N: n.N, Lives: lives, Ticks: ticks, Seed: seed}.Trace()
}
