package bench

import (
	"fmt"
	"time"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

const targetsText = "Set before anything was measured. The median decides; if its interval contains the bound, " +
	"another run may decide otherwise."

var targets = []report.Target{
	faster("start and stop", contendedStartStop, goTimers),
	faster("stop the oldest, start another", contendedReplace, goTimers),
	faster("start and stop", contendedStartStop, "std"),
	faster("stop the oldest, start another", contendedReplace, "std"),
	{
		What:  "bytes of a timer, n = 1M: " + ours + " / `" + goTimers + "`",
		Bound: 0.5, Show: func(v float64) string { return fmt.Sprintf("%.3f", v) },
		Value: func(t *results.Table) (results.Estimate, error) {
			return t.Ratio(at(memoryCell, ours), at(memoryCell, goTimers), results.BytesPerTimer)
		},
	},
	lateAtMostATick(loads[0]),
	lateAtMostATick(loads[1]),
	lateAtMostATick(loads[2]),
	asleep(ours),
	asleep("kafka"),
	{
		What:  "wake-ups per tick of 1 ms: multilevel, which wakes up for each",
		Bound: 0.5, Least: true, Asked: "1, less the ticks it oversleeps (≥ 0.50)", Show: results.FormatRatio,
		Value: func(t *results.Table) (results.Estimate, error) {
			return t.Median(at(sparseCell, "multilevel"), "wakeups/tick")
		},
	},
}

// faster is a target for how many times as many operations ours does as another facility.
func faster(what, cell, than string) report.Target {
	return report.Target{
		What:  fmt.Sprintf("%s, n = 1M, 8 goroutines: `%s` / %s", what, than, ours),
		Bound: 3, Least: true, Show: results.FormatRatio,
		Value: func(t *results.Table) (results.Estimate, error) {
			return t.Ratio(at(cell, than), at(cell, ours), results.NsPerOp)
		},
	}
}

// lateAtMostATick is a target for how much later ours is than Go's timers, which have no ticks.
func lateAtMostATick(l load) report.Target {
	return report.Target{
		What:  "late p99.9, " + l.name + ": " + ours + " - `" + goTimers + "`",
		Bound: float64(time.Millisecond), Asked: "≤ 1 ms, a tick", Show: results.FormatNanos, Value: later(l),
	}
}

// later returns the difference of the p99.9 lateness of ours and of Go's timers.
func later(l load) func(*results.Table) (results.Estimate, error) {
	return func(t *results.Table) (results.Estimate, error) {
		difference := func(a, b float64) float64 { return a - b }
		return t.Paired(at(l.cell, ours), at(l.cell, goTimers), latest, difference)
	}
}

// asleep is a target for the wake-ups of an idle facility.
func asleep(name string) report.Target {
	return report.Target{
		What:  "wake-ups/s, ten timers hours away: " + name,
		Bound: 1, Show: results.FormatNumber,
		Value: func(t *results.Table) (results.Estimate, error) {
			return t.Median(at(idleCell, name), "wakeups/s")
		},
	}
}
