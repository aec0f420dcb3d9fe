package claims

import (
	"math"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Hardware assistance (appendix A.1): a counter that steps through the slots and
// interrupts the host where timers are.

var assistChecks = checks{
	// The check counts marks set and cleared: those that a shadow of the slots sees.
	"A-2": {counted: func(l *lab) {
		for _, n := range []int{16, 1024} {
			changes, timers := marks(l, n)
			l.counted(2, changes/timers, "times that the host informs the chip, for each timer, n = %d, M = %d",
				n, assistM).as(AtMost)
		}
		quiet := l.run(expRun("hashunsorted", withSlots(assistM), 16, assistT, assistT, 4*assistT)).sum()
		l.counted(quiet[ticks], quiet[empty]+quiet[occupied],
			"ticks with an empty slot and ticks with an interrupt; predicted: all ticks")
	}},
	"A-3": {counted: func(l *lab) {
		for _, n := range []int{4, 10_000} {
			t := l.run(assisted(n))
			l.sampled(assistT/float64(assistM), t.per(occupied, ended),
				"interrupts for each timer, scheme 6, n = %d, T = %d M", n, assistT/assistM).
				about(1, "a timer of J ticks meets J/M slots' turns, rounded up or down")
		}
		seven := l.run(expRun("hierarchical", equalLevels(256, 4), 4, assistT, assistT, 8*assistT))
		l.sampled(4, seven.per(visits, ended), "interrupts for each timer at most, scheme 7, m = 4, n = 4").as(AtMost)
	}},
	"A-3x": {counted: func(l *lab) {
		for _, n := range assistSizes {
			l.sampled(saturation(float64(n)), l.run(assisted(n)).per(occupied, ticks),
				"share of ticks with an interrupt, n = %d, M = %d", n, assistM).
				about(saturation(float64(n)*(1+assistM/(2.*assistT)))-saturation(float64(n)),
					"T is finite: n/(2T) timers more in a slot")
		}
		one := l.run(oneSlot("hashunsorted", 10_000, 8)).sum()
		l.counted(1./hashM, one[occupied]/one[ticks], "share of ticks with an interrupt, n = 10,000 in one slot of %d",
			hashM)
	}},
	"A-4": {counted: func(l *lab) {
		spec := hold(10, 64, workload.Uniform())
		six := l.run(newExperiment("hashunsorted", withSlots(16_384), spec, 16_384, 16_384))
		l.sampled(1, six.per(occupied, ended),
			"interrupts for each timer, scheme 6, T = 64, M = 16384: its expiry alone").as(AtMost)
		l.sampled(10./64, six.per(occupied, ticks), "share of ticks with an interrupt, n = 10; at most n/T").as(AtMost)
	}},
}

// M and T of the runs on interrupts.
const (
	assistM = 256
	assistT = 64 * assistM
)

var assistSizes = []int{4, 64, 256, 1024, 10_000}

func assisted(n int) experiment {
	each := schemes.Tick(assistT)
	if n < 100 {
		each *= 16
	}
	return expRun("hashunsorted", withSlots(assistM), n, assistT, assistT, each)
}

// saturation is the share of slots with a timer, if n are spread at random: 1 -
// (1 - 1/M)^n, which is 1 - e^(-n/M) for large M.
func saturation(n float64) float64 { return 1 - math.Pow(1-1./assistM, n) }

// marks replays a workload's starts and expiries on the numbers of timers in the
// slots, and returns how often a slot became occupied or empty, and the timers that
// ended.
func marks(l *lab, n int) (changes, timers float64) {
	spec := hold(n, assistT, workload.Exp())
	spec.Ticks, spec.Seed = 64*assistT, seed
	trace, err := spec.Trace()
	l.check(err)
	slots := make([]int, assistM)
	expiring := map[schemes.Tick][]int{} // slots of the timers due, by tick
	next := 0
	for now := schemes.Tick(0); now <= spec.Ticks; now++ {
		for _, slot := range expiring[now] {
			timers++
			if slots[slot]--; slots[slot] == 0 {
				changes++
			}
		}
		delete(expiring, now)
		for ; next < len(trace.Ops) && trace.Ops[next].Tick == now; next++ {
			expiry := now + trace.Ops[next].Interval
			slot := int(expiry % assistM)
			expiring[expiry] = append(expiring[expiry], slot)
			if slots[slot]++; slots[slot] == 1 && next >= trace.Prefill {
				changes++
			}
		}
	}
	return changes, timers
}
