package claims

import (
	"math"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// The paper's recommendations (section 7), each as a decision that a measurement
// can confirm or refute.

var adviceChecks = checks{
	"R-1": {counted: func(l *lab) {
		const n = 10_000
		of := func(info *schemes.Info) float64 { return float64(info.Bytes(n, schemes.Config{Capacity: n})) / n }
		least := harness.Schemes[0]
		for _, info := range harness.Schemes[1:7] {
			l.counted(of(least), of(info), "bytes held for each of %d timers, %s; at least those of %s", n, info.Name,
				least.Name).as(AtLeast)
		}
		leastWork(l)
	}},
	"R-2": {counted: func(l *lab) {
		t := l.run(expRun("ordered", unsized, 400, 40_000, 40_000, 80_000).tickByTick())
		l.counted(1, t.sum()[busy]/t.sum()[expired], "interrupts for each timer, n = 400").as(AtMost)
		l.sampled(1-math.Pow(1-1./40_000, 400), t.per(busy, ticks),
			"share of ticks with an interrupt, n = 400, T = 40,000")
		passing{dist: workload.Exp()}.point(l, passing{dist: workload.Exp()}.predicted(passingN))
	}},
	"R-3": {counted: func(l *lab) {
		list := l.run(treeRun("ordered", 4096, workload.Exp(), false)).per(starting, started)
		l.sampled(4096./4, list, "comparisons of a START of the list, n = 4096; at least n/4").as(AtLeast)
	}},
	"R-4": {counted: func(l *lab) {
		run := func(scheme string) float64 {
			cfg := schemes.Config{Slots: 1024, Levels: []int{32, 32}}
			spec := mostlyStopped(hold(500, 20, workload.Uniform()))
			b := l.run(newExperiment(scheme, cfg, spec, 256, 256)).sum()
			return b[compares] + b[visits] + b[migrations]
		}
		four := run("simplewheel")
		for _, info := range harness.Schemes[:7] {
			if info.Number != 4 {
				l.counted(four, run(info.Name), "timers looked at or moved, %s, 1024 slots, intervals within the range "+
					"of scheme 4; at least those of scheme 4 on the same operations", info.Name).as(AtLeast)
			}
		}
	}},
	"R-5": {counted: func(l *lab) {
		one := l.run(oneSlot("hashsorted", 2000, 8)).per(starting, started)
		l.sampled(2000./4, one, "comparisons of a START, n = 2000 in one slot; at least n/4").as(AtLeast)
	}},
}
