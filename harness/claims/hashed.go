package claims

import (
	"fmt"
	"math"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Schemes 5 and 6: hashed wheels (section 6.1).

var hashedChecks = checks{
	"H-1": {counted: func(l *lab) {
		const interval = 3*256 + 20
		s := l.new("hashunsorted", schemes.Config{Now: 10, Slots: 256})
		l.start(s, interval, 77)
		at := l.place(s, func(p schemes.Place) bool { return p.ID == 77 })
		l.counted(30, float64(at.Slot), "slot of an interval of 3·256 + 20 with the pointer at 10")
		l.counted(3+1, float64(at.Key), "rounds to go: the 3 in the high-order bits, and the one that expires it")
	}},
	"H-2": {counted: func(l *lab) {
		for _, dist := range []workload.Dist{workload.Exp(), workload.Uniform()} {
			p := cost.PassedFromHead(hold(1, 32_768, dist).Lives())
			for _, perSlot := range []int{1, 16, 64} {
				n := perSlot * hashM
				e := spread("hashsorted", n, 32_768)
				e.spec.Dist = dist
				e.each /= 2
				found := l.run(e).per(starting, started)
				what := func(predicted string) string {
					return fmt.Sprintf("comparisons for each START, %s intervals, n/M = %d; predicted: %s",
						dist, perSlot, predicted)
				}
				if perSlot == 1 {
					l.sampled(1, found, "%s", what("O(1), n/M")).as(AtMost)
				} else {
					l.sampled(p*float64(perSlot), found, "%s", what("p n/M")).about(1+float64(n)/float64(e.spec.T),
						"the comparison that ends a search, and timers that expire on the same tick, n/T at most")
				}
				compares := cost.Compares5(e.spec.Lives(), n-1, hashM)
				l.sampled(compares, found, "%s", what("with the one that ends a search"))
			}
		}
	}},
	"H-3": {counted: func(l *lab) {
		compare := func(e experiment, what string) {
			worst, _ := l.worstTick(e, wasted)
			l.counted(1, worst, "timers that a tick looks at besides the expiring ones, at most, %s", what).as(AtMost)
		}
		compare(spread("hashsorted", 2000, 4096), "spread over the slots")
		compare(oneSlot("hashsorted", 2000, 8), "all timers in one slot")
	}},
	"H-4": {counted: func(l *lab) {
		pair := func(hashed, list string, what quantity, name string) {
			e := newExperiment(hashed, withSlots(1), mostlyStopped(hold(200, 100, workload.Exp())), 400, 400)
			one := l.run(e).sum()[what]
			e.scheme = list
			l.counted(l.run(e).sum()[what], one, "%s of %s with one slot; predicted: those of %s", name, hashed, list)
		}
		pair("hashsorted", "ordered", compares, "comparisons")
		pair("hashsorted", "ordered", visits, "visits")
		pair("hashunsorted", "unordered", compares, "comparisons")
		pair("hashunsorted", "unordered", visits, "visits")
	}},
	"H-5": {counted: func(l *lab) {
		one := l.run(oneSlot("hashsorted", 2000, 8)).per(starting, started)
		l.sampled(hashM, one.over(l.run(spread("hashsorted", 2000, 8*hashM)).per(starting, started)),
			"comparisons for each START, one slot over spread, M = %d", hashM).as(AtLeast).
			about(hashM*(1-1./2), "spread over the slots half of the searches find no timer that is later, and "+
				"equal intervals pass all others: up to a factor of 2")
	}},
	"H-6": {counted: func(l *lab) {
		const n = 2000
		worst, t := l.worstTick(oneSlot("hashunsorted", n, 8), visits)
		l.counted(n, worst, "visits of the worst tick, all n = %d timers in one slot", n)
		l.counted(0, t.sum()[compares], "comparisons of all starts and stops, one slot")
	}},
	"H-7": {counted: func(l *lab) {
		const n = 2000
		one := l.run(oneSlot("hashunsorted", n, 8)).sum() // every timer is visited once a turn
		l.counted(n/float64(hashM), one[visits]/one[ticks],
			"visits a tick, all timers in one slot, n/M = %d/%d", n, hashM)
		perTick := func(T schemes.Tick) Value { return l.run(spread("hashunsorted", n, T)).per(visits, ticks) }
		l.sampled(n/float64(hashM), perTick(16*hashM),
			"visits a tick, exponential intervals, T = 16 M, n/M = %d/%d", n, hashM).
			about(n/(2*16.*hashM)*(1+1./16), "T is finite: n/(2T) visits, and a next term smaller by M/T at least")
		l.sampled(n/float64(hashM), perTick(hashM/4),
			"visits a tick, exponential intervals, T = M/4, n/M = %d/%d", n, hashM)
	}},
	"H-7x": {counted: func(l *lab) {
		const n = 2000
		for _, stops := range []bool{false, true} {
			for _, dist := range []workload.Dist{workload.Exp(), workload.Uniform(), workload.Bimodal()} {
				for _, T := range []schemes.Tick{hashM / 4, hashM, 4 * hashM, 16 * hashM} {
					e := spread("hashunsorted", n, T)
					e.spec.Dist = dist
					if stops {
						e.spec = mostlyStopped(e.spec)
					}
					lives := e.spec.Lives()
					want := n / cost.MeanStay(lives) * cost.Visits6(lives, hashM)
					l.sampled(want, l.run(e).per(visits, ticks),
						"visits a tick, %s intervals, %s, T = %d, n = %d, M = %d", dist, withStops(stops), T, n, hashM)
				}
			}
		}
	}},
	"H-8": {counted: func(l *lab) {
		const n = 2000
		busiest, full, idle := 0.0, 0.0, 0.0
		e := oneSlot("hashunsorted", n, 8)
		e.tick = func(b batch) {
			busiest = max(busiest, b[visits])
			if b[visits] > 0 {
				full++
			} else {
				idle++
			}
		}
		t := l.run(e)
		l.counted(n, busiest, "visits of the busiest tick, n = %d", n)
		l.counted(hashM-1, idle/full, "ticks without a visit for each with one, M = %d", hashM)
		l.counted(n/float64(hashM), t.sum()[visits]/t.sum()[ticks], "visits a tick")
	}},
	"H-9": {counted: func(l *lab) {
		const n, turns = 2048, 64
		const T = turns * hashM
		spreadDev, mean := deviations(l, expRun("hashunsorted", withSlots(hashM), n, T, T, 2*T))
		oneDev, oneMean := deviations(l, oneSlot("hashunsorted", n, turns))
		l.sampled(math.Sqrt(hashM/float64(n)), spreadDev,
			"standard deviation over mean of a tick's visits, spread, n = %d, M = %d, T = %d M", n, hashM, turns).
			about(math.Sqrt(hashM/float64(n))/(2*turns)+math.Sqrt(hashM/float64(n))/(2*hashM),
				"T is finite: n/M + n/(2T) visits, and n timers are in M slots, not infinitely many: relative "+
					"1/(2 T/M) + 1/(2M)")
		l.sampled(math.Sqrt(hashM-1), oneDev, "standard deviation over mean of a tick's visits, all in one slot")
		l.sampled(n/float64(hashM), mean, "mean visits of a tick, spread").about(n/(2.*turns*hashM),
			"T is finite: n/(2T) visits more")
		l.sampled(n/float64(hashM), oneMean, "mean visits of a tick, all in one slot")
	}},
	"H-10": {counted: func(l *lab) {
		mask := l.run(spread("hashunsorted-absolute", 2000, 4096)).per(visits, ticks)
		mul := l.run(spread("hashunsorted-mulhash", 2000, 4096)).per(visits, ticks)
		l.sampled(1, mul.over(mask), "visits a tick, multiplicative hash over mask")
	},
		timed: func(t *timings) {
			t.compareAll(AtLeast, 1, true, "PerTick, multiplicative hash over mask, n = {n}, M = {M}",
				pairing{"PerTick", "hashunsorted-absolute", nil, []string{"hashunsorted-mulhash"}})
			t.modulo()
		}},
	// The five costs of scheme 6 in the paper's instructions, against START.
	"H-11": {timed: func(t *timings) {
		start := t.net("Start", sixName, onlyTimers("1k"))
		against := func(instructions float64, what string, c cell) {
			t.timed(Equal, instructions/13, t.netRatio(c, start), "%s over START, each less the harness's part", what)
		}
		against(7, "STOP", t.net("Stop", sixName, onlyTimers("1k")))
		against(4, "an empty tick", t.netEmpty(sixName))
		t.timed(AtLeast, 9./13, t.netRatio(t.net("Expire", sixName, onlyTimers("1k")), start),
			"an expiry, with the harness's part and so at most this, over START without")
		if c, ok := t.choice(); ok {
			net := t.median(start.scheme, nsPerOp).minus(t.median(start.null, nsPerOp))
			t.timed(Equal, 6./13, valueOf(c.C6).over(net), "a visit (c6) over START, less the harness's part")
		}
	}},
	"H-12": {counted: func(l *lab) {
		l.requireInstructions(AtMost, func(w workload.Spec) float64 { return cost.PaperPerTick(w.N, hashM) })
	}},
	"H-12x": {counted: func(l *lab) {
		l.requireInstructions(Equal, func(w workload.Spec) float64 { return cost.PerTick6(w.N, hashM, w.Lives()) })
	}},
	"H-13": {counted: func(l *lab) {
		const n, T = 1024, 65_536
		for _, m := range []int{256, 1024, 4096, 16_384} {
			t := l.run(expRun("hashunsorted", withSlots(m), n, T, T, T))
			l.sampled(n/float64(m)+n/2./T, t.per(visits, ticks), "visits a tick, n/M = %.3g", n/float64(m)).
				about(n/float64(T)*float64(m)/T, "the next term of the expansion, of order n M/T²")
		}
	}},
	"H-15": {counted: func(l *lab) {
		inSlots := func(scheme string, b int) tally { // b timers in each slot
			const slots = 16
			n, T := slots*b, schemes.Tick(4*slots*b)
			return l.run(expRun(scheme, withSlots(slots), n, T, T, T))
		}
		list := func(b int) Value { return inSlots("hashsorted", b).per(starting, started) }
		heap := func(b int) Value { return inSlots("hashsorted-heap", b).per(compares, ended) }
		const why = "halfway, in logarithms, to √b, which would give 4"
		l.sampled(16, list(256).over(list(16)), "list: growth of a START from b = 16 to 256 timers in a slot").
			about(16-8, why).as(AtLeast)
		l.sampled(2, heap(256).over(heap(16)), "heap: growth of a START and an expiry together, from b = 16 to 256").
			about(math.Sqrt(8)-2, why).as(AtMost)
	}},
}

// hashM is M in the experiments on hashed wheels.
const hashM = 256

// spread is a run whose timers are spread over the slots.
func spread(scheme string, n int, T schemes.Tick) experiment {
	each := max(4*T, 8*hashM)
	return expRun(scheme, withSlots(hashM), n, T, 2*T, (each+hashM-1)/hashM*hashM)
}

// oneSlot is a run whose timers all share a slot: they start when the pointer is at
// slot 0, with equal intervals of the given number of revolutions.
func oneSlot(scheme string, n int, turns schemes.Tick) experiment {
	T := turns * hashM
	spec := hold(n, T, workload.Const())
	spec.Every = hashM
	return newExperiment(scheme, withSlots(hashM), spec, 2*T, T)
}

// deviations returns the standard deviation over the mean of single ticks' visits
// by batch, and their mean.
func deviations(l *lab, e experiment) (dev, mean Value) {
	var now []float64
	var devs []float64
	e.tick = func(b batch) {
		if now = append(now, b[visits]); len(now) == int(e.each) {
			devs = append(devs, relativeDeviation(now))
			now = now[:0]
		}
	}
	t := l.run(e)
	return meanOf(devs), t.per(visits, ticks)
}

// instructionsOf counts the instructions of a tick, at the paper's unit costs.
func instructionsOf(l *lab, spec workload.Spec) Value {
	each := max(4*spec.T, 4*hashM)
	t := l.run(newExperiment("hashunsorted", withSlots(hashM), spec, spec.T, (each+hashM-1)/hashM*hashM))
	return t.ratio(func(b batch) float64 { return 4*b[ticks] + 6*b[visits] + 9*b[expired] }, ticks)
}

// requireInstructions compares them with a formula, on the workloads by which the paper's cost
// of a tick is tried.
func (l *lab) requireInstructions(r Relation, formula func(workload.Spec) float64) {
	const n = 10_000
	for _, w := range []workload.Spec{
		hold(n, (hashM+1)/2, workload.Uniform()), // 1 to M
		hold(n, hashM/4, workload.Const()),
		hold(n, 8*hashM, workload.Uniform()), // 1 to 16 M
		hold(n, 16*hashM, workload.Const()),
	} {
		l.sampled(formula(w), instructionsOf(l, w), "instructions a tick, %s intervals, T = %d, n = %d, M = %d",
			w.Dist, w.T, w.N, hashM).as(r)
	}
}
