package claims

import (
	"math"

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
	"H-11": {timed: vaxProgram},
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
