package claims

import (
	"math"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Schemes 1 and 2: lists (sections 3.1 and 3.2).

var listChecks = checks{
	"S1-1": {counted: func(l *lab) {
		for _, n := range []int{10, 300} {
			e := expRun("unordered", unsized, n, 100, 200, 400)
			t := l.run(e)
			all := t.sum()
			l.counted(float64(n), all[visits]/all[ticks], "visits a tick, n = %d", n)
			l.counted(0, all[compares], "comparisons of all starts and stops, n = %d", n)
			l.sampled(cost.MeanStay(e.spec.Lives()), t.per(visits, ended), "visits for each timer, n = %d", n)
		}
	}},
	"S1-3": {counted: leastWork},
	"S1-4": {counted: func(l *lab) {
		for _, k := range []schemes.Tick{1, 2, 4, 8} {
			spec := workload.Spec{N: 100, T: k, Stop: 1, StopAt: 0.05} // every timer is stopped after k ticks
			t := l.run(newExperiment("unordered", unsized, spec, 40, 64*k))
			l.sampled(float64(k), t.per(visits, ended), "visits for each timer stopped after %d ticks", k)
		}
		for _, n := range []int{1, 8} {
			all := l.run(expRun("unordered", unsized, n, 100, 200, 400)).sum()
			l.counted(float64(n), all[visits]/all[ticks], "visits a tick, n = %d", n)
		}
	}},
	"S2-1": {counted: func(l *lab) {
		e := newExperiment("ordered", unsized, halfStopped(hold(400, 800, workload.Exp())), 800, 800)
		worst, t := l.worstTick(e, wasted)
		passing{dist: workload.Const()}.exactly(l, 1)
		l.counted(0, t.sum()[stopping], "comparisons of all stops")
		l.counted(1, worst, "timers that a tick looks at besides the expiring ones, at most").as(AtMost)
	}},
	"S2-2": {counted: func(l *lab) {
		passing{dist: workload.Exp()}.point(l, 2./3)
		passing{dist: workload.Uniform()}.point(l, 1./2)
	}},
	"S2-3": {counted: func(l *lab) { passing{dist: workload.Exp(), rear: true}.point(l, 1./3) }},
	"S2-2x": {counted: func(l *lab) {
		for _, stops := range []bool{false, true} {
			for _, dist := range passingDists() {
				for _, rear := range []bool{false, true} {
					p := passing{dist, stops, rear}
					p.point(l, p.predicted(passingN))
				}
			}
		}
	}},
	"S2-4": {counted: func(l *lab) {
		passing{workload.Const(), false, true}.exactly(l, 0)
		passing{workload.Const(), true, true}.exactly(l, 0)
		passing{workload.Const(), false, false}.exactly(l, 1)
	}},
	"S2-5": {counted: func(l *lab) {
		for _, dist := range []workload.Dist{workload.Exp(), workload.Uniform()} {
			for _, n := range []int{50, 200, 800} {
				p := passing{dist: dist}
				l.sampled(p.predicted(n), p.share(l, n), "share of the list passed, %s intervals, n = %d", dist, n).
					about(p.slack(n))
			}
		}
	}},
	// In the steady state each of n independent timers expires on a given tick with
	// probability 1/T.
	"S2-7": {counted: func(l *lab) {
		const T = 1000
		for _, n := range []int{10, 100, 1000} {
			t := l.run(expRun("ordered-rear", unsized, n, T, T, 8*T).tickByTick())
			predicted := 1 - math.Pow(1-1./T, float64(n))
			l.sampled(predicted, t.per(busy, ticks), "share of ticks with an interrupt, n = %d, T = %d", n, T)
			l.counted(1, t.sum()[busy]/t.sum()[expired], "interrupts for each timer, n = %d, T = %d", n, T).as(AtMost)
		}
	}},
}

// leastWork counts what scheme 1 does to start and stop.
func leastWork(l *lab) {
	all := l.run(newExperiment("unordered", unsized, halfStopped(hold(100, 50, workload.Exp())), 200, 400)).sum()
	l.counted(0, all[compares], "comparisons of all starts and stops, scheme 1")
	l.counted(all[started]+all[ended], all[links], "links made and undone; predicted: one for each start and end")
}

// passing is a search of an ordered list.
type passing struct {
	dist  workload.Dist
	stops bool // 90 % at 5 % of their interval
	rear  bool
}

const passingN = 200

func (p passing) scheme() (name, end string) {
	if p.rear {
		return "ordered-rear", "rear"
	}
	return "ordered", "head"
}

func (p passing) spec(n int) workload.Spec {
	if p.stops {
		return mostlyStopped(hold(n, 200, p.dist))
	}
	return hold(n, 1000, p.dist)
}

func (p passing) what() string {
	_, end := p.scheme()
	return p.dist.String() + " intervals, " + withStops(p.stops) + ", from the " + end
}

// share measures the share of the other timers that a start passes. A search ends
// at one timer more than it passes; only from the head through equal intervals does
// it end at the list's end.
func (p passing) share(l *lab, n int) Value {
	spec, length := p.spec(n), schemes.Tick(8)
	switch p.dist {
	case workload.Pareto(), workload.LogUniform(), workload.Bimodal():
		length = 48 // long against what the longest timers stay, which hold their places in the list
	}
	passed := func(b batch) float64 { return b[starting] - b[started] }
	if p.dist == workload.Const() && !p.rear {
		passed = func(b batch) float64 { return b[starting] }
	}
	scheme, _ := p.scheme()
	e := newExperiment(scheme, unsized, spec, 4*spec.T, length*spec.T)
	return l.run(e.tickByTick()).ratio(passed, others)
}

func (p passing) point(l *lab, predicted float64) *Point {
	return l.sampled(predicted, p.share(l, passingN), "share of the list passed, %s", p.what()).about(p.slack(passingN))
}

// slack is for searches that reach the list's end, which make one comparison fewer
// than share takes them to.
func (p passing) slack(n int) (float64, string) {
	return 1 / float64(n-1), "one comparison of n - 1: a search that reaches the list's end saves it"
}

func (p passing) exactly(l *lab, predicted float64) *Point {
	return l.counted(predicted, p.share(l, passingN).Mean, "share of the list passed, %s", p.what())
}

// predicted is the share by the formula.
func (p passing) predicted(n int) float64 {
	head := cost.PassedFromHead(p.spec(n).Lives())
	if p.rear {
		return 1 - head
	}
	return head
}

// passingDists are those whose share of the list passed is known.
func passingDists() []workload.Dist {
	return []workload.Dist{workload.Exp(), workload.Uniform(), workload.Const(), workload.Erlang(), workload.Pareto(),
		workload.Bimodal()}
}
