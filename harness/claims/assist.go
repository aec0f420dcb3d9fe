package claims

import (
	"math"

	"timerlab/schemes"
)

// Hardware assistance (appendix A.1): a counter that steps through the slots and
// interrupts the host where timers are.

var assistChecks = checks{
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
