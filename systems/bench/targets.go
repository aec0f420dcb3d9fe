package bench

import (
	"fmt"
	"time"

	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

const latest, cpuPerOp = "late-p99.9-ns", "cpu-ns/op"

var goTimersCode = "`" + goTimers + "`" // in Markdown

// targets returns all targets: of speed, memory, lateness, and the cost of rest.
func targets() (all []report.Target) {
	for _, s := range []struct {
		what, cell string
		bound      float64 // how many times as many operations ours does
	}{
		{"start and stop, n = 1M", contendedStartStop, 3},
		{"stop the oldest, start another, n = 1M", contendedReplace, 3},
		{"reset, n = 1M", contendedReset, 2},
		{"start and stop, n = 10k", "StartStop/n=10k/g=8", 2.5},
		{"stop the oldest, start another, n = 10k", "Replace/n=10k/g=8", 2.5},
	} {
		all = append(all, report.Target{
			What:  fmt.Sprintf("%s, 8 goroutines: %s / %s", s.what, goTimersCode, ours),
			Bound: s.bound, Least: true, Show: units.FormatRatio, Value: ratio(s.cell, goTimers, ours, units.NsPerOp),
		})
	}
	all = append(all, report.Target{
		What:  "bytes of a timer, n = 1M: " + ours + " / " + goTimersCode,
		Bound: 0.55, Show: func(v float64) string { return fmt.Sprintf("%.3f", v) },
		Value: ratio(memoryCell, ours, goTimers, units.BytesPerTimer),
	})
	for _, l := range []struct{ name, cell string }{ // Go's timers have no ticks
		{"no other load", lateIdle}, {"busy processors", lateBusy}, {"slow actions", lateSlow},
	} {
		all = append(all, report.Target{
			What:  "late p99.9, " + l.name + ": " + ours + " - " + goTimersCode,
			Bound: float64(time.Millisecond), Asked: "≤ 1 ms, a tick", Show: units.FormatNanos, Value: later(l.cell),
		})
	}
	return append(all, report.Target{
		What:  "wake-ups/s, ten timers hours away: " + ours,
		Bound: 1, Show: units.FormatNumber,
		Value: func(t *results.Table) (results.Estimate, error) { return t.Median(at(idleCell, ours), "wakeups/s") },
	}, report.Target{
		What:  "CPU of three timers on every tenth tick: " + ours + " / " + goTimersCode,
		Bound: 1.2, Show: units.FormatRatio, Value: ratio(sparseCell, ours, goTimers, "cpu-ns/timer"),
	})
}

// value returns a value of a table, or results.ErrNoSamples.
type value = func(*results.Table) (results.Estimate, error)

// ratio returns the ratio of two services.
func ratio(cell, over, under, unit string) value {
	return func(t *results.Table) (results.Estimate, error) {
		return t.Ratio(at(cell, over), at(cell, under), unit)
	}
}

// later returns the difference of the p99.9 lateness of ours and of Go's timers.
func later(cell string) value {
	return func(t *results.Table) (results.Estimate, error) {
		difference := func(a, b float64) float64 { return a - b }
		return t.Paired(at(cell, ours), at(cell, goTimers), latest, difference)
	}
}
