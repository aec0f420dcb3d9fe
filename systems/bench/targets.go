package bench

import (
	"fmt"
	"time"

	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

const latest, cpuPerOp = "late-p99.9-ns", "cpu-ns/op"

// targets returns all targets: of speed, memory, lateness, and the cost of rest.
func targets() (all []report.Target) {
	for _, s := range []struct {
		what, cell, over, under, unit string
		bound                         float64 // of over / under: the most if over is ours, else the least
	}{
		{"start and stop, n = 1M, 8 goroutines", contendedStartStop, goTimers, ours, units.NsPerOp, 3},
		{"stop the oldest, start another, n = 1M, 8 goroutines", contendedReplace, goTimers, ours, units.NsPerOp, 3},
		{"reset, n = 1M, 8 goroutines", contendedReset, goTimers, ours, units.NsPerOp, 2},
		{"start and stop, n = 10k, 8 goroutines", smallStartStop, goTimers, ours, units.NsPerOp, 2.5},
		{"stop the oldest, start another, n = 10k, 8 goroutines", "Replace/n=10k/g=8", goTimers, ours, units.NsPerOp, 2.5},
		{"CPU of start and stop, n = 1M, 8 goroutines", contendedStartStop, goTimers, owned, cpuPerOp, 6},
		{"CPU of start and stop, n = 10k, 8 goroutines", smallStartStop, goTimers, owned, cpuPerOp, 4.5},
		{"CPU of start and stop, n = 1M, 8 goroutines", contendedStartStop, reused, owned, cpuPerOp, 1.2},
		{"CPU of start and stop, n = 10k, 8 goroutines", smallStartStop, reused, owned, cpuPerOp, 1.2},
		{"CPU, 300 timers a second expire", sparseCell, ours, goTimers, "cpu-ns/timer", 1.2},
		{"CPU, 3,000 timers a second expire", denseCell, ours, goTimers, "cpu-ns/timer", 1.15},
	} {
		all = append(all, report.Target{What: s.what + ": " + s.over + " / " + s.under, Bound: s.bound,
			Least: s.over != ours, Show: units.FormatRatio, Value: ratio(s.cell, s.over, s.under, s.unit)})
	}
	all = append(all, report.Target{
		What:  "bytes of a timer, n = 1M: " + ours + " / " + goTimers,
		Bound: 0.55, Show: func(v float64) string { return fmt.Sprintf("%.3f", v) },
		Value: ratio(memoryCell, ours, goTimers, units.BytesPerTimer),
	})
	for _, l := range []struct{ name, cell string }{ // Go's timers have no ticks
		{"no other load", lateIdle}, {"busy processors", lateBusy}, {"slow actions", lateSlow},
	} {
		all = append(all, report.Target{
			What:  "late p99.9, " + l.name + ": " + ours + " - " + goTimers,
			Bound: float64(time.Millisecond), Asked: "≤ 1 ms, a tick", Show: units.FormatNanos, Value: later(l.cell),
		})
	}
	return append(all, report.Target{
		What:  "wake-ups/s, ten timers hours away: " + ours,
		Bound: 1, Show: units.FormatNumber,
		Value: func(t *results.Table) (results.Estimate, error) { return t.Median(at(idleCell, ours), "wakeups/s") },
	}, report.Target{
		What:  "CPU of 10,000 connections, above " + nothing + ": " + ours + " / " + goTimers,
		Bound: 1.5, Show: units.FormatRatio, Value: connections,
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

// connections returns the CPU time of ours over the median of Go's timers, both above no timers in the same round. Go's
// take 1 ns at least: if noise hides them, the ratio is large.
func connections(t *results.Table) (results.Estimate, error) {
	above := func(service string, scale float64) (results.Estimate, error) {
		return t.Paired(at(connectionsCell, service), at(connectionsCell, nothing), "cpu-ns/s",
			func(a, b float64) float64 { return (a - b) / scale })
	}
	plain, err := above(goTimers, 1)
	if err != nil {
		return plain, err
	}
	return above(ours, max(1, plain.Median))
}

// later returns the difference of the p99.9 lateness of ours and of Go's timers.
func later(cell string) value {
	return func(t *results.Table) (results.Estimate, error) {
		difference := func(a, b float64) float64 { return a - b }
		return t.Paired(at(cell, ours), at(cell, goTimers), latest, difference)
	}
}
