package claims

import (
	"fmt"
	"math"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Simulation wheels, scheme 4 and lazy stops (sections 4.2 and 5).

var wheelChecks = checks{
	"D-7x": {counted: func(l *lab) {
		for _, share := range []float64{0.9, 0, 0.5, 0.99} {
			l.sampled(cost.HeldPerLive(lazySpec(share).Lives()), lazily(l, share, 4),
				"records held for each live timer, %.0f %% stopped at 5 %%", 100*share)
		}
	}},
	"S4-1": {counted: func(l *lab) {
		for _, m := range []int{1, 7, 256} {
			l.counted(float64(m), dueAfter(l, "simplewheel", withSlots(m), schemes.Tick(m)),
				"ticks until a timer of M ticks is due, M = %d", m)
		}
	}},
	// The check splits a workload at M = 2 T. The list holds the timers that were
	// longer than M at their start; a longer one passes, among them, what it would pass
	// in a list of them alone.
	"S4-3": {counted: func(l *lab) {
		const n, T, m = 400, 1000, 2000
		spec := hold(n, T, workload.Exp())
		t := l.run(newExperiment("simplewheel-overflow", withSlots(m), spec, 10*T, 16*T))
		all, far := spec.Lives(), cost.Beyond(spec.Lives(), m)
		share := cost.Weight(far)
		inList := n * cost.MeanStay(far) / cost.MeanStay(all)
		passed := share * (inList*cost.PassedFromHead(far) + 1)
		list := l.run(newExperiment("ordered", unsized, spec, 10*T, 4*T)).per(starting, started)
		l.sampled(passed, t.per(starting, started),
			"comparisons for each start, exponential intervals, M = 2 T, n = %d", n).
			about(share, "one comparison more or less for each longer timer: the search's end, and n - 1 for n")
		l.sampled(1./8, t.per(starting, started).over(list),
			"the same over those of a list of all timers (e^-2 of the timers, in a third of the list: less than "+
				"1/8)").as(AtMost)
	}},
}

// overflowSlots is M in the experiments on overflow.
const overflowSlots = 256

// overflowed are the constant intervals drawn, none of which meets the refills in step.
var overflowed = []schemes.Tick{201, 51, 101, 151, 251}

// overflows counts the share of starts that go to the overflow list: each of them moves into the
// wheel once. Poisson starts come at any phase of the cycle.
func overflows(l *lab, scheme string, T schemes.Tick) Value {
	spec := hold(1000, T, workload.Const())
	spec.Arrivals = workload.Poisson
	e := newExperiment(scheme, withSlots(overflowSlots), spec, 8*overflowSlots, 16*overflowSlots)
	return l.run(e).per(migrations, started)
}

// lazySpec stops a share of timers at 5 % of their interval.
func lazySpec(share float64) workload.Spec {
	return stoppedAt(hold(1000, 200, workload.Exp()), share, 0.05)
}

// lazily measures records held per live timer, in batches of the given number of mean intervals.
// It begins when the longest interval, 9 means, has passed.
func lazily(l *lab, share float64, intervals schemes.Tick) Value {
	spec := lazySpec(share)
	mean := schemes.Tick(cost.HeldPerLive(spec.Lives()) * float64(spec.T))
	e := newExperiment("hashunsorted-lazy", withSlots(256), spec, 10*mean, intervals*mean)
	return l.run(e.tickByTick()).per(held, outstanding)
}

// dueAfter starts one timer and returns the ticks until it is due.
func dueAfter(l *lab, scheme string, cfg schemes.Config, interval schemes.Tick) float64 {
	s := l.new(scheme, cfg)
	l.start(s, interval, 1)
	for tick := 1.0; tick <= 4*float64(interval); tick++ {
		if s.PerTick() > 0 {
			return tick
		}
	}
	l.check(fmt.Errorf("claims: %s: a timer of %d ticks is not due after four times that", scheme, interval))
	return math.NaN()
}
