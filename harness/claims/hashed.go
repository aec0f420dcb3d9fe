package claims

import (
	"math"

	"timerlab/harness/cost"
	"timerlab/schemes"
)

// Schemes 5 and 6: hashed wheels (section 6.1).

var hashedChecks = checks{
	"H-1": {counted: slotOfExample},
	"H-2": {counted: searchOfScheme5},
	"H-3": {counted: func(l *lab) {
		for _, e := range []experiment{spread("hashsorted", 2000, 4096), oneSlot("hashsorted", 2000, 8)} {
			worst, _ := l.worstTick(e, wasted)
			l.counted(1, worst, "timers that a tick looks at besides the expiring ones, at most, %s",
				e.what()).as(AtMost)
		}
	}},
	"H-4": {counted: oneSlotEach},
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
		oneSlotMean(l)
		const n = 2000
		perTick := func(T schemes.Tick) Value { return l.run(spread("hashunsorted", n, T)).per(visits, ticks) }
		l.sampled(n/float64(hashM), perTick(16*hashM), "visits a tick, exponential intervals, T = 16 M, n/M = %d/%d", n,
			hashM).
			about(n/(2*16.*hashM)*(1+1./16), "T is finite: n/(2T) visits, and a next term smaller by M/T at least")
		l.sampled(n/float64(hashM), perTick(hashM/4), "visits a tick, exponential intervals, T = M/4, n/M = %d/%d", n,
			hashM)
	}},
	"H-7x": {counted: visitRate},
	"H-8":  {counted: allInOneSlot},
	"H-9":  {counted: burstiness},
	"H-10": {counted: func(l *lab) {
		mask := l.run(spread("hashunsorted-absolute", 2000, 4096)).per(visits, ticks)
		mul := l.run(spread("hashunsorted-mulhash", 2000, 4096)).per(visits, ticks)
		l.sampled(1, mul.over(mask), "visits a tick, multiplicative hash over mask")
	},
		timed: func(t *timings) {
			mask := t.cells("PerTick", "hashunsorted-absolute", nil)
			if len(mask) == 0 {
				t.lacks("PerTick of hashunsorted-absolute")
			}

			for _, k := range mask {
				mul := k
				mul.Scheme = "hashunsorted-mulhash"
				t.timed(AtLeast, 1, t.ratio(mul, k, nsPerOp),
					"PerTick, multiplicative hash over mask, n = %s, M = %s", k.N, k.Slots)
			}
			t.modulo()
		}},
	"H-11": {timed: instructions},
	"H-12": {counted: func(l *lab) {
		for _, w := range instructionMixes() {
			l.sampled(cost.PaperPerTick(w.n, hashM), w.perTick(l), "instructions a tick, %s", w).as(AtMost)
		}
	}},
	"H-12x": {counted: func(l *lab) {
		for _, w := range instructionMixes() {
			l.sampled(cost.PerTick6(w.n, hashM, w.spec().Lives()), w.perTick(l), "instructions a tick, %s", w)
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
	"H-15": {counted: func(l *lab) {
		const slots = 16
		list := func(b int) Value { return l.run(inSlots("hashsorted", slots, b)).per(starting, started) }
		heap := func(b int) Value { return l.run(inSlots("hashsorted-heap", slots, b)).per(compares, ended) }
		l.sampled(16, list(256).over(list(16)), "list: growth of a START from b = 16 to 256 timers in a slot").about(
			16-8, "halfway, in logarithms, to √b, which would give 4").as(AtLeast)
		l.sampled(2, heap(256).over(heap(16)),
			"heap: growth of a START and an expiry together, from b = 16 to 256").about(math.Sqrt(
			8)-2, "halfway, in logarithms, to √b, which would give 4").as(AtMost)
	}},
}
