package claims

import (
	"timerlab/harness/workload"
	"timerlab/schemes"
)

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

// inSlots is a run with b timers in each of some slots.
func inSlots(scheme string, slots, b int) experiment {
	n := slots * b
	T := schemes.Tick(4 * n)
	return expRun(scheme, withSlots(slots), n, T, T, T)
}

func (e experiment) what() string {
	if e.spec.Every > 1 {
		return "all timers in one slot"
	}
	return "spread over the slots"
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

// instructionMixes are the workloads by which the paper's cost of a tick is tried.
func instructionMixes() []workload.Spec {
	const n = 10_000
	return []workload.Spec{
		hold(n, (hashM+1)/2, workload.Uniform()), // 1 to M
		hold(n, hashM/4, workload.Const()),
		hold(n, 8*hashM, workload.Uniform()), // 1 to 16 M
		hold(n, 16*hashM, workload.Const()),
	}
}

// instructionsOf counts the instructions of a tick, at the paper's unit costs.
func instructionsOf(l *lab, spec workload.Spec) Value {
	each := max(4*spec.T, 4*hashM)
	t := l.run(newExperiment("hashunsorted", withSlots(hashM), spec, spec.T, (each+hashM-1)/hashM*hashM))
	return t.ratio(func(b batch) float64 { return 4*b[ticks] + 6*b[visits] + 9*b[expired] }, ticks)
}

// requireInstructions compares them with a formula.
func (l *lab) requireInstructions(r Relation, formula func(workload.Spec) float64) {
	for _, w := range instructionMixes() {
		l.sampled(formula(w), instructionsOf(l, w), "instructions a tick, %s intervals, T = %d, n = %d, M = %d",
			w.Dist, w.T, w.N, hashM).as(r)
	}
}
