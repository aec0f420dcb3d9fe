package bench

import (
	"fmt"
	"time"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

const targetsText = "Set before anything was measured. The median decides; if its interval contains the bound, " +
	"another run may decide otherwise."

// speedTarget is a target for how many times as many operations ours does as Go's own timers.
type speedTarget struct {
	what, cell string
	bound      float64
}

var speedTargets = []speedTarget{
	{"start and stop, n = 1M", contendedStartStop, 3},
	{"stop the oldest, start another, n = 1M", contendedReplace, 3},
	{"reset, n = 1M", contendedReset, 1.5},
	{"start and stop, n = 10k", "StartStop/n=10k/g=8", 2.5},
	{"stop the oldest, start another, n = 10k", "Replace/n=10k/g=8", 2.5},
}

// targets are those of speed and others.
func targets() (all []report.Target) {
	for _, s := range speedTargets {
		all = append(all, s.target())
	}
	return append(all, otherTargets...)
}

var otherTargets = []report.Target{
	{
		What:  "bytes of a timer, n = 1M: " + ours + " / `" + goTimers + "`",
		Bound: 0.45, Show: func(v float64) string { return fmt.Sprintf("%.3f", v) },
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
		What:  "CPU of three timers on every tenth tick: " + ours + " / `" + goTimers + "`",
		Bound: 1.2, Show: results.FormatRatio,
		Value: func(t *results.Table) (results.Estimate, error) {
			return t.Ratio(at(sparseCell, ours), at(sparseCell, goTimers), sparseCPU)
		},
	},
	{
		What:  "wake-ups per tick of 1 ms: multilevel, which wakes up for each",
		Bound: 0.5, Least: true, Asked: "1, less the ticks it oversleeps (≥ 0.50)", Show: results.FormatRatio,
		Value: func(t *results.Table) (results.Estimate, error) {
			return t.Median(at(sparseCell, "multilevel"), "wakeups/tick")
		},
	},
}

func (s speedTarget) target() report.Target {
	return report.Target{
		What:  fmt.Sprintf("%s, 8 goroutines: `%s` / %s", s.what, goTimers, ours),
		Bound: s.bound, Least: true, Show: results.FormatRatio,
		Value: func(t *results.Table) (results.Estimate, error) {
			return t.Ratio(at(s.cell, goTimers), at(s.cell, ours), results.NsPerOp)
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
