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

// The model of a timer module (sections 2 and 3.2), and what holds of all seven schemes.

var modelChecks = map[string]func(*lab){
	"M-9": func(l *lab) {
		for _, dist := range []workload.Dist{workload.Exp(), workload.Uniform()} {
			for _, part := range []float64{0.25, 0.5, 1} {
				residual(l, dist, part)
			}
		}
	},
	// The check runs one workload on the seven schemes. A timer is out of order if
	// it was started before the one handed out before it on the same tick.
	"M-10": func(l *lab) {
		verified, reordering := 0.0, 0.0
		for _, info := range harness.Schemes[:7] {
			e := l.experiment("%s M=1024 m=16x16x16 n=500 T=50 dist=uniform warm=128 each=256", info.Name)
			l.run(e) // or an error
			verified++
			if outOfOrder(l, e.scheme, e.cfg) > 0 {
				reordering++
			}
		}
		l.counted(1, reordering, "schemes of the seven that hand out some tick's timers in another order than they "+
			"were started").as(AtLeast)
		l.counted(7, verified, "schemes of the seven that expire every timer on its tick")
	},
	"R-1": func(l *lab) {
		const n = 10_000
		of := func(info *schemes.Info) float64 { return float64(info.Bytes(n, schemes.Config{Capacity: n})) / n }
		least := harness.Schemes[0]
		for _, info := range harness.Schemes[1:7] {
			l.counted(of(least), of(info), "bytes held for each of %d timers, %s; at least those of %s", n, info.Name,
				least.Name).as(AtLeast)
		}
	},
}

// residual starts a scheme from empty, with as many timers a tick as expire, and when the longest
// interval is over compares how many of the timers are due within a part of the mean stay.
func residual(l *lab, dist workload.Dist, part float64) {
	const n, T = 100_000, 4096
	spec := workload.Spec{N: n, T: T, Dist: dist, Seed: seed, Arrivals: workload.Poisson, Ticks: 10 * T}
	trace, err := spec.Trace()
	l.check(err)
	s := l.new("hashunsorted", schemes.Config{Slots: 1024})
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
