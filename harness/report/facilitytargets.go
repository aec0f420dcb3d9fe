package report

import (
	"fmt"
	"time"

	"timerlab/harness/results"

	"timerlab/systems/bench"
)

// facilityTarget is what sharded, or kafka, was built to reach. The bounds were set before
// anything was measured.
type facilityTarget struct {
	what  string
	asked string
	show  func(float64) string
	met   func(v float64) bool
	value func(p Facilities) (results.Estimate, error)
}

const ours = "sharded"

// faster is a target for how many times as much as another facility ours does.
func faster(times float64, what, work, than string) facilityTarget {
	return facilityTarget{
		what: fmt.Sprintf("%s, n = 1M, 8 goroutines: %s over `%s`", what, ours, than), asked: "≥ " + ratio(times), show: ratio,
		met: func(v float64) bool { return v >= times },
		value: func(p Facilities) (results.Estimate, error) {
			return p.Table.Ratio(p.cell(work, than, 1_000_000, "/g=8"), p.cell(work, ours, 1_000_000, "/g=8"), nsPerOp)
		},
	}
}

// quietly is a target for the wake-ups of an idle facility.
func quietly(most float64, name string) facilityTarget {
	return facilityTarget{
		what: "wake-ups a second, ten timers hours away: " + name, asked: "≤ " + whole(most), show: func(v float64) string { return fmt.Sprintf("%.1f", v) },
		met: func(v float64) bool { return v <= most },
		value: func(p Facilities) (results.Estimate, error) {
			return p.Table.Median(p.cell("Idle", name, bench.IdleTimers, ""), "wakeups/s")
		},
	}
}

// hardlyLater is a target for how much later than Go's timers, which have no ticks, ours is.
func hardlyLater(load, what string) facilityTarget {
	return facilityTarget{
		what: "late p99.9, " + what + ": " + ours + " less `" + bench.Bare + "`", asked: "≤ a tick, 1 ms", show: ns,
		met:   func(v float64) bool { return v <= float64(time.Millisecond) },
		value: func(p Facilities) (results.Estimate, error) { return p.later(load) },
	}
}

var facilityTargets = []facilityTarget{
	faster(3, "start and stop", "StartStop", bench.Bare),
	faster(3, "stop the oldest, start another", "Replace", bench.Bare),
	faster(3, "start and stop", "StartStop", "std"),
	faster(3, "stop the oldest, start another", "Replace", "std"),
	{
		what: "bytes a timer, a million: " + ours + " over `" + bench.Bare + "`", asked: "≤ 0.500", show: func(v float64) string { return fmt.Sprintf("%.3f", v) },
		met: func(v float64) bool { return v <= 0.5 },
		value: func(p Facilities) (results.Estimate, error) {
			return p.Table.Ratio(p.cell("Memory", ours, 1_000_000, ""), p.cell("Memory", bench.Bare, 1_000_000, ""), bytesPerTimer)
		},
	},
	hardlyLater("idle", "nothing else to do"),
	hardlyLater("busy", "busy processors"),
	hardlyLater("slow", "slow actions"),
	quietly(1, ours),
	quietly(1, "kafka"),
	{
		what: "wake-ups by tick of 1 ms: multilevel, the contrast", asked: "1, less those that it oversleeps", show: ratio,
		met: func(v float64) bool { return v > 0.5 },
		value: func(p Facilities) (results.Estimate, error) {
			return p.Table.Median(p.cell("Sparse", "multilevel", bench.SparseTimers, ""), "wakeups/tick")
		},
	},
}

// later returns by how much ours is later than Go's timers at the 99.9th percentile, round
// by round.
func (p Facilities) later(load string) (results.Estimate, error) {
	const unit = "late-p99.9-ns"
	bare := p.Table.ByRound(p.lateness(bench.Bare, load), unit)
	var more []float64
	for round, v := range p.Table.ByRound(p.lateness(ours, load), unit) {
		if base, ok := bare[round]; ok {
			more = append(more, v-base)
		}
	}
	if len(more) == 0 {
		return results.Estimate{}, results.ErrNoSamples
	}
	return results.Summarize(more), nil
}

// Summary is the table of targets, or "" if nothing of them was measured.
func (p Facilities) Summary() string {
	var rows [][]string
	for _, t := range facilityTargets {
		e, err := t.value(p)
		if err != nil {
			continue
		}
		verdict := "**missed**"
		if t.met(e.Median) {
			verdict = "met"
		}
		rows = append(rows, []string{t.what, t.asked, interval(e, t.show), verdict})
	}
	if len(rows) == 0 {
		return ""
	}
	return table([]string{"target", "asked", "measured", ""}, rows) + "\nThe median decides. Where its interval holds what was asked, another run may decide otherwise.\n"
}
