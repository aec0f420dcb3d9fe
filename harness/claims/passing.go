package claims

import (
	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

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
