package pick

import (
	"math"

	"timerlab/harness/cost"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// Steps are what a timer's life takes on average, by kind.
type Steps [numSteps]float64

type step int

const (
	stepExpire  step = iota // lives that expire: START, the visit that moves it to the due list, the hand-out
	stepStop                // lives that are stopped: START and STOP
	stepRestart             // lives that are restarted
	stepMove                // visits and moves between start and end: see moves
	stepTick                // ticks of the clock
	stepBatch               // ticks on which timers start or end, whose first touches of memory nothing hides
	stepSpread              // doublings by which the slots exceed the second-level cache
	numSteps
)

// stepNames name the steps in files.
var stepNames = []string{"expiries", "stops", "restarts", "moves", "ticks", "batches", "spread"}

// stepsOf returns the steps of a life, as means over all phases of the clock, by the formulas
// of package cost. O(levels · lives).
func stepsOf(c run.Subject, w Workload) Steps {
	const secondLevelCache = 1 << 20 // 0.5 to 2 MiB on today's server processors
	spread := math.Log2(float64(memory(c, 0)) / secondLevelCache)
	return Steps{
		stepExpire: w.Expired, stepStop: w.Stopped, stepRestart: w.Restarted, stepMove: moves(c, w),
		stepTick: 1 / w.Rate, stepBatch: batches(w.Rate), stepSpread: math.Max(0, spread),
	}
}

// batches returns, per life, the ticks on which one starts, if starts are random.
func batches(rate float64) float64 { return -math.Expm1(-rate) / rate }

// moves returns how often a timer is touched between its start and its end: counted down by
// scheme 6 before its last revolution, passed by the START of another in scheme 5, migrated
// by scheme 7. A tree's steps grow with log n and are part of its starts and stops.
func moves(c run.Subject, w Workload) float64 {
	switch {
	case c.Info.Kind == schemes.HashedWheel && c.Info.Sorted:
		return 1 + w.passed*float64(w.N)/float64(usedSlots(c, w))
	case c.Info.Kind == schemes.HashedWheel:
		return cost.Wasted6(w.Lives, c.Slots)
	case c.Info.Kind == schemes.Hierarchy:
		return cost.Migrations7(w.Lives, c.Levels)
	}
	return 0
}

// usedSlots returns the slots in which timers wait: at most the ticks of the longest interval
// and, of sorted slots with fixed phases, one at worst.
func usedSlots(c run.Subject, w Workload) int {
	if w.Script != nil && c.Info.Sorted {
		return 1
	}
	return max(1, int(min(schemes.Tick(c.Slots), w.Longest)))
}

// upperLevelsStatic reports whether a wheel on which intervals of up to longest wait does not
// advance in a run of this many ticks, so that its migrations are not measured.
func upperLevelsStatic(c run.Subject, ticks, longest schemes.Tick) bool {
	granularity := schemes.Tick(1)
	for _, radix := range c.Levels[:max(len(c.Levels)-1, 0)] {
		if granularity *= schemes.Tick(radix); granularity > ticks && granularity <= longest {
			return true
		}
	}
	return false
}
