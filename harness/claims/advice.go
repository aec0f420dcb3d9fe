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
	"R-1": {timed: func(t *timings) {
		t.compareAll(AtLeast, 1, true, "bytes per timer, {other} over unordered, n = {n}",
			pairing{"Memory", "unordered", notOwn, harness.Names()[1:7]})
		floorOfStarts(t)
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
	},
		timed: func(t *timings) {
			t.compareAll(AtLeast, 1, false, "a lifetime, heap over {other}, n = {n}",
				pairing{lifetime, "tree", treesFrom(100_000), []string{sixName, sevenName}})
		}},
	"R-4": {counted: func(l *lab) {
		handled := func(b batch) float64 { return b[compares] + b[visits] + b[migrations] }
		run := func(scheme string, cfg schemes.Config) Value {
			spec := mostlyStopped(hold(500, 20, workload.Uniform()))
			return l.run(newExperiment(scheme, cfg, spec, 256, 256)).ratio(handled, ended)
		}
		four := run("simplewheel", withSlots(1024))
		for _, info := range harness.Schemes[:7] {
			cfg := schemes.Config{Slots: 256, Levels: []int{16, 16, 16}}
			if info.Number == 4 {
				continue
			}
			l.sampled(1, run(info.Name, cfg).over(four),
				"timers looked at or moved for each timer, %s over scheme 4, intervals within its "+
					"range", info.Name).as(AtLeast)
		}
	}},
	"R-5": {counted: func(l *lab) {
		one := l.run(oneSlot("hashsorted", 2000, 8)).per(starting, started)
		l.sampled(2000./4, one, "comparisons of a START, n = 2000 in one slot; at least n/4").as(AtLeast)
	},
		timed: func(t *timings) {
			t.compareAll(AtLeast, 1, false, "a lifetime, scheme 5 over scheme 6, n = {n}, M = {M}",
				pairing{lifetime, "hashsorted", isHash(heapSlots), []string{sixName}})
		}},
	// The check compares every other scheme of unlimited range with the better of 6 and
	// 7 by its median.
	"R-6": {timed: func(t *timings) {
		for _, k := range t.cells(lifetime, sixName, IsTrees) {
			seven, ok := t.sameWorkload(k, sevenName)
			if !ok {
				continue
			}
			best := k
			if t.median(seven, nsPerOp).Mean < t.median(k, nsPerOp).Mean {
				best = seven
			}
			for _, other := range []string{"unordered", "ordered", "tree", "tree-4ary", "hashsorted"} {
				if o, ok := t.sameWorkload(k, other); ok {
					t.timed(AtLeast, 1, t.ratio(o, best, nsPerOp),
						"a lifetime, %s over the better of 6 and 7 (%s), n = %s", other, best.Scheme, k.N)
				}
			}
		}
		if len(t.points) == 0 {
			t.lacks("lifetimes of schemes 6, 7 and others")
		}
	}},
}
