package claims

import (
	"fmt"
	"math"
	"slices"

	"timerlab/harness"
	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// The model of a timer module (sections 2 and 3.2, and the paper's closing claim).

var modelChecks = checks{
	"M-9": {counted: func(l *lab) {
		for _, dist := range []workload.Dist{workload.Exp(), workload.Uniform()} {
			for _, part := range []float64{0.25, 0.5, 1} {
				residual(l, dist, part)
			}
		}
	}},
	// The check runs one workload on the seven schemes. A timer is out of order if
	// it was started before the one handed out before it on the same tick.
	"M-10": {counted: func(l *lab) {
		verified, reordering := 0.0, 0.0
		cfg := schemes.Config{Slots: 1024, Levels: []int{16, 16, 16}}
		for _, info := range harness.Schemes[:7] {
			l.run(newExperiment(info.Name, cfg, hold(500, 50, workload.Uniform()), 128, 256)) // or an error
			verified++
			if outOfOrder(l, info.Name, cfg) > 0 {
				reordering++
			}
		}
		l.counted(1, reordering, "schemes of the seven that hand out some tick's timers in another order than they "+
			"were started").as(AtLeast)
		l.counted(7, verified, "schemes of the seven that expire every timer on its tick")
	}},
	"M-11": {timed: vaxProgram},
}

// residual starts a scheme from empty, with as many timers a tick as expire, and when the longest
// interval is over compares how many of the timers are due within a part of the mean stay.
func residual(l *lab, dist workload.Dist, part float64) {
	const n, T = 100_000, 4096
	spec := hold(n, T, dist)
	spec.Seed, spec.Arrivals, spec.Ticks = seed, workload.Poisson, 10*T
	trace, err := spec.Trace()
	l.check(err)
	s := l.new("hashunsorted", withSlots(1024))
	ops := trace.Ops[trace.Prefill:]
	for now := schemes.Tick(0); now < spec.Ticks; now++ {
		s.PerTick()
		s.Expire(func(schemes.ID) {})
		for ; len(ops) > 0 && ops[0].Tick == now+1; ops = ops[1:] {
			l.start(s, ops[0].Interval, 0)
		}
	}
	within, outstanding, due := schemes.Tick(part*T), float64(s.Len()), 0
	for range within {
		due += s.PerTick()
	}
	predicted := cost.ResidualWithin(spec.Lives(), within)
	half := quantile * math.Sqrt(predicted*(1-predicted)/outstanding)
	p := l.sampled(predicted, around(float64(due)/outstanding, half),
		"share of outstanding timers due within %.2g T, %s intervals, started from empty", part, dist)
	p.Why = "interval: binomial, n = 100,000 on average, as wide as the other intervals of the list"
}

// outOfOrder starts timers that are due together from different ticks, in one order
// of IDs, and counts those handed out after a later one.
func outOfOrder(l *lab, scheme string, cfg schemes.Config) (count int) {
	s := l.new(scheme, cfg)
	const last = 40
	id := schemes.ID(0)
	for now := schemes.Tick(0); now < last; now++ {
		for range 2 {
			id++
			l.start(s, last-now, id)
		}
		s.PerTick()
	}
	var order []schemes.ID
	s.Expire(func(id schemes.ID) { order = append(order, id) })
	for i := 1; i < len(order); i++ {
		if order[i] < order[i-1] {
			count++
		}
	}
	if slices.Sort(order); len(order) != 2*last || order[0] != 1 {
		l.check(fmt.Errorf("claims: %s: timers were lost", scheme))
	}
	return count
}
