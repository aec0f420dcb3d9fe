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
			_, found := comparesOf(l, dist, 1)
			l.sampled(1, found, "comparisons for each START, %s intervals, n = M", dist).as(AtMost)
		}
	}},
	"H-2x": {counted: func(l *lab) {
		for _, dist := range []workload.Dist{workload.Exp(), workload.Uniform()} {
			p := cost.PassedFromHead(hold(1, 32_768, dist).Lives())
			for _, perSlot := range []int{1, 16, 64} {
				e, found := comparesOf(l, dist, perSlot)
				what := fmt.Sprintf("comparisons for each START, %s intervals, n/M = %d", dist, perSlot)
				if perSlot > 1 {
					l.sampled(p*float64(perSlot), found, "%s", what).about(1+float64(e.spec.N)/float64(e.spec.T),
						"the comparison that ends a search, and timers that expire on the same tick, n/T at most")
				}
				l.sampled(cost.Compares5(e.spec.Lives(), e.spec.N-1, hashM), found,
					"%s; predicted: with the one that ends a search", what)
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
		const n, turns = 2000, 8
		one := l.run(oneSlot("hashsorted", n, turns)).per(starting, started)
		e := spread("hashsorted", n, turns*hashM)
		e.spec.Dist = workload.Const()
		l.sampled(hashM, one.over(l.run(e).per(starting, started)),
			"comparisons for each START, one slot over spread, equal intervals of %d M, M = %d", turns, hashM).
			as(AtLeast).about(hashM*float64(hashM)/n, "where n/M timers share a slot, a search that passes all of them ends "+
			"without one more comparison, or with one: one in n/M")
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
		b := burstsOf(l)
		l.sampled(burstN/float64(hashM), b.mean, "mean visits of a tick, spread").about(burstN/(2.*burstTurns*hashM),
			"T is finite: n/(2T) visits more")
		l.sampled(burstN/float64(hashM), b.oneMean, "mean visits of a tick, all in one slot")
		l.sampled(1, b.oneDev.over(b.dev), "deviation of a tick's visits, one slot over spread").as(AtLeast)
	}},
	"H-9x": {counted: func(l *lab) {
		b, relative := burstsOf(l), math.Sqrt(hashM/float64(burstN))
		l.sampled(relative, b.dev, "standard deviation over mean of a tick's visits, spread, n = %d, M = %d, T = %d M",
			burstN, hashM, burstTurns).about(relative/(2*burstTurns)+relative/(2*hashM),
			"T is finite: n/M + n/(2T) visits, and n timers are in M slots, not infinitely many: relative "+
				"1/(2 T/M) + 1/(2M)")
		l.sampled(math.Sqrt(hashM-1), b.oneDev, "standard deviation over mean of a tick's visits, all in one slot")
	}},
	"H-10": {counted: func(l *lab) {
		mask := l.run(spread("hashunsorted-absolute", 2000, 4096)).per(visits, ticks)
		mul := l.run(spread("hashunsorted-mulhash", 2000, 4096)).per(visits, ticks)
		l.sampled(1, mul.over(mask), "visits a tick, multiplicative hash over mask")
	}},
	"H-11": {timed: vaxProgram},
	"H-12": {counted: func(l *lab) {
		for _, w := range []workload.Spec{
			hold(instructionsN, hashM, workload.Const()), // all expire within each scan
			hold(instructionsN, 8*hashM, workload.Uniform()),
			hold(instructionsN, 16*hashM, workload.Const()),
		} {
			l.instructions(AtMost, w, cost.PaperPerTick(w.N, hashM))
		}
	}},
	"H-12x": {counted: func(l *lab) {
		for _, w := range []workload.Spec{
			hold(instructionsN, hashM/4, workload.Const()),
			hold(instructionsN, (hashM+1)/2, workload.Uniform()), // 1 to M
		} {
			l.instructions(AtLeast, w, 1.5*cost.PaperPerTick(w.N, hashM))
			l.instructions(Equal, w, cost.PerTick6(w.N, hashM, w.Lives()))
		}
	}},
	"H-13": {counted: func(l *lab) {
		const n, T = 1024, 65_536
		for _, m := range []int{256, 1024, 4096, 16_384} {
			t := l.run(expRun("hashunsorted", withSlots(m), n, T, T, T))
			l.sampled(n/float64(m)+n/2./T, t.per(visits, ticks), "visits a tick, n/M = %.3g", n/float64(m)).
				about(n/float64(T)*float64(m)/T, "the next term of the expansion, of order n M/T²")
		}
	}},
	"H-14": {counted: func(l *lab) {
		for _, e := range []experiment{oneSlot("hashunsorted", 2000, 8), spread("hashunsorted", 2000, 16*hashM)} {
			e.each = hashM
			most := 0.0
			for _, b := range l.run(e) {
				most = max(most, b[visits]-b[started])
			}
			l.counted(2000, most, "visits of %d successive ticks at most, less the timers started meanwhile, %s",
				hashM, e.name()).as(AtMost)
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

// comparesOf counts the comparisons of a START of scheme 5 with so many timers in each slot.
func comparesOf(l *lab, dist workload.Dist, perSlot int) (experiment, Value) {
	e := spread("hashsorted", perSlot*hashM, 32_768)
	e.spec.Dist = dist
	e.each /= 2
	return e, l.run(e).per(starting, started)
}

const (
	burstN     = 2048
	burstTurns = 64 // T in M
)

// bursts is the standard deviation over the mean of a tick's visits, and the mean, with timers
// spread and with all in one slot.
type bursts struct{ dev, mean, oneDev, oneMean Value }

func burstsOf(l *lab) (b bursts) {
	const T = burstTurns * hashM
	b.dev, b.mean = deviations(l, expRun("hashunsorted", withSlots(hashM), burstN, T, T, 2*T))
	b.oneDev, b.oneMean = deviations(l, oneSlot("hashunsorted", burstN, burstTurns))
	return b
}
