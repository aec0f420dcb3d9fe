package claims

import (
	"math"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
)

// Schemes 5 and 6: hashed wheels (section 6.1).

var hashedClaims = []Claim{
	{
		ID: "H-1", Scheme: "hashunsorted", Source: "section 6.1",
		Sentence: "A timer waits in slot (pointer + J mod M) mod M with J div M rounds to go: with 256 slots, the pointer at 10 and low bits 20 in slot 30.",
		counted:  slotOfExample,
	},
	{
		ID: "H-2", Scheme: "hashsorted", Source: "section 6.1.1; product derived",
		Sentence: "START of scheme 5 passes p·n/M timers on average, p as in scheme 2: O(1) if n < M and the hash is uniform.",
		counted:  searchOfScheme5,
	},
	{
		ID: "H-3", Scheme: "hashsorted", Source: "section 6.1.1",
		Sentence: "A tick of scheme 5 looks at one timer at most beside the expiring ones, also when all timers share a slot.",
		counted: func(l *lab) []Point {
			var points []Point
			for _, e := range []experiment{spread("hashsorted", 2000, 4096), oneSlot("hashsorted", 2000, 8)} {
				worst := 0.0
				e.tick = func(b batch) { worst = max(worst, wasted(b)) }
				l.run(e)
				points = append(points, counted(1, worst, "timers that a tick looks at beside the expiring ones, at most, %s", e.what()).as(AtMost))
			}
			return points
		},
	},
	{
		ID: "H-4", Scheme: "hashsorted, hashunsorted", Source: "section 6.1.1",
		Sentence: "With one slot scheme 5 is scheme 2, and scheme 6 is scheme 1: the same comparisons, the same visits.",
		counted:  oneSlotEach,
	},
	{
		ID: "H-5", Scheme: "hashsorted", Source: "section 7",
		Sentence: "Scheme 5 depends on the hash for a fast START: with all timers in one slot a START passes M times as many.",
		counted: func(l *lab) []Point {
			one := l.run(oneSlot("hashsorted", 2000, 8)).per(starting, started)
			return []Point{
				sampled(hashM, one.over(l.run(spread("hashsorted", 2000, 8*hashM)).per(starting, started)), "comparisons for each START, one slot over spread, M = %d", hashM).as(AtLeast).
					about(hashM*(1-1./2), "spread over the slots half of the searches find no timer that is later, and equal intervals pass all others: up to a factor of 2"),
			}
		},
	},
	{
		ID: "H-6", Scheme: "hashunsorted", Source: "section 6.1.2",
		Sentence: "START and STOP of scheme 6 are O(1) also at worst; a tick decrements every timer of its slot, at worst all n.",
		counted: func(l *lab) []Point {
			const n = 2000
			worst := 0.0
			e := oneSlot("hashunsorted", n, 8)
			e.tick = func(b batch) { worst = max(worst, visits(b)) }
			t := l.run(e)
			return []Point{
				counted(n, worst, "visits of the worst tick, all n = %d timers in one slot", n),
				counted(0, compares(t.sum()), "comparisons of all starts and stops, one slot"),
			}
		},
	},
	{
		ID: "H-7", Scheme: "hashunsorted", Source: "section 6.1.2",
		Sentence: "Every M ticks scheme 6 decrements once every timer that is still living: n/M visits a tick on average, whatever the hash.",
		Instead:  "n/M is the limit for T far above M; intervals up to M cost n/T visits a tick, which is more, all of them expiries (H-7x)",
		Figure:   "visits",
		counted: func(l *lab) []Point {
			points := []Point{oneSlotMean(l)}
			const n = 2000
			long := sampled(n/float64(hashM), l.run(spread("hashunsorted", n, 16*hashM)).per(visits, ticks), "visits a tick, exponential intervals, T = 16 M, n/M = %d/%d", n, hashM)
			short := sampled(n/float64(hashM), l.run(spread("hashunsorted", n, hashM/4)).per(visits, ticks), "visits a tick, exponential intervals, T = M/4, n/M = %d/%d", n, hashM)
			return append(points, long.about(n/(2*16.*hashM)*(1+1./16), "T is finite: n/(2T) visits, and a next term smaller by M/T at least"), short)
		},
	},
	{
		ID: "H-7x", Scheme: "hashunsorted", Source: "derived",
		Sentence: "A tick visits (n/T)·E[ceil(J/M)] timers, and for stopped ones as many as slots' turns fall into their stay; n/T of them expire.",
		Figure:   "visits",
		counted:  visitRate,
	},
	{
		ID: "H-8", Scheme: "hashunsorted", Source: "section 6.1.2",
		Sentence: "With all n timers in one slot, one tick in M visits them all and the others none; the mean does not change.",
		counted:  allInOneSlot,
	},
	{
		ID: "H-9", Scheme: "hashunsorted", Source: "section 6.1.2; quantified by derivation",
		Sentence: "The hash governs only the variance of a tick's work, not its mean: the standard deviation over the mean is √(M/n) where timers are spread, √(M - 1) where all share a slot.",
		Figure:   "per-tick-hash",
		counted:  burstiness,
	},
	{
		ID: "H-10", Scheme: "hashunsorted, hashunsorted-mulhash", Source: "section 6.1.2",
		Sentence: "The mask is the hash to take: a dearer hash must be computed on every tick as well and does not change the mean work.",
		Instead:  "the mean does not change, but the time of a tick is not measurably longer where the comparison fails",
		counted: func(l *lab) []Point {
			mask := l.run(spread("hashunsorted-absolute", 2000, 4096)).per(visits, ticks)
			mul := l.run(spread("hashunsorted-mulhash", 2000, 4096)).per(visits, ticks)
			return []Point{sampled(1, mul.over(mask), "visits a tick, multiplicative hash over mask")}
		},
		timed: func(t *timings) []Point {
			mask := t.cells("PerTick", "hashunsorted-absolute", nil)
			if len(mask) == 0 {
				t.lacks("PerTick of hashunsorted-absolute")
			}
			var points []Point
			for _, k := range mask {
				mul := k
				mul.Scheme = "hashunsorted-mulhash"
				points = append(points, timed(AtLeast, 1, t.ratio(mul, k, nsPerOp), "PerTick, multiplicative hash over mask, n = %s, M = %s", k.N, k.Slots))
			}
			return append(points, t.modulo()...)
		},
	},
	{
		ID: "H-11", Scheme: "hashunsorted", Source: "section 7",
		Sentence: "START, STOP, an empty tick, a visit and an expiry cost as 13 : 7 : 4 : 6 : 9.",
		Instead:  "other ratios: today's costs are cache misses and mispredicted branches, not instructions",
		timed:    instructions,
	},
	{
		ID: "H-12", Scheme: "hashunsorted", Source: "section 7",
		Sentence: "A tick costs at most 4 + 15 n/M instructions on average, even if every timer expires within one scan of the table.",
		Instead:  "no bound for T < M: the general cost is 4 + 6 visits + 9 expiries (H-12x), n/T of each for intervals up to M",
		Figure:   "visits",
		counted: func(l *lab) []Point {
			var points []Point
			for _, w := range instructionMixes() {
				points = append(points, sampled(cost.PaperPerTick(w.n, hashM), w.perTick(l), "instructions a tick, %s", w).as(AtMost))
			}
			return points
		},
	},
	{
		ID: "H-12x", Scheme: "hashunsorted", Source: "derived",
		Sentence: "A tick costs 4 + 6 (n/T)·E[ceil(J/M)] + 9 n/T instructions where all timers expire.",
		Figure:   "visits",
		counted: func(l *lab) []Point {
			var points []Point
			for _, w := range instructionMixes() {
				points = append(points, sampled(cost.PerTick6(w.n, hashM, w.spec().Lives()), w.perTick(l), "instructions a tick, %s", w))
			}
			return points
		},
	},
	{
		ID: "H-13", Scheme: "hashunsorted", Source: "section 6.1.2; Network Algorithmics 7.5",
		Sentence: "n < M makes a tick O(1), and more slots reduce its work as far as one wants: n/M + n/(2T) visits.",
		Figure:   "visits",
		counted: func(l *lab) []Point {
			var points []Point
			const n, T = 1024, 65_536
			for _, m := range []int{256, 1024, 4096, 16_384} {
				t := l.run(experiment{scheme: "hashunsorted", cfg: withSlots(m), spec: hold(n, T, workload.Exp()), warm: T, each: T})
				points = append(points, sampled(n/float64(m)+n/2./T, t.per(visits, ticks), "visits a tick, n/M = %.3g", n/float64(m)).
					about(n/float64(T)*float64(m)/T, "the next term of the expansion, of order n M/T²"))
			}
			return points
		},
	},
	{
		ID: "H-15", Scheme: "hashsorted-heap", Source: "article on Netty's and the JDK's timers",
		Sentence: "A heap in each slot makes START of scheme 5 O(log b) for b timers in a slot, instead of O(b).",
		counted: func(l *lab) []Point {
			var points []Point
			const slots = 16
			list := func(b int) Value { return l.run(inSlots("hashsorted", slots, b)).per(starting, started) }
			heap := func(b int) Value { return l.run(inSlots("hashsorted-heap", slots, b)).per(compares, ended) }
			points = append(points,
				sampled(16, list(256).over(list(16)), "list: growth of a START from b = 16 to 256 timers in a slot").about(16-8, "halfway, in logarithms, to √b, which would give 4").as(AtLeast),
				sampled(2, heap(256).over(heap(16)), "heap: growth of a START and an expiry together, from b = 16 to 256").about(math.Sqrt(8)-2, "halfway, in logarithms, to √b, which would give 4").as(AtMost))
			return points
		},
	},
}
